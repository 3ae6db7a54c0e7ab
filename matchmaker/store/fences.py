"""Fences: knowing that what was written is safe, and not merely taken.

A fence goes over one connection. It looks whether the writes are there that somebody waits for, writes a key
of its own behind them, and waits until the server says that this key, and so everything before it, is on disk
or on replicas. It looks first because after a failover the connection may lead to a server that never saw the
writes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from redis.exceptions import ResponseError

from matchmaker.errors import MatchmakerError, StoreUnavailableError
from matchmaker.store.call import Argument, Call, StaleLadderError

WAIT_SECONDS: Final = 1.2
"""How long a server is given to confirm: less than the API waits for any answer."""

_AGAIN: Final = "send it again, it counts once"


def lost() -> StoreUnavailableError:
    """The failure of a request whose write was there and no longer is."""
    return StoreUnavailableError("The store has lost this again in a failover; send it once more.")


@dataclass(frozen=True, slots=True)
class Fence:
    """What must be confirmed: with `fsync`, that it is on the disk of the server that took it; and that it
    has reached so many `replicas`."""

    fsync: bool
    replicas: int

    def __bool__(self) -> bool:
        """Whether there is anything to wait for."""
        return self.fsync or self.replicas > 0

    def commands(self, key: str, witnesses: Sequence[Call[bool]]) -> list[tuple[Argument, ...]]:
        """What to send over one connection. A witness is a read that tells whether a write is there."""
        milliseconds = round(WAIT_SECONDS * 1000)
        return [
            *(witness.command(by_source=True) for witness in witnesses),
            ("SET", key, ""),
            ("WAITAOF", int(self.fsync), 0, milliseconds),
            # Not by WAITAOF: replicas tell what is on their disks once a second only.
            ("WAIT", self.replicas, milliseconds),
            ("CONFIG", "GET", "appendfsync"),
        ]

    def read(self, witnesses: Sequence[Call[bool]], replies: Sequence[Any]) -> list[bool]:
        """For each witness, whether its write is there, and so confirmed.

        Raises redis.exceptions.RedisError if this server takes no writes, StoreUnavailableError if it does
        not confirm.
        """
        written, synced, copies, policy = replies[len(witnesses) :]
        for reply in (written, copies):
            if isinstance(reply, Exception):
                raise reply
        if self.fsync:
            _check_disk(synced, policy)
        if copies < self.replicas:
            raise StoreUnavailableError(
                f"Within {WAIT_SECONDS:g} s this has reached {copies} of {self.replicas} replicas; {_AGAIN}."
            )
        return [_holds(*pair) for pair in zip(witnesses, replies, strict=False)]


def _check_disk(synced: Any, policy: Any) -> None:
    """Refuses a server that syncs once a second: in Valkey up to 9.1 and in some versions of Redis 7 WAITAOF
    then answers before the data are on disk. A server that does not tell its settings is believed."""
    match policy:
        case [_, frequency] if frequency != b"always":
            raise StoreUnavailableError(
                f"The store runs with appendfsync {frequency.decode()}; durability fsync needs always."
            )
    match synced:
        case [0, _]:
            raise StoreUnavailableError(f"Within {WAIT_SECONDS:g} s this was not on disk; {_AGAIN}.")
        case ResponseError():
            raise StoreUnavailableError(f"The store cannot tell what is on disk: {synced}.")
        case Exception():
            raise synced


def _holds(witness: Call[bool], reply: Any) -> bool:
    if isinstance(reply, Exception):
        return False
    try:
        return witness.read(reply)
    except (MatchmakerError, StaleLadderError):
        return False
