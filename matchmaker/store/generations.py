"""Generations of what the fold makes of a log: one is live, one may be in the making, one is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from pydantic import TypeAdapter

from matchmaker import eras
from matchmaker.eras import OPEN_END, Eras
from matchmaker.errors import ConflictError, MatchmakerError
from matchmaker.fold import Adjustment, Effect
from matchmaker.moderation import Reinstate, Suspend
from matchmaker.rating import AnyRule
from matchmaker.rating.rule import Coefficients, PlayerState
from matchmaker.results import Join, Reform
from matchmaker.store.call import Argument, Call, script
from matchmaker.store.changes import pack_changes
from matchmaker.store.folds import Logged
from matchmaker.store.keys import AWAKE_MS, LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.moderation import pack_adjustment
from matchmaker.store.states import pack

LEASE_MS: Final = 10_000
"""For how long whoever rebuilds a ladder need not be heard of; then others may."""

MOMENT_MS: Final = 2_000
"""For how long at most nothing is committed to the live generation while another one is to replace it."""


class Kept(Coefficients):
    """The generation that was live before the entry `upto`: its number, and how it came out of the log.

    Behind that entry ratings were given by `raised` points more than it would have given. That stays so, or a
    part of the log that has been folded into it by now would mean something else than the rest.
    """

    number: int
    rule: AnyRule
    initial_rating: float
    eras: Eras = ()
    upto: str
    raised: float


_KEPT: TypeAdapter[Kept] = TypeAdapter(Kept)


def kept(keys: LadderKeys) -> Call[Kept | None]:
    """What is kept of the time before the last swap; None if nothing is."""
    return Call(
        ("HGET", keys.ladder, "previous"), lambda reply: _KEPT.validate_json(reply) if reply else None
    )


def lost(keys: LadderKeys) -> ConflictError:
    """The reason why whoever was not heard of for too long must not go on."""
    return ConflictError(
        "ladder_rebuilding", f"Somebody else has begun to rebuild ladder {keys.ladder_id!r}."
    )


def begin(edition: Edition, word: str) -> Call[None]:
    """Takes the turn to rebuild the ladder; `word` is the caller's own. Raises ConflictError
    `ladder_rebuilding` while somebody else has it."""
    keys = edition.keys

    def decode(reply: list[bytes]) -> None:
        if reply == [b"busy"]:
            raise ConflictError(
                "ladder_rebuilding",
                f"Ladder {keys.ladder_id!r} is being rebuilt right now (if that was killed, others may after "
                f"{LEASE_MS // 1000} s).",
            )

    return Call(
        (edition.revision, word, LEASE_MS),
        decode,
        script("rebuild_begin"),
        (keys.ladder, keys.rebuilding, keys.standstill, *LadderKeys(keys.ladder_id, "rebuilt").derived),
    )


def hold(keys: LadderKeys, word: str) -> Call[None]:
    """Holds commits to the live generation up for a moment. Raises ConflictError as `commit`."""

    def decode(reply: list[bytes]) -> None:
        if reply == [b"lost"]:
            raise lost(keys)

    return Call(
        (word, LEASE_MS, MOMENT_MS), decode, script("rebuild_hold"), (keys.rebuilding, keys.standstill)
    )


def commit(
    keys: LadderKeys,
    word: str,
    *,
    expected: str,
    folded: Sequence[tuple[Logged, Effect]],
    states: Mapping[str, PlayerState],
) -> Call[bool]:
    """Moves the cursor of a generation that is not live from `expected` behind the folded entries, and all
    with it. False, and nothing has happened, if the store has lost what was read.

    Raises ConflictError `ladder_rebuilding` if it is somebody else's turn by now.
    """
    scores: list[Argument] = []
    strengths: list[Argument] = []
    packed: list[Argument] = []
    for player in sorted(states, key=lambda player: states[player].rating):
        state = states[player]
        scores += (repr(state.rating), player)
        if state.sigma:
            strengths += (repr(state.strength), player)
        packed += (player, pack(state))
    changes: list[Argument] = []
    for logged, effect in folded:
        if isinstance(effect, Adjustment):
            changes += (logged.log_id, pack_adjustment(effect))
        elif effect is not None:
            changes += (logged.log_id, pack_changes(effect))
    placed = moved([logged for logged, _ in folded])
    live = LadderKeys(keys.ladder_id)

    def decode(reply: list[bytes]) -> bool:
        if reply == [b"lost"]:
            raise lost(keys)
        return reply == [b"done"]

    return Call(
        (
            *(word, LEASE_MS, expected, folded[-1][0].log_id),
            *(len(states), len(strengths) // 2, len(placed), len(changes) // 2),
            *scores,
            *strengths,
            *packed,
            *placed,
            *changes,
        ),
        decode,
        script("rebuild_commit"),
        (keys.rebuilding, keys.log, live.cursor, live.ratings, *keys.derived),
    )


def moved(logged: Sequence[Logged]) -> list[str]:
    """The players whom these entries put on the board or take off it; once each."""
    return list(
        dict.fromkeys(
            each.entry.player for each in logged if isinstance(each.entry, Join | Suspend | Reinstate)
        )
    )


class Tail(NamedTuple):
    """What has happened behind the cursor up to the entry `seen`, without what was `carried` out already, up
    to that entry ("": nothing): who joined, with the state that is due under the settings that are to come,
    and whose place on the board may have changed."""

    seen: str
    carried: str
    joined: Mapping[str, PlayerState]
    placed: Sequence[str]


@dataclass(frozen=True, slots=True)
class Swapped:
    """The generation of that number is live since the entry `log_id`. `call` says whether a folding job must
    be called."""

    generation: int
    log_id: str
    call: bool


def swap(
    edition: Edition, coming: Edition, word: str, tail: Tail, number: int | None, going: Kept
) -> Call[Swapped | Literal["behind", "again", "gone"]]:
    """Puts the generation of `coming` in the place of the live one, which is kept as `going`.

    Without a `number` it is given a new one. Where an era of either ends with OPEN_END, it ends with this.
    "behind" means that the live generation has gone further, "gone" that the store has lost some of what was
    looked at; nothing has happened then. "again" means that there is more in the log to be looked at than the
    tail, which the one that comes has by now. Raises
    ConflictError, StaleLadderError.
    """
    keys, ladder = edition.keys, coming.ladder

    def decode(reply: list[Any]) -> Swapped | Literal["behind", "again", "gone"]:
        match reply:
            case [b"done", given, log_id, called]:
                return Swapped(int(given), log_id.decode(), called == 1)
            case [b"behind"]:
                return "behind"
            case [b"again"]:
                return "again"
            case [b"gone"]:
                return "gone"
            case [b"lost"]:
                raise lost(keys)
        raise MatchmakerError(
            "the rebuilt ladder has not the same players as the live one; nothing is changed"
        )

    changes_rule = coming.ladder.rule.name != edition.ladder.rule.name
    joins = [word for player, state in tail.joined.items() for word in (player, pack(state))]
    return Call(
        (
            *(edition.revision, word, coming.keys.place, tail.seen),
            int(changes_rule and not eras.rates_all(ladder.rule)),
            *(AWAKE_MS, "" if number is None else number),
            *(ladder.model_dump_json(), Reform(ladder.model_dump(mode="json")).encode()),
            *(eras.encode(coming.eras), going.model_dump_json(), OPEN_END, tail.carried, len(tail.joined)),
            *joins,
            *tail.placed,
        ),
        decode,
        script("rebuild_swap"),
        (
            *(keys.ladder, keys.rebuilding, keys.standstill, keys.log, keys.awake),
            *keys.derived,
            *LadderKeys(keys.ladder_id, "rebuilt").derived,
            *LadderKeys(keys.ladder_id, "previous").derived,
        ),
    )


def give_up(keys: LadderKeys, word: str) -> Call[None]:
    """Clears away what the caller has rebuilt so far, if it is still the caller's turn."""
    return Call(
        (word,),
        lambda reply: None,
        script("rebuild_end"),
        (keys.rebuilding, keys.standstill, *LadderKeys(keys.ladder_id, "rebuilt").derived),
    )


def clear(keys: LadderKeys) -> Call[bool]:
    """Frees what a rebuild has left whose turn has passed; whether it has left anything."""
    return Call(
        (),
        bool,
        script("rebuild_clear"),
        (keys.rebuilding, *LadderKeys(keys.ladder_id, "rebuilt").derived),
    )


def forget(keys: LadderKeys) -> Call[bool]:
    """Frees what is kept; whether anything was. Raises ConflictError `ladder_rebuilding`."""

    def decode(reply: list[Any]) -> bool:
        if reply == [b"busy"]:
            raise ConflictError("ladder_rebuilding", f"Ladder {keys.ladder_id!r} is being rebuilt right now.")
        return bool(reply[1])

    return Call(
        (),
        decode,
        script("forget"),
        (keys.ladder, keys.rebuilding, *LadderKeys(keys.ladder_id, "previous").derived),
    )


def witness(ladder_id: str, swapped: Swapped) -> Call[bool]:
    """Whether the ladder's log (still) holds the swap."""
    keys = LadderKeys(ladder_id)
    return Call(("XRANGE", keys.log, swapped.log_id, swapped.log_id), bool)
