"""The fold: players' states and a stretch of the log in, new states and what changed out.

Pure, and the only place where ratings come from: live rating, replay and tests all use it.
"""

from collections.abc import Iterable, MutableMapping
from typing import NamedTuple

from matchmaker.rating.rule import REVERSED, Move, Outcome, PlayerState, Rule
from matchmaker.results import Entry, Join, Reform, Rename, Result


class Change(NamedTuple):
    """What one result did to one player."""

    player: str
    before: float
    move: Move

    @property
    def after(self) -> float:
        return self.before + self.move.delta


Changes = tuple[Change, Change]
"""Of the initiator and of the opponent."""


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
        )
    )


def fold(
    states: MutableMapping[str, PlayerState], entries: Iterable[Entry], rule: Rule
) -> list[Changes | None]:
    """Carries `entries`, in order, into `states`; returns for each result what it changed, for others None.

    A player that stands in `states` already is not touched by its own join: the store has applied it when
    it accepted it. Raises KeyError if a result names a player that never joined.
    """
    return [_step(states, entry, rule) for entry in entries]


def _step(states: MutableMapping[str, PlayerState], entry: Entry, rule: Rule) -> Changes | None:
    match entry:
        case Result():
            initiator, opponent = states[entry.initiator], states[entry.opponent]
            own, other = rule.rate(initiator, opponent, entry.outcome, entry.details)
            length = rule.length(entry.details)
            states[entry.initiator] = apply(initiator, own, entry.outcome, length)
            states[entry.opponent] = apply(opponent, other, REVERSED[entry.outcome], length)
            return (
                Change(entry.initiator, initiator.rating, own),
                Change(entry.opponent, opponent.rating, other),
            )
        case Join(player, state):
            states.setdefault(player, state)
            return None
        case Rename() | Reform():
            return None
