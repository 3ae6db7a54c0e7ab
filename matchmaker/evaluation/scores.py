"""How good predictions are, in single numbers. A draw counts as half a win throughout."""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

from matchmaker.errors import InvalidInputError

_SUREST: Final = 1e-12
BAND_DEVIATIONS: Final = 1.959964
"""Standard deviations on either side that make a band of 95 %."""


class Prediction(NamedTuple):
    """A result as it was foreseen: the initiator's expected score and its score, and how many points it stood
    above the opponent before."""

    expected: float
    score: float
    gap: float


def log_loss(expected: float, score: float) -> float:
    """-(s ln E + (1 - s) ln(1 - E)): 0 for who was right and sure of it, ln 2 = 0.693 for who says E = 1/2.

    Nobody is taken to be surer than one in 10^12, so that it stays finite.
    """
    chance = min(max(expected, _SUREST), 1.0 - _SUREST)
    return -(score * math.log(chance) + (1.0 - score) * math.log1p(-chance))


def brier(expected: float, score: float) -> float:
    """(s - E)^2: 0 for who was right and sure of it, 0.25 for who says E = 1/2 (of a win or a loss)."""
    return (score - expected) ** 2


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over so many `results`; `log_loss` and `brier` are better the smaller they are.

    `accuracy` is the share of decided results that the favourite won (where nobody was one, half of it
    counts), None where all were draws. `expected` and `observed` are the scores of the initiators.
    """

    results: int
    draws: float
    log_loss: float
    brier: float
    accuracy: float | None
    expected: float
    observed: float


@dataclass(frozen=True, slots=True)
class Margin:
    """By how much the log loss is above another one on the same results, with a band of 95 % around it."""

    mean: float
    low: float
    high: float


class Scoring:
    """Takes predictions one by one."""

    def __init__(self) -> None:
        self._count = self._draws = 0
        self._loss = self._brier = self._hits = self._expected = self._observed = 0.0

    def add(self, expected: float, score: float, loss: float) -> None:
        """Takes one; `loss` is its log loss."""
        self._count += 1
        self._loss += loss
        self._brier += brier(expected, score)
        self._expected += expected
        self._observed += score
        if score == 0.5:
            self._draws += 1
        elif expected == 0.5:
            self._hits += 0.5
        else:
            self._hits += (expected > 0.5) == (score > 0.5)

    def total(self) -> Scores:
        """Raises InvalidInputError if there was none."""
        if not self._count:
            raise InvalidInputError("there is no result to be predicted (behind the burn-in)")
        decided = self._count - self._draws
        return Scores(
            results=self._count,
            draws=self._draws / self._count,
            log_loss=self._loss / self._count,
            brier=self._brier / self._count,
            accuracy=self._hits / decided if decided else None,
            expected=self._expected / self._count,
            observed=self._observed / self._count,
        )


class Duel:
    """Takes the log losses of two on the same results: luck that both had alike does not count."""

    def __init__(self) -> None:
        self._count = 0
        self._sum = self._squares = 0.0

    def add(self, own: float, other: float) -> None:
        self._count += 1
        self._sum += own - other
        self._squares += (own - other) ** 2

    def margin(self) -> Margin:
        """Of at least one result."""
        mean = self._sum / self._count
        variance = max(self._squares / self._count - mean**2, 0.0)
        width = BAND_DEVIATIONS * math.sqrt(variance / self._count)
        return Margin(mean, mean - width, mean + width)
