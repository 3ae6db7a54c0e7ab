"""How ratings spread out, and how they came there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import count
from statistics import fmean, pstdev, quantiles
from typing import Any, Final

BEST: Final = 10
"""Players at the top whose mean is told."""

_MOST_BINS: Final = 40
_MOST_MILESTONES: Final = 64
_FIRST_STRIDE: Final = 250


@dataclass(frozen=True, slots=True)
class Bin:
    """So many players are rated from `low` up to `high`."""

    low: float
    high: float
    players: int


@dataclass(frozen=True, slots=True)
class Distribution:
    """Ratings of all who have played. `inflation` is what the rule has added, in points per player."""

    players: int
    mean: float
    deviation: float
    lowest: float
    quartiles: tuple[float, float, float]
    highest: float
    inflation: float
    bins: tuple[Bin, ...]


def titled(title: str, rules: Iterable[Mapping[str, Any]]) -> str:
    """The title of ratings under these rules. Where a rule has a sigma, they are not those of the board."""
    return (
        f"{title} (with a sigma: mu; boards show mu - 3 sigma)"
        if any("sigma" in each for each in rules)
        else title
    )


def describe(ratings: Sequence[float], created: float) -> Distribution:
    """Of at least two players; `created` are the points that were there in no start rating."""
    lower, median, upper = quantiles(ratings, method="inclusive")
    return Distribution(
        players=len(ratings),
        mean=fmean(ratings),
        deviation=pstdev(ratings),
        lowest=min(ratings),
        quartiles=(lower, median, upper),
        highest=max(ratings),
        inflation=created / len(ratings),
        bins=_bins(ratings),
    )


def _bins(ratings: Sequence[float]) -> tuple[Bin, ...]:
    """Of a round width, without gaps, so that there are no more than 40."""
    low, high = min(ratings), max(ratings)
    widths = (factor * 10.0**power for power in count(0) for factor in (1, 2, 5))
    width = next(each for each in widths if high // each - low // each < _MOST_BINS)
    first = int(low // width)
    players = [0] * (int(high // width) - first + 1)
    for rating in ratings:
        players[int(rating // width) - first] += 1
    return tuple(
        Bin(place * width, (place + 1) * width, number) for place, number in enumerate(players, first)
    )


@dataclass(frozen=True, slots=True)
class Milestone:
    """Ratings of all who had played by the time of so many results; `best` is the mean of the ten highest."""

    results: int
    players: int
    mean: float
    deviation: float
    best: float


class Course:
    """Milestones at equal distances, few enough however many results there are."""

    def __init__(self) -> None:
        self._stride = _FIRST_STRIDE
        self._milestones: list[Milestone] = []

    def due(self, results: int) -> bool:
        """Whether there is to be a milestone at so many results."""
        return results % self._stride == 0

    def add(self, results: int, ratings: Sequence[float]) -> None:
        self._milestones.append(milestone(results, ratings))
        if len(self._milestones) == _MOST_MILESTONES:
            self._stride *= 2
            self._milestones = [each for each in self._milestones if each.results % self._stride == 0]

    def until(self, last: Milestone) -> tuple[Milestone, ...]:
        """All, ended by `last`."""
        return (*(each for each in self._milestones if each.results < last.results), last)


def milestone(results: int, ratings: Sequence[float]) -> Milestone:
    """The one at so many results."""
    return Milestone(results, len(ratings), fmean(ratings), pstdev(ratings), fmean(nlargest(BEST, ratings)))
