"""What the fold made of a result, as the store keeps it beside the log."""

import struct
from dataclasses import dataclass
from typing import Any

from matchmaker.errors import NotFoundError
from matchmaker.fold import Change, Changes
from matchmaker.rating.rule import REVERSED, Move, Outcome
from matchmaker.results import Result, decode, milliseconds
from matchmaker.store.call import Call, script
from matchmaker.store.keys import LadderKeys

_LAYOUT = struct.Struct("<8d")


def pack_changes(changes: Changes) -> bytes:
    """64 bytes: before, delta, k and expected score of the initiator, then of the opponent."""
    (_, before, move), (_, other_before, other_move) = changes
    return _LAYOUT.pack(before, *move, other_before, *other_move)


def unpack_changes(packed: bytes, result: Result) -> Changes:
    """The changes that were packed for this result."""
    numbers = _LAYOUT.unpack(packed)
    return (
        Change(result.initiator, numbers[0], Move(*numbers[1:4])),
        Change(result.opponent, numbers[4], Move(*numbers[5:8])),
    )


@dataclass(frozen=True, slots=True)
class LoggedResult:
    """A result and its place in the log."""

    log_id: str
    result: Result

    @classmethod
    def read(cls, log_id: bytes, entry: bytes) -> "LoggedResult":
        result = decode("result", entry.decode())
        assert isinstance(result, Result)
        return cls(log_id.decode(), result)

    @property
    def at(self) -> int:
        """When it was played, or else accepted; milliseconds since the epoch."""
        played_at = self.result.played_at
        return milliseconds(self.log_id) if played_at is None else played_at


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One result as one of its two players sees it."""

    result: str
    opponent: str
    outcome: Outcome
    change: Change
    at: int


def history(keys: LadderKeys, player: str, limit: int) -> Call[list[HistoryEntry]]:
    """The player's last results, newest first. Raises NotFoundError `unknown_player`."""

    def decode(reply: list[Any]) -> list[HistoryEntry]:
        if reply == [b"unknown"]:
            raise NotFoundError("player", player)
        cells = reply[1:]
        return [_entry(player, *cells[at : at + 3]) for at in range(0, len(cells), 3)]

    return Call(
        (player, limit),
        decode,
        script("history"),
        (keys.states, keys.history(player), keys.log, keys.changes),
    )


def _entry(player: str, log_id: bytes, entry: bytes, packed: bytes) -> HistoryEntry:
    logged = LoggedResult.read(log_id, entry)
    result = logged.result
    own, other = unpack_changes(packed, result)
    if player == result.initiator:
        return HistoryEntry(result.id, result.opponent, result.outcome, own, logged.at)
    return HistoryEntry(result.id, result.initiator, REVERSED[result.outcome], other, logged.at)
