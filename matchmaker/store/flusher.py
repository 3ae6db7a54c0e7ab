"""Flushing an append-only file to the disk, in the server's stead.

The server could do that itself (`appendfsync everysec`). But while the disk takes its time it goes on
answering and keeps what it should write in memory, for up to two seconds, and a kill would lose that.
Without a flush of its own it always writes before it answers.
"""

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

_INTERVAL: Final = 1.0  # seconds


class Flusher:
    """For the append-only files in `directory`, which may come and go."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._due = 0.0
        self._flushed: dict[Path, int] = {}

    def flush(self) -> float:
        """Has the disk take what was written, once a second; seconds until that is due again.

        Raises OSError if the disk fails.
        """
        if time.monotonic() >= self._due:
            self._flushed = dict(self._flush(self._flushed))
            self._due = time.monotonic() + _INTERVAL
        return max(0.0, self._due - time.monotonic())

    def _flush(self, flushed: Mapping[Path, int]) -> Iterator[tuple[Path, int]]:
        """Each file and the size up to which the disk has it: that in `flushed`, or all there is now."""
        for path in self._directory.glob("*.aof"):
            with contextlib.suppress(FileNotFoundError), path.open("rb") as file:  # a rewrite may replace it
                size = os.fstat(file.fileno()).st_size
                if size != flushed.get(path):
                    os.fsync(file.fileno())
                yield path, size
