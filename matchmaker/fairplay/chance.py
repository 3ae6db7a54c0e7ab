"""How far chance may go: tests that keep honest players with few results out of trouble.

Each answers in the unit of what it tests, so that a moderator can compare a share with a share.
"""

import math
from collections.abc import Sequence
from typing import Final

_LEAST_VARIANCE: Final = 0.9 * 0.1


def tolerated(limit: float, trials: int, certainty: float) -> float:
    """The largest share of `trials` that need not mean more than `limit`; above 1 if there are too few.

    It is the share whose Wilson interval, at `certainty` standard deviations, begins at `limit`:
    E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927).

    >>> round(tolerated(0.5, 42, 2.33), 2)
    0.68
    """
    return limit + certainty * math.sqrt(limit * (1 - limit) / trials)


def surprise(scores: Sequence[float], expected: Sequence[float]) -> float:
    """By how many standard deviations the sum of `scores` lies above that of the `expected` ones.

    No rating is so sure that a single upset should surprise: each score varies as if its chance were nine in
    ten at most. Draws vary less, which can only take surprise away.

    >>> round(surprise([1, 1, 1, 1], [0.5, 0.5, 0.5, 0.5]), 1)
    2.0
    """
    variance = math.fsum(max(chance * (1 - chance), _LEAST_VARIANCE) for chance in expected)
    return (math.fsum(scores) - math.fsum(expected)) / math.sqrt(variance)


def superiority(these: Sequence[float], those: Sequence[float]) -> float:
    """How often one of `these` exceeds one of `those`, ties counting half: 0.5 if they are alike.

    >>> superiority([3, 4], [1, 3])
    0.875
    """
    wins = sum((one > other) + (one == other) / 2 for one in these for other in those)
    return wins / (len(these) * len(those))


def superiority_by_chance(these: int, those: int, certainty: float) -> float:
    """How far from 0.5 the superiority of so many over so many comes by chance: H. B. Mann and D. R. Whitney,
    On a Test of Whether One of Two Random Variables is Stochastically Larger than the Other (1947)."""
    return certainty * math.sqrt((these + those + 1) / (12 * these * those))
