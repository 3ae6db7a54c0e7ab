"""Is what was promised what happened? Predictions in buckets, each with what came of them."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matchmaker.evaluation.scores import BAND_DEVIATIONS, Prediction

CHANCES: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Where the buckets of expected scores meet."""

GAPS: Final = (50.0, 100.0, 150.0, 200.0, 250.0, 300.0, 400.0, 500.0, 600.0, 800.0)
"""Where the buckets of rating differences meet."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """Results whose measure lay from `low` up to `high` (None: without an end).

    `expected` is the mean of what was predicted, `observed` of what happened, a draw as half; by chance alone
    the latter would lie in `band_low` to `band_high` around the true mean in 95 of 100 cases.
    """

    low: float
    high: float | None
    results: int
    expected: float
    observed: float
    band_low: float
    band_high: float

    @property
    def kept(self) -> bool:
        """Whether what was predicted lies within the band."""
        return self.band_low <= self.expected <= self.band_high


def wilson(mean: float, count: int) -> tuple[float, float]:
    """The band of 95 % around an observed mean of wins: E. B. Wilson's score interval (1927), formula 6.

    A draw varies less than a win and a loss, so where there are many the band is wider than it need be.

    >>> low, high = wilson(0.5, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    z2 = BAND_DEVIATIONS**2 / count
    centre = (mean + z2 / 2) / (1 + z2)
    width = math.sqrt(z2 * (mean * (1 - mean) + z2 / 4)) / (1 + z2)
    # At 0 and at 1 rounding may put the mean outside.
    return min(max(centre - width, 0.0), mean), max(min(centre + width, 1.0), mean)


class Buckets:
    """Takes predictions by a measure of theirs; the lowest bucket begins at 0."""

    def __init__(self, borders: Sequence[float], end: float | None) -> None:
        self._borders, self._end = borders, end
        self._counts = [0] * (len(borders) + 1)
        self._expected = [0.0] * len(self._counts)
        self._observed = [0.0] * len(self._counts)

    def add(self, measure: float, expected: float, score: float) -> None:
        place = bisect_right(self._borders, measure)
        self._counts[place] += 1
        self._expected[place] += expected
        self._observed[place] += score

    def filled(self) -> tuple[Bucket, ...]:
        """Those that hold anything."""
        lows = (0.0, *self._borders)
        highs = (*self._borders, self._end)
        return tuple(
            Bucket(low, high, count, expected / count, observed / count, *wilson(observed / count, count))
            for low, high, count, expected, observed in zip(
                lows, highs, self._counts, self._expected, self._observed, strict=True
            )
            if count
        )


def by_chance() -> Buckets:
    """Buckets of the initiator's expected score."""
    return Buckets(CHANCES, 1.0)


def by_gap() -> Buckets:
    """Buckets of points by which the better rated side was ahead."""
    return Buckets(GAPS, None)


def for_better_side(prediction: Prediction) -> tuple[float, float, float]:
    """Points ahead, expected score and score of the better rated side; of the initiator at equal ratings."""
    expected, score, gap = prediction
    return (gap, expected, score) if gap >= 0 else (-gap, 1.0 - expected, 1.0 - score)


def error(buckets: Sequence[Bucket]) -> float:
    """How far off predictions are in the mean: |expected - observed| of the buckets, weighted by results."""
    results = sum(bucket.results for bucket in buckets)
    return sum(bucket.results * abs(bucket.expected - bucket.observed) for bucket in buckets) / results
