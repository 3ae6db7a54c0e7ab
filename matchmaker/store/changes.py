"""What the fold made of a result, as the store keeps it beside the log."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matchmaker.errors import NotFoundError
from matchmaker.fold import Change, Changes
from matchmaker.moderation import Annul
from matchmaker.rating.rule import REVERSED, Move, Outcome
from matchmaker.results import Result, decode, log_order, milliseconds
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
class Annulment:
    """Who has annulled a result, why, and when; milliseconds since the epoch."""

    by: str
    reason: str
    at: int

    @classmethod
    def read(cls, log_id: bytes | None, entry: bytes | None, cursor: bytes) -> "Annulment | None":
        """None for a result that was not annulled, or of which that is not folded yet."""
        if log_id is None or entry is None or log_order(log_id.decode()) > log_order(cursor.decode()):
            return None
        annul = decode("annul", entry.decode())
        assert isinstance(annul, Annul)
        return cls(annul.by, annul.reason, milliseconds(log_id.decode()))


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One result as one of its two players sees it. `change` is what it did, also if that was annulled."""

    result: str
    opponent: str
    outcome: Outcome
    change: Change
    at: int
    annulment: Annulment | None = None


def history(keys: LadderKeys, player: str, limit: int) -> Call[list[HistoryEntry]]:
    """The player's last results, newest first. Raises NotFoundError `unknown_player`."""

    def decode(reply: list[Any]) -> list[HistoryEntry]:
        if reply == [b"unknown"]:
            raise NotFoundError("player", player)
        _, cursor, *cells = reply
        return [_entry(player, cursor, *cells[at : at + 5]) for at in range(0, len(cells), 5)]

    return Call(
        (player, limit),
        decode,
        script("history"),
        (keys.states, keys.history(player), keys.log, keys.changes, keys.annulled, keys.cursor),
    )


def _entry(
    player: str,
    cursor: bytes,
    log_id: bytes,
    entry: bytes,
    packed: bytes,
    annul_id: bytes | None,
    annul: bytes | None,
) -> HistoryEntry:
    logged = LoggedResult.read(log_id, entry)
    result = logged.result
    own, other = unpack_changes(packed, result)
    annulment = Annulment.read(annul_id, annul, cursor)
    if player == result.initiator:
        return HistoryEntry(result.id, result.opponent, result.outcome, own, logged.at, annulment)
    return HistoryEntry(result.id, result.initiator, REVERSED[result.outcome], other, logged.at, annulment)


def annulled(keys: LadderKeys, log_ids: Sequence[str]) -> Call[set[str]]:
    """Those of these log ids (at least one) whose results are annulled, or will be once that is folded."""
    return Call(
        ("HMGET", keys.annulled, *log_ids),
        lambda reply: {log_id for log_id, annul in zip(log_ids, reply, strict=True) if annul is not None},
    )
