"""The directory that holds what one `matchmaker up` keeps, and the lock that keeps a second one out."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from matchmaker.errors import MatchmakerError

_HANDOVER_SECONDS = 10.0


class DirectoryInUseError(MatchmakerError):
    """Another process holds the data directory."""

    status = 409
    code = "directory_in_use"


class DataDirectory:
    """`path`, made for its owner alone when it is missing."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock = self.path / "lock"

    @contextlib.contextmanager
    def hold(self) -> Iterator[int]:
        """Keeps the directory for this process; gives the file descriptor of the lock.

        An embedded server inherits the descriptor, so that the directory stays taken until that server has
        ended, even when its supervisor was killed. Such a server is on its way out and is waited for.
        Raises DirectoryInUseError, OSError.
        """
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._take(descriptor)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
            yield descriptor
        finally:
            os.close(descriptor)

    def _take(self, descriptor: int) -> None:
        deadline = time.monotonic() + _HANDOVER_SECONDS
        while True:
            try:
                return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(descriptor, 32, 0).decode()
                if _runs(holder) or time.monotonic() > deadline:
                    raise DirectoryInUseError(
                        f"the data directory {self.path} is in use by process {holder or '(unknown)'}; "
                        "stop that process, or set MATCHMAKER_DATA_DIR to another directory"
                    ) from None
            time.sleep(0.05)


def _runs(process: str) -> bool:
    """Whether the process with that number exists."""
    if not process:  # the holder is about to write it
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
