"""The place where files lie: a directory of this machine, or whatever else fsspec reaches."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from matchmaker.errors import ArchiveUnavailableError


class Depot:
    """All files below one URL, by their paths under it."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _place(self) -> tuple[Any, str]:
        """The file system, and the root in it."""
        from fsspec.core import url_to_fs

        file_system, root = url_to_fs(self._url)
        return file_system, root.rstrip("/")

    @property
    def file_system(self) -> Any:
        return self._place[0]

    def locate(self, path: str) -> str:
        """The path as the file system knows it."""
        return f"{self._place[1]}/{path}"

    def write(self, path: str, content: bytes) -> None:
        """Returns when the file is there, complete and safe, with this content.

        What is there already under that name is replaced only if it is something else. Raises
        ArchiveUnavailableError.
        """
        with naming(path, "can't be written"):
            if self._is_local:
                self._write_locally(Path(self.locate(path)), content)
            elif not self._holds(path, content):
                self._send(path, content)
            if not self._holds(path, content):
                raise OSError("it reads back differently")

    @property
    def _is_local(self) -> bool:
        from fsspec.implementations.local import LocalFileSystem

        return isinstance(self.file_system, LocalFileSystem)

    def _holds(self, path: str, content: bytes) -> bool:
        try:
            return bool(self.file_system.cat_file(self.locate(path)) == content)
        except FileNotFoundError:
            return False

    def _write_locally(self, path: Path, content: bytes) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            complete = path.read_bytes() == content
        except FileNotFoundError:
            complete = False
        if not complete:
            unfinished = path.with_name(_unfinished(path.name))
            try:
                with os.fdopen(
                    os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
                ) as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                unfinished.replace(path)
            finally:
                unfinished.unlink(missing_ok=True)
        # Also when it was there: whoever wrote it may have been killed before its directories were synced.
        root = Path(self._place[1])
        for directory in (
            each for each in path.parents if each == root.parent or root.parent in each.parents
        ):
            _sync(directory)

    def _send(self, path: str, content: bytes) -> None:
        # Under another name first: not every place shows a file only when it is complete.
        unfinished, complete = self.locate(_unfinished(path)), self.locate(path)
        self.file_system.makedirs(complete.rpartition("/")[0], exist_ok=True)
        self.file_system.pipe_file(unfinished, content)
        try:
            self.file_system.mv(unfinished, complete)
        except OSError:
            # Some places rename onto nothing that exists: then somebody else was faster with the same file.
            if not self._holds(path, content):
                raise

    @contextlib.contextmanager
    def open(self, path: str) -> Iterator[Any]:
        """The file, to be read. Raises ArchiveUnavailableError, also for what fails while it is open."""
        with naming(path, "can't be read"), self.file_system.open(self.locate(path), "rb") as file:
            yield file

    def check(self, path: str, size: int) -> None:
        """Raises ArchiveUnavailableError if the file is not there, or has not so many bytes."""
        with naming(path, "can't be read"):
            found = self.file_system.size(self.locate(path))
        if found != size:
            raise ArchiveUnavailableError(path, f"has {found:,} bytes instead of {size:,}")

    def remove(self, path: str) -> None:
        """Removes a file. Raises ArchiveUnavailableError."""
        with naming(path, "can't be removed"):
            self.file_system.rm_file(self.locate(path))


def _unfinished(name: str) -> str:
    return f"{name}.{secrets.token_hex(4)}.part"


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def naming(path: str, what: str) -> Iterator[None]:
    """Failures name the file, and never the URL of the archive, which may hold a password."""
    from pyarrow import ArrowException

    try:
        yield
    except ArchiveUnavailableError:
        raise
    except FileNotFoundError as error:
        raise ArchiveUnavailableError(path, "is missing") from error
    except (OSError, ArrowException, ValueError, KeyError) as error:
        raise ArchiveUnavailableError(path, f"{what} ({_reason(error)})") from error


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__
