"""How well two orders agree."""

from collections.abc import Sequence
from itertools import groupby
from statistics import StatisticsError, correlation


def rank_correlation(these: Sequence[float], those: Sequence[float]) -> float:
    """Spearman's rank correlation: 1 for the same order, -1 for the reverse; 0 if one says nothing.

    Equal values share the mean of their ranks.
    """
    try:
        return correlation(_ranks(these), _ranks(those))
    except StatisticsError:
        return 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    ranks = [0.0] * len(values)
    order = sorted(range(len(values)), key=values.__getitem__)
    passed = 0
    for _, group in groupby(order, key=values.__getitem__):
        tied = list(group)
        for index in tied:
            ranks[index] = passed + (len(tied) - 1) / 2
        passed += len(tied)
    return ranks
