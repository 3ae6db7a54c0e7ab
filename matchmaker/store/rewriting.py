"""Rewriting the append-only file before the server stops, so that the next start is quick.

The server rewrites it by itself whenever it has doubled. The commands that have come since are what it reads
slowly, at some 100 MB in one and a half seconds; what was rewritten takes a fraction of that.
"""

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import redis

_WORTHWHILE: Final = 16 << 20
"""Bytes of commands that take a noticeable time to read."""

_LARGEST: Final = 512 << 20
"""Bytes altogether that can still be rewritten while somebody waits for the stop: some five seconds."""

_POLL_SECONDS: Final = 0.02


def is_worthwhile(directory: Path) -> bool:
    """Whether the append-only files in `directory` should be rewritten before a stop."""
    commands = _size(directory, "*.incr.aof")
    return commands >= _WORTHWHILE and commands + _size(directory, "*.base.*") <= _LARGEST


def _size(directory: Path, pattern: str) -> int:
    total = 0
    for path in directory.glob(pattern):
        with suppress(FileNotFoundError):  # the server may just be rewriting
            total += path.stat().st_size
    return total


def rewrite(client: redis.Redis, seconds: float) -> None:
    """Has the server rewrite its file, or finish the rewrite that is under way; returns when it has, after
    `seconds`, or if it cannot."""
    deadline = time.monotonic() + seconds
    with suppress(redis.RedisError):
        with suppress(redis.ResponseError):  # one is under way already
            client.bgrewriteaof()
        while client.info("persistence")["aof_rewrite_in_progress"] and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
