"""How a simulated battle ends, by the hidden strengths of its sides and the kind of game."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from matchmaker.rating.elo import expected_score
from matchmaker.rating.rule import Outcome

_DRAWS: Final = 0.1  # share among equals
_LENGTHS: Final = (1, 3, 5, 7, 11)
_MATCH_SCALE: Final = 2000.0


@dataclass(frozen=True, slots=True)
class Ending:
    """Outcome for the challenger, and the details that go with it."""

    outcome: Outcome
    details: dict[str, Any]


def fight(rule: str, advantage: float, random: Random) -> Ending:
    """A battle under the named rule, in which the challenger is `advantage` points stronger."""
    return _GAMES[rule](advantage, random)


def _duel(advantage: float, random: Random) -> Ending:
    return Ending(_outcome(advantage, random), {})


def _cards(advantage: float, random: Random) -> Ending:
    outcome = _outcome(advantage, random)
    own, other = expected_score(-advantage), expected_score(advantage)
    return Ending(outcome, {"initiator": _play(own, random), "opponent": _play(other, random)})


def _match(advantage: float, random: Random) -> Ending:
    length = random.choice(_LENGTHS)
    won = random.random() < expected_score(-advantage * math.sqrt(length), _MATCH_SCALE)
    return Ending("win" if won else "loss", {"length": length})


_GAMES: Final[dict[str, Callable[[float, Random], Ending]]] = {
    "initiator_k": _duel,
    "performance": _cards,
    "match_length": _match,
    "openskill": _duel,
}


def _outcome(advantage: float, random: Random) -> Outcome:
    """Wins and draws such that the mean score is the expected one."""
    expected = expected_score(-advantage)
    drawn = _DRAWS * 4 * expected * (1 - expected)
    chance = random.random()
    if chance < drawn:
        return "draw"
    return "win" if chance < drawn / 2 + expected else "loss"


def _play(skill: float, random: Random) -> dict[str, int]:
    """A better player makes fewer bad moves and wins more deals well."""

    def count(most: int, likelihood: float) -> int:
        return sum(random.random() < likelihood for _ in range(most))

    return {
        "bad_moves": count(5, 0.4 * (1 - skill)),
        "won_by_16": count(3, 0.4 * skill),
        "won_by_24": count(2, 0.2 * skill),
        "won_by_4_and_last": count(2, 0.3 * skill),
    }
