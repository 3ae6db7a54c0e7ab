"""Moderation: annulling results, adjusting ratings, suspending players and taking them back.

Nothing of this touches a rating: it goes into the log, and the fold carries it out. Only the places on the
board and in the pools follow a suspension at once.
"""

import struct
from dataclasses import dataclass
from typing import Any

from matchmaker.compact import compact
from matchmaker.errors import ConflictError, NotFoundError
from matchmaker.fold import Adjustment
from matchmaker.moderation import Adjust, Annul, Measure
from matchmaker.results import decode, digest, milliseconds
from matchmaker.store.archives import log_shelf
from matchmaker.store.call import Call, Gap, script
from matchmaker.store.changes import change_gap
from matchmaker.store.keys import AWAKE_MS, LadderKeys
from matchmaker.store.ladders import Edition

_LAYOUT = struct.Struct("<2d")
_CELLS = 4  # of a measure in a reply


@dataclass(frozen=True, slots=True)
class Ruling:
    """What became of a measure or an annulment.

    `log_id` is where it stands in the log; if it stood there before (`taken` is false), where the last one
    about the same player or result does, or None if the log knows of none. `call` says whether a folding job
    must be called.
    """

    log_id: str | None
    taken: bool
    call: bool


def once(measure: Measure) -> tuple[bytes, bytes] | None:
    """Digests of the id and of the content of an adjustment that counts once; None of any other measure.

    Whoever sends it again may have another key: who it was is no part of the content.
    """
    if not isinstance(measure, Adjust) or measure.id is None:
        return None
    content = [measure.way, measure.points, measure.reason]
    return digest(compact([measure.player, measure.id])), digest(compact(content))


def take(edition: Edition, measure: Measure) -> Call[Ruling]:
    """Takes a measure against (or for) one player.

    Raises NotFoundError `unknown_player`, ConflictError `adjustment_conflict` for an adjustment whose id was
    used for another one.

    A suspended player leaves the board and every pool at once, a reinstated one has its place back at its
    rating. Whoever is suspended already stays so, for the reason given first.
    """
    keys = edition.keys
    return Call(
        (
            *(edition.revision, AWAKE_MS, measure.player, measure.kind, measure.encode()),
            *(once(measure) or ("", "")),
        ),
        lambda reply: _ruling(reply, "player", measure.player),
        script("take_measure"),
        (
            *(keys.ladder, keys.states, keys.ratings, keys.strengths, keys.held, keys.log, keys.awake),
            *(keys.measures(measure.player), keys.adjustments),
        ),
    )


def annul(edition: Edition, annulment: Annul) -> Call[Ruling]:
    """Annuls an accepted result; a second time changes nothing. Raises NotFoundError `unknown_result`.

    A result that is not rated yet will be rated, and then taken back: the log has the two in this order.
    """
    keys = edition.keys
    return Call(
        (edition.revision, AWAKE_MS, digest(annulment.result), annulment.encode()),
        lambda reply: _ruling(reply, "result", annulment.result),
        script("annul"),
        (keys.ladder, keys.ids, keys.annulled, keys.log, keys.awake),
    )


def _ruling(reply: list[Any], what: str, name: str) -> Ruling:
    match reply:
        case [b"unknown"]:
            raise NotFoundError(what, name)
        case [b"conflict"]:
            raise ConflictError(
                "adjustment_conflict", f"{name!r} was adjusted otherwise under this id already."
            )
        case [b"taken", log_id, called]:
            return Ruling(log_id.decode(), taken=True, call=called == 1)
        case [b"idle", bytes() as log_id]:
            return Ruling(log_id.decode(), taken=False, call=False)
    return Ruling(None, taken=False, call=False)


def witness(keys: LadderKeys, log_id: str) -> Call[bool]:
    """Whether the log (still) has an entry of that id, archived or not."""
    return Call((log_id,), lambda reply: bool(reply == 1), script("holds"), (keys.log,))


def pack_adjustment(adjustment: Adjustment) -> bytes:
    """16 bytes: rating before and after."""
    return _LAYOUT.pack(*adjustment)


@dataclass(frozen=True, slots=True)
class LoggedMeasure:
    """A measure as the log holds it. `at` is in milliseconds since the epoch; `adjustment` is what the fold
    made of it, if it is an adjustment."""

    measure: Measure
    at: int
    adjustment: Adjustment | None


def measures(keys: LadderKeys, player: str, limit: int) -> Call[list[LoggedMeasure]]:
    """What moderators did to the player, newest first, without adjustments that are still to be folded.

    Raises NotFoundError `unknown_player`.
    """

    def decode_all(reply: list[Any]) -> list[LoggedMeasure]:
        if reply == [b"unknown"]:
            raise NotFoundError("player", player)
        rows = (reply[at : at + _CELLS] for at in range(1, len(reply), _CELLS))
        logged = [_logged(*row) for row in rows if row[2]]
        return [each for each in logged if each.adjustment or not isinstance(each.measure, Adjust)]

    def gaps(reply: list[Any]) -> list[Gap]:
        found: list[Gap] = []
        for at in range(1, len(reply), _CELLS):
            log_id, kind, entry, packed = reply[at : at + _CELLS]
            if not entry:
                found.append(Gap(at + 1, log_shelf(keys), log_id.decode(), width=2))
            if kind in (None, Adjust.kind.encode()):
                found += change_gap(keys, at + 3, log_id, packed)
        return found

    return Call(
        (player, limit),
        decode_all,
        script("measures"),
        (keys.states, keys.measures(player), keys.log, keys.changes),
        gaps,
    )


def _logged(log_id: bytes, kind: bytes, entry: bytes, packed: bytes | None) -> LoggedMeasure:
    measure = decode(kind.decode(), entry.decode())
    assert isinstance(measure, Measure)
    return LoggedMeasure(
        measure, milliseconds(log_id.decode()), Adjustment(*_LAYOUT.unpack(packed)) if packed else None
    )
