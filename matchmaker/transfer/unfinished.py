"""A file that is written beside the place where it belongs, and what is left of it when that is broken off.

It grows by stretches. How far it has come is noted in a journal, a second file beside it, behind each stretch
and when that is safely on the disk: whatever happens then, the work can go on from there.
"""

import contextlib
import fcntl
import io
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Self, cast

from matchmaker.errors import ConflictError

_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_MODE: Final = 0o666  # as for any new file: the umask takes away from it


@dataclass(frozen=True, slots=True)
class Mark:
    """How far the file has come: up to which entry of the log, of which digest, how many entries and results
    that were, and where in the file each stretch ends."""

    after: str
    trace: str
    entries: int
    results: int
    ends: tuple[int, ...] = ()


class Remains(NamedTuple):
    """What is left of a file: what was to be written, and how far that came."""

    plan: Mapping[str, Any]
    mark: Mark


class Unfinished:
    """A file that takes the place of `path` when it is complete.

    A context: a failure before the first mark leaves nothing behind, a later one leaves what the next for
    the same path may go on with. Raises OSError that names `path` or its directory, and ConflictError
    `export_running`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part, self._journal, self._joined = (
            path.with_name(f".{path.name}.{suffix}") for suffix in ("part", "journal", "joined")
        )
        self._is_finished = False
        self.mark: Mark | None = None
        self.file = self._open()

    def _open(self) -> BinaryIO:
        while True:
            with naming(self._path.parent):
                file = os.fdopen(os.open(self._part, _FLAGS, _MODE), "r+b")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                raise ConflictError("export_running", f"{self._path}: is being written already") from None
            # Whoever held it may have finished in between: then this is no longer the file of that name.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), self._part.stat()):
                    return file
            file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._is_finished:
            self._joined.unlink(missing_ok=True)
            # As the journal says: a signal may come between a mark in it and the one that is known here.
            if self.remains() is None:
                self._clear()
        self.file.close()

    def _clear(self) -> None:
        self._journal.unlink(missing_ok=True)
        self._part.unlink(missing_ok=True)

    def remains(self) -> Remains | None:
        """What an earlier attempt has left, if it came to a mark."""
        try:
            plan, *marks = map(json.loads, self._journal.read_bytes().split(b"\n")[:-1])
        except (FileNotFoundError, ValueError):
            return None
        ends = tuple([mark["ends"] for mark in marks])
        if not marks or os.fstat(self.file.fileno()).st_size < ends[-1]:
            return None
        return Remains(plan, Mark(**{**marks[-1], "ends": ends}))

    def begin(self, plan: Mapping[str, Any]) -> None:
        """Begins with nothing; `plan` is what the remains will say, should there be any."""
        self._journal.unlink(missing_ok=True)  # before what it speaks of goes
        self.file.truncate(0)
        self._note(plan)

    def go_on(self, remains: Remains) -> None:
        """Goes on behind the mark."""
        self.mark = remains.mark
        written = self._journal.read_bytes()
        os.truncate(self._journal, written.rindex(b"\n") + 1)  # a line may have been torn
        self.file.truncate(self.mark.ends[-1])
        self.file.seek(0, os.SEEK_END)

    def keep(self, mark: Mark) -> None:
        """Sets a mark behind what was written; where that is need not be said."""
        _sync(self.file)
        ends = (*(self.mark.ends if self.mark else ()), self.file.tell())
        self._note({**asdict(mark), "ends": ends[-1]})
        self.mark = replace(mark, ends=ends)

    @contextlib.contextmanager
    def reading(self) -> Iterator[BinaryIO]:
        """What was written so far, to be read while more is written."""
        self.file.flush()
        with self._part.open("rb") as file:
            yield cast(BinaryIO, io.BufferedReader(_Beginning(file, self.file.tell())))

    def _note(self, line: Mapping[str, Any]) -> None:
        with self._journal.open("ab") as journal:
            journal.write(json.dumps(line).encode() + b"\n")
            _sync(journal)

    def finish(self) -> None:
        """Puts the file where it belongs, in the place of an older one."""
        _sync(self.file)
        self._put(self._part)

    @contextlib.contextmanager
    def joining(self) -> Iterator[BinaryIO]:
        """For formats whose stretches make no file until they are joined: what is to be put there instead."""
        with self._joined.open("wb") as file:
            yield file
            _sync(file)
        self._put(self._joined)

    def _put(self, file: Path) -> None:
        with naming(self._path):
            file.replace(self._path)
        self._is_finished = True
        self._clear()


class _Beginning(io.RawIOBase):
    """So many bytes of a file."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._file.read(min(len(buffer), self._left))
        buffer[: len(chunk)] = chunk
        self._left -= len(chunk)
        return len(chunk)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Failures name `path`, which people know, instead of the file beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
