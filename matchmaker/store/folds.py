"""What a folding job asks of the store: the log after the cursor, the fenced commit, and when to sleep."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from matchmaker.archive import Row
from matchmaker.fold import Adjustment, Effect
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Entry, decode_all
from matchmaker.store.call import Argument, Call, script
from matchmaker.store.changes import pack_changes
from matchmaker.store.counters import size_field, time_field
from matchmaker.store.keys import AWAKE_MS, SWEEP, LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.moderation import pack_adjustment
from matchmaker.store.states import pack

START = "0-0"
"""The cursor of a ladder of which nothing is folded yet."""


class Logged(NamedTuple):
    """An entry and its place in the log."""

    log_id: str
    entry: Entry


def _entries(reply: list[tuple[bytes, dict[bytes, bytes]]]) -> list[Logged]:
    words = [item for _, fields in reply for item in fields.items()]
    entries = decode_all((kind.decode() for kind, _ in words), (text for _, text in words))
    return [Logged(log_id.decode(), entry) for (log_id, _), entry in zip(reply, entries, strict=True)]


def cursor(keys: LadderKeys) -> Call[str]:
    """Id of the last folded entry."""
    return Call(("GET", keys.cursor), lambda reply: START if reply is None else reply.decode())


def extent(keys: LadderKeys) -> Call[tuple[int, str]]:
    """Number of entries that the log has, archived ones too, and the id of the last."""

    def decode(reply: list[Any]) -> tuple[int, str]:
        return reply[0], reply[1].decode()

    return Call((), decode, script("extent"), (keys.log,))


def read_rows(rows: Sequence[Row]) -> list[Logged]:
    """Rows of the log."""
    entries = decode_all((row[1].decode() for row in rows), (row[2] for row in rows))
    return [Logged(row[0].decode(), entry) for row, entry in zip(rows, entries, strict=True)]


def after(keys: LadderKeys, log_id: str, count: int) -> Call[list[Logged]]:
    """Up to `count` entries of the log behind `log_id`."""
    return Call(("XRANGE", keys.log, f"({log_id}", "+", "COUNT", count), _entries)


def await_entry(keys: LadderKeys, log_id: str, milliseconds: int) -> Call[bool]:
    """Waits until the log holds anything behind `log_id`, or the time is over; says which."""
    return Call(
        ("XREAD", "COUNT", 1, "BLOCK", milliseconds, "STREAMS", keys.log, log_id), lambda reply: bool(reply)
    )


def commit(
    edition: Edition,
    *,
    expected: str,
    folded: Sequence[tuple[Logged, Effect]],
    states: Mapping[str, PlayerState],
    seconds: float,
) -> Call[bool | None]:
    """Moves the cursor from `expected` behind the folded entries, and everything with it, in one step.

    `states` are the new states of the players that changed, `seconds` is what the work took so far.
    False, and nothing has happened, if another job has moved the cursor meanwhile, or the log does not hold
    the entries (any more). None for a moment in which another generation may take the place of this one.
    """
    keys, history_limit = edition.keys, edition.ladder.history_limit
    history: defaultdict[str, list[str]] = defaultdict(list)
    kept: list[Argument] = []
    rated = 0
    for logged, effect in folded:
        if effect is None:
            continue
        if isinstance(effect, Adjustment):
            kept += (logged.log_id, pack_adjustment(effect))
            continue
        rated += 1
        for change in effect:
            history[change.player].append(logged.log_id)
        kept += (logged.log_id, pack_changes(effect))
    scores: list[Argument] = []
    strengths: list[Argument] = []
    packed: list[Argument] = []
    counts: list[Argument] = []
    entries: list[Argument] = []
    # In the order of the board: those who stand side by side are found with the same data still in the
    # server's caches.
    order = sorted(states, key=lambda player: states[player].rating)
    for player in order:
        state = states[player]
        scores += (repr(state.rating), player)
        if state.sigma:
            strengths += (repr(state.strength), player)
        packed += (player, pack(state))
        latest = history[player][-history_limit:] if history_limit else []
        counts.append(len(latest))
        entries += latest
    return Call(
        (
            *(edition.revision, expected, folded[-1][0].log_id, AWAKE_MS, history_limit),
            *(len(states), len(kept) // 2, rated),
            *(len(folded), round(seconds * 1e6), size_field(len(folded)), time_field(seconds)),
            len(strengths) // 2,
            *scores,
            *strengths,
            *packed,
            *counts,
            *entries,
            *kept,
        ),
        lambda reply: {b"done": True, b"superseded": False, b"held": None}[reply[0]],
        script("commit"),
        (
            *(keys.ladder, keys.log, keys.cursor, keys.ratings, keys.strengths, keys.states, keys.changes),
            *(keys.awake, keys.counters, keys.to_review, keys.standstill),
            *map(keys.history, order),
        ),
    )


def rest(keys: LadderKeys) -> Call[bool]:
    """Puts the ladder to sleep; False, and it stays awake, if there is more to fold."""
    return Call(
        (),
        lambda reply: bool(reply == 1),
        script("rest"),
        (keys.cursor, keys.log, keys.awake, keys.counters),
    )


def rouse(keys: LadderKeys) -> Call[bool]:
    """Whether the log has outrun the cursor while nobody was awake. If so, the ladder counts as awake now
    and the caller must call a folding job."""
    return Call(
        (AWAKE_MS,), lambda reply: bool(reply == 1), script("rouse"), (keys.cursor, keys.log, keys.awake)
    )


def stay_awake(keys: LadderKeys) -> Call[Any]:
    """Says that somebody is at work on the ladder."""
    return Call(("SET", keys.awake, "1", "PX", AWAKE_MS), lambda reply: None)


def is_awake(keys: LadderKeys) -> Call[bool]:
    """Whether somebody is at work on the ladder, or called for."""
    return Call(("EXISTS", keys.awake), lambda reply: reply == 1)


def sweep_taken() -> Call[bool]:
    """Whether anybody has taken the turn to look for sleeping ladders within the last second."""
    return Call(("EXISTS", SWEEP), lambda reply: reply == 1)


def take_sweep(milliseconds: int) -> Call[bool]:
    """Takes the turn to look for sleeping ladders; False if somebody has taken it within that time."""
    return Call(("SET", SWEEP, "1", "NX", "PX", milliseconds), lambda reply: reply is not None)
