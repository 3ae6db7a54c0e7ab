"""How well two orders agree."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
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


def kendall(these: Sequence[float], those: Sequence[float]) -> float | None:
    """Kendall's tau-b: how many more pairs stand in the same order than in the reverse one, as a share of
    those that stand in any; 0 if one says nothing. None without the package scipy."""
    if find_spec("scipy") is None:
        return None
    if len(set(these)) == 1 or len(set(those)) == 1:
        return 0.0
    return float(import_module("scipy.stats").kendalltau(these, those).statistic)
