"""Bringing a whole ladder in. Nobody else sees it, or can write to it, until it is complete."""

from collections.abc import Sequence
from typing import Any, Literal

from matchmaker import eras
from matchmaker.dispute import STATUSES, Dispute
from matchmaker.errors import ConflictError, InvalidInputError
from matchmaker.ladder import Ladder
from matchmaker.moderation import Adjust, Annul, Measure, Reinstate, Suspend
from matchmaker.results import Join, Result, digest
from matchmaker.store import archives, disputes, flags, folds
from matchmaker.store.call import Argument, Call, script
from matchmaker.store.cases import Case, Dismissed
from matchmaker.store.folds import Logged
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.members import Member
from matchmaker.store.moderation import once
from matchmaker.store.states import pack, strength_word

LEASE_MS = 30_000
"""For how long whoever brings a ladder in need not be heard of; then others may take over what there is."""

_REASONS = {
    "twice": "the id of this result came before",
    "unknown": "a player of this result has not joined before it",
    "joined": "this player has joined before",
    "stranger": "this player has not joined before it",
    "nothing": "no result with this id came before",
    "annulled": "this result was annulled before",
}


def begin(keys: LadderKeys, fingerprint: str, word: str) -> Call[bytes | Literal["unfinished"]]:
    """Reserves a ladder that is new or holds no player; the revision under which its parts are written.

    If somebody began to with a file of the same `fingerprint`, and is gone, what that one has written is
    there. `word` is the caller's own. "unfinished" means that it was another file: `drop` clears that away.
    Raises ConflictError `ladder_not_empty`, `ladder_restoring`.
    """

    def decode(reply: list[bytes]) -> bytes | Literal["unfinished"]:
        match reply:
            case [b"begun", revision]:
                return revision
            case [b"taken"]:
                raise ConflictError(
                    "ladder_not_empty",
                    f"Ladder {keys.ladder_id!r} has players; a whole ladder is brought into a new one only.",
                )
            case [b"busy"]:
                raise ConflictError(
                    "ladder_restoring",
                    f"Ladder {keys.ladder_id!r} is being imported by somebody else. (If that was killed a "
                    f"moment ago, try again in {LEASE_MS // 1000} seconds.)",
                )
        return "unfinished"

    return Call(
        (LEASE_MS, fingerprint, word),
        decode,
        script("restore_begin"),
        (
            *(keys.ladder, keys.states, keys.ids, keys.log, keys.cursor, keys.changes, keys.counters),
            *(keys.restoring, *LadderKeys(keys.ladder_id, "previous").derived, *archives.stock(keys)),
        ),
    )


def write_log(edition: Edition, entries: Sequence[Logged]) -> Call[None]:
    """Writes entries (some thousands) of the log. Raises InvalidInputError for one that can't stand there."""
    keys = edition.keys
    words: list[Argument] = [edition.revision, LEASE_MS, entries[-1].log_id if entries else ""]
    lists: list[str] = []
    for logged in entries:
        effects = _effects(edition, logged, len(lists))
        words += (logged.log_id, logged.entry.kind, logged.entry.encode(), len(effects), *effects)
        if isinstance(logged.entry, Measure):
            lists.append(keys.measures(logged.entry.player))

    def decode(reply: list[Any]) -> None:
        if reply[0] == b"refused":
            place, reason = entries[reply[1] - 1].log_id, _REASONS[reply[2].decode()]
            raise InvalidInputError(f"log entry {place}: {reason}")

    return Call(
        words,
        decode,
        script("restore_log"),
        (
            *(keys.ladder, keys.states, keys.ratings, keys.strengths, keys.ids, keys.log, keys.restoring),
            *(keys.annulled, keys.adjustments),
            *lists,
        ),
    )


def complete(keys: LadderKeys, entries: int) -> Call[bool]:
    """Whether the log (still) has so many entries, archived ones too."""
    return folds.extent(keys).then(lambda extent: extent[0] >= entries)


