"""What the fold made of a result, as the store keeps it beside the log."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from matchmaker.errors import NotFoundError
from matchmaker.fold import Change, Changes
from matchmaker.moderation import Annul
from matchmaker.rating.rule import Move, Outcome
from matchmaker.results import Result, decode, log_order, milliseconds
from matchmaker.sides import Side, Sides
from matchmaker.store.archives import changes_shelf, log_shelf
from matchmaker.store.call import Call, Gap, script
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition

_PLAIN, _UNSURE = struct.Struct("<4d"), struct.Struct("<6d")
_SIZE = struct.calcsize("<d")
_CELLS = 5  # of a result in a history


def pack_changes(changes: Changes) -> bytes:
    """32 bytes for each player, in their order: before, delta, k and expected score.

    Where there is a sigma 48: behind these its change, and what it was.
    """
    return b"".join(
        [
            _UNSURE.pack(before, delta, k, expected, sigma, sigma_before)
            if sigma_before
            else _PLAIN.pack(before, delta, k, expected)
            for _, before, (delta, k, expected, sigma, sigma_before) in changes
        ]
    )


def unpack_changes(packed: bytes, result: Result) -> Changes:
    """The changes that were packed for this result."""
    numbers = struct.unpack(f"<{len(packed) // _SIZE}d", packed)
    players = result.players
    width = len(numbers) // len(players)
    return tuple(
        Change(player, numbers[at], Move(*numbers[at + 1 : at + width]))
        for player, at in zip(players, range(0, len(numbers), width), strict=True)
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

    def present(self, edition: Edition) -> Result:
        """What it says under the ladder's present rule."""
        return edition.present(self.log_id, self.result)

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
    """One result as one of its players sees it. `change` is what it did, also if that was annulled.

    `rank` is the place of the player's side among all sides, equal places counting as the better one.
    """

    result: str
    partners: Side
    others: Sides
    outcome: Outcome
    rank: int
    change: Change
    at: int
    annulment: Annulment | None = None

    @property
    def opponents(self) -> tuple[str, ...]:
        """Everybody on the other sides."""
        return tuple(chain.from_iterable(self.others))


def history(keys: LadderKeys, player: str, limit: int) -> Call[list[HistoryEntry]]:
    """The player's last results, newest first. Raises NotFoundError `unknown_player`."""

    def decode(reply: list[Any]) -> list[HistoryEntry]:
        if reply == [b"unknown"]:
            raise NotFoundError("player", player)
        _, cursor, *cells = reply
        rows = (cells[at : at + _CELLS] for at in range(0, len(cells), _CELLS))
        return [_entry(player, cursor, *row) for row in rows if row[1] and row[2]]

    def gaps(reply: list[Any]) -> list[Gap]:
        found: list[Gap] = []
        for at in range(2, len(reply), _CELLS):
            log_id, entry, packed, annul_id, annul = reply[at : at + _CELLS]
            found += entry_gap(keys, at + 1, log_id, entry)
            found += change_gap(keys, at + 2, log_id, packed)
            found += entry_gap(keys, at + 4, annul_id, annul)
        return found

    return Call(
        (player, limit),
        decode,
        script("history"),
        (keys.states, keys.history(player), keys.log, keys.changes, keys.annulled, keys.cursor),
        gaps,
    )


def entry_gap(keys: LadderKeys, place: int, log_id: bytes | None, entry: bytes | None) -> list[Gap]:
    """The gap at that place of a reply, if there is such an entry and the log does not hold it."""
    return [] if entry or not log_id else [Gap(place, log_shelf(keys), log_id.decode())]


def change_gap(keys: LadderKeys, place: int, log_id: bytes, packed: bytes | None) -> list[Gap]:
    """The same for what the fold made of an entry."""
    return [] if packed else [Gap(place, changes_shelf(keys), log_id.decode())]


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
    place = result.place(player)
    return HistoryEntry(
        result=result.id,
        partners=tuple(each for each in result.sides[place] if each != player),
        others=result.sides[:place] + result.sides[place + 1 :],
        outcome=result.outcomes[place],
        rank=result.ranks[place],
        change=unpack_changes(packed, result)[result.players.index(player)],
        at=logged.at,
        annulment=Annulment.read(annul_id, annul, cursor),
    )


def annulled(keys: LadderKeys, log_ids: Sequence[str], upto: str) -> Call[set[str]]:
    """Those of these log ids (at least one) whose results an entry of the log annuls, up to that one."""

    def decode(reply: list[bytes | None]) -> set[str]:
        return {
            log_id
            for log_id, annul in zip(log_ids, reply, strict=True)
            if annul is not None and log_order(annul.decode()) <= log_order(upto)
        }

    return Call(("HMGET", keys.annulled, *log_ids), decode)
