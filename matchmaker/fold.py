"""The fold: players' states and a stretch of the log in, new states and what changed out.

Pure, and the only place where ratings come from: live rating, replay and tests all use it.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, overload

from matchmaker.moderation import Adjust, Annul, Reinstate, Suspend
from matchmaker.rating.rule import CAUTION, REVERSED, Move, Outcome, PlayerState, Rule
from matchmaker.results import Entry, Join, Reform, Rename, Result


class Change(NamedTuple):
    """What one result did to one player."""

    player: str
    before: float
    move: Move

    @property
    def after(self) -> float:
        return self.before + self.move.delta

    @property
    def strength_before(self) -> float:
        return self.before + CAUTION * self.move.sigma_before

    @property
    def told(self) -> dict[str, Any]:
        """By the names that this has outside. Where there is a sigma, with that and mu before and after."""
        move = self.move
        told = {
            **{"player": self.player, "before": self.before, "after": self.after, "delta": move.delta},
            **{"k": move.k or None, "expected": move.expected},
        }
        if not move.sigma_before:
            return told
        mu = self.strength_before
        return told | {
            "mu": {"before": mu, "after": mu + move.strength},
            "sigma": {"before": move.sigma_before, "after": move.sigma_before + move.sigma},
        }


Changes = tuple[Change, ...]
"""Of all players, side by side: of the initiator and of the opponent, if there are but these."""


class Adjustment(NamedTuple):
    """The rating of a player before and after a moderator's adjustment."""

    before: float
    after: float


Effect = Changes | Adjustment | None
"""What the fold made of an entry: of a result its changes, of an adjustment that; nothing of all others."""


class Rated(NamedTuple):
    """A result and what it changed."""

    result: Result
    changes: Changes


_NONE_BEFORE: Mapping[str, Rated] = MappingProxyType({})


def apply(state: PlayerState, move: Move, outcome: Outcome, length: int) -> PlayerState:
    """The player's state after a result that ended with `outcome` for it."""
    rating = state.rating + move.delta
    return PlayerState._make(
        (
            rating,
            state.games + 1,
            state.wins + (outcome == "win"),
            state.draws + (outcome == "draw"),
            state.losses + (outcome == "loss"),
            state.experience + length,
            max(state.peak, rating),
            state.sigma + move.sigma,
        )
    )


def take_back(
    state: PlayerState, move: Move, outcome: Outcome, length: int, within: Callable[[float], float]
) -> PlayerState:
    """The player's state without such a result. The peak stays: nobody knows it as it would have been.

    The strength goes back by what it moved, and so does the sigma as far as the rule has it: Rule.within.
    """
    sigma = within(state.sigma - move.sigma)
    rating = state.strength - move.strength - CAUTION * sigma
    return PlayerState._make(
        (
            rating,
            state.games - 1,
            state.wins - (outcome == "win"),
            state.draws - (outcome == "draw"),
            state.losses - (outcome == "loss"),
            state.experience - length,
            max(state.peak, rating),
            sigma,
        )
    )


def annulled_results(entries: Iterable[Entry]) -> set[str]:
    """Ids of the results that these entries annul."""
    return {entry.result for entry in entries if isinstance(entry, Annul)}


@overload
def fold(
    states: MutableMapping[str, PlayerState], entries: Iterable[Result], rule: Rule
) -> Sequence[Changes]: ...


@overload
def fold(
    states: MutableMapping[str, PlayerState],
    entries: Iterable[Entry],
    rule: Rule,
    rated: Mapping[str, Rated] = ...,
) -> Sequence[Effect]: ...


def fold(
    states: MutableMapping[str, PlayerState],
    entries: Iterable[Entry],
    rule: Rule,
    rated: Mapping[str, Rated] = _NONE_BEFORE,
) -> Sequence[Effect]:
    """Carries `entries`, in order, into `states`; returns what it made of each.

    A player that stands in `states` already is not touched by its own join: the store has applied it when
    it accepted it. `rated` are those results, by their ids, that stand before these entries and are annulled
    by one of them. Raises KeyError if a result names a player that never joined, or an annulment a result
    that is nowhere.
    """
    entries = list(entries)
    awaited = annulled_results(entries)
    known = dict(rated)
    effects: list[Effect] = []
    for entry in entries:
        if isinstance(entry, Result):
            effects.append(changes := _rate(states, entry, rule))
            if awaited and entry.id in awaited:
                known[entry.id] = Rated(entry, changes)
        else:
            effects.append(_step(states, entry, rule, known))
    return effects


def _step(
    states: MutableMapping[str, PlayerState],
    entry: Join | Rename | Reform | Annul | Adjust | Suspend | Reinstate,
    rule: Rule,
    known: Mapping[str, Rated],
) -> Adjustment | None:
    match entry:
        case Join(player, state):
            states.setdefault(player, state)
            return None
        case Annul(result):
            _annul(states, known[result], rule)
            return None
        case Adjust(player):
            before = states[player]
            states[player] = after = entry.applied(before, rule)
            return Adjustment(before.rating, after.rating)
        case Rename() | Reform() | Suspend() | Reinstate():
            return None


def _rate(states: MutableMapping[str, PlayerState], result: Result, rule: Rule) -> Changes:
    ending, details = result.ending, result.details
    try:
        (one,), (two,) = result.sides
    except ValueError:
        return _rate_sides(states, result, rule)
    assert isinstance(ending, str)
    initiator, opponent = states[one], states[two]
    own, other = rule.rate(initiator, opponent, ending, details)
    length = rule.length(details)
    states[one] = apply(initiator, own, ending, length)
    states[two] = apply(opponent, other, REVERSED[ending], length)
    return (Change(one, initiator.rating, own), Change(two, opponent.rating, other))


def _rate_sides(states: MutableMapping[str, PlayerState], result: Result, rule: Rule) -> Changes:
    before = [[states[player] for player in side] for side in result.sides]
    moves = rule.rate_sides(before, result.ranks, result.details)
    length = rule.length(result.details)
    changes = []
    for side, its_states, its_moves, outcome in zip(
        result.sides, before, moves, result.outcomes, strict=True
    ):
        for player, state, move in zip(side, its_states, its_moves, strict=True):
            states[player] = apply(state, move, outcome, length)
            changes.append(Change(player, state.rating, move))
    return tuple(changes)


def _annul(states: MutableMapping[str, PlayerState], rated: Rated, rule: Rule) -> None:
    result, changes = rated
    length = rule.length(result.details)
    for change in changes:
        outcome = result.outcomes[result.place(change.player)]
        state = states[change.player]
        states[change.player] = take_back(state, change.move, outcome, length, rule.within)