def _effects(edition: Edition, logged: Logged, lists: int) -> tuple[Argument, ...]:
    """Its words, see restore_log.lua; `lists` are those of measures that stand among the keys already."""
    match logged.entry:
        case Result() as result:
            return result.id_digest, result.content_digest, *result.players
        case Join(player) as join:
            state = edition.present(logged.log_id, join).state
            return player, pack(state), repr(state.rating), strength_word(state)
        case Annul(result_id):
            return (digest(result_id),)
        case Adjust(player) | Suspend(player) | Reinstate(player) as measure:
            return player, lists, *(once(measure) or ())
    return ()


def write_members(edition: Edition, members: Sequence[Member]) -> Call[None]:
    """Writes what the log does not tell of its players; those whom it does not know are left out."""
    keys = edition.keys
    words: list[Argument] = [edition.revision, LEASE_MS]
    for member in members:
        words += (member.player, _note(member.name), _note(member.owner))
        words += (0 if member.suspended else 1, member.history)
    return Call(
        words,
        lambda reply: None,
        script("restore_members"),
        (
            *(
                keys.ladder,
                keys.states,
                keys.ratings,
                keys.strengths,
                keys.names,
                keys.owners,
                keys.restoring,
            ),
            *(keys.history(member.player) for member in members),
        ),
    )


def write_cases(edition: Edition, cases: Sequence[Case]) -> Call[None]:
    """Writes disputes and dismissals; those about what the ladder does not hold are left out."""
    keys = edition.keys
    words: list[Argument] = [edition.revision, LEASE_MS]
    for case in cases:
        match case:
            case Dispute():
                came = case.closing.at if case.closing else case.at
                place = 1 + STATUSES.index(case.status)
                words += ("dispute", digest(case.result), case.name, case.encode())
                words += (came, place, disputes.counter(case.felt))
            case Dismissed(player, flag, dismissal):
                words += ("dismissal", player, flags.field(flag, player), dismissal.encode(), "", "", "")
    return Call(
        words,
        lambda reply: None,
        script("restore_cases"),
        (
            *(keys.ladder, keys.restoring, keys.states, keys.ids, keys.disputes, keys.dismissals),
            *(keys.counters, *_dispute_queues(keys)),
        ),
    )


def _dispute_queues(keys: LadderKeys) -> tuple[str, ...]:
    return tuple(disputes.queue(keys, status) for status in STATUSES)


def _note(text: str | None) -> str:
    return "-" if text is None else f"+{text}"


def end(edition: Edition, ladder: Ladder) -> Call[None]:
    """Shows the complete ladder to everybody, under its settings and with its eras."""
    keys = edition.keys
    return Call(
        (edition.revision, ladder.model_dump_json(), eras.encode(edition.eras)),
        lambda reply: None,
        script("restore_end"),
        (keys.ladder, keys.restoring),
    )


def is_incomplete(keys: LadderKeys) -> Call[bool]:
    """Whether the ladder is being brought in, or somebody began to and is gone."""
    return Call(("HEXISTS", keys.ladder, "restoring"), lambda reply: bool(reply == 1))


def drop(keys: LadderKeys) -> Call[None]:
    """Clears away a ladder that is not complete. `drop_histories` comes first."""
    return Call(
        (),
        lambda reply: None,
        script("restore_drop"),
        (
            *(
                keys.ladder,
                keys.states,
                keys.ratings,
                keys.strengths,
                keys.names,
                keys.owners,
                keys.ids,
                keys.log,
            ),
            *(
                keys.annulled,
                keys.adjustments,
                keys.cursor,
                keys.changes,
                keys.counters,
                keys.awake,
                keys.restoring,
            ),
            *(keys.devices, keys.held, keys.to_review, keys.disputes, keys.dismissals),
            *(*_dispute_queues(keys), *archives.stock(keys)),
        ),
    )


def drop_histories(keys: LadderKeys, players: Sequence[str]) -> Call[None]:
    """Clears away the histories of players of such a ladder, and what moderators did to them."""
    return Call(("DEL", *map(keys.history, players), *map(keys.measures, players)), lambda reply: None)
