"""How ratings spread out."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.evaluation.distribution import Course, describe, milestone

RATINGS = st.lists(st.floats(-1_000_000, 1_000_000), min_size=2, max_size=50)


def test_ratings_are_described_by_what_everybody_knows() -> None:
    found = describe([1400.0, 1500.0, 1500.0, 1700.0, 1600.0], created=50.0)
    assert (found.players, found.mean, found.lowest, found.highest) == (5, 1540.0, 1400.0, 1700.0)
    assert found.quartiles == (1500.0, 1500.0, 1600.0)
    assert found.deviation == pytest.approx(102.0, abs=0.05)  # the square root of 10,400
    assert found.inflation == 10.0


@given(RATINGS)
def test_each_player_stands_in_one_bin_and_the_bins_have_no_gaps(ratings: list[float]) -> None:
    bins = describe(ratings, 0.0).bins
    assert 1 <= len(bins) <= 40
    assert sum(each.players for each in bins) == len(ratings)
    for one, next_ in pairwise(bins):
        assert one.high == next_.low
    assert bins[0].low <= min(ratings)
    assert max(ratings) < bins[-1].high


def test_bins_have_round_widths() -> None:
    found = describe([1012.0, 1988.0], 0.0).bins
    assert (found[0].low, found[0].high, found[-1].high) == (1000.0, 1050.0, 2000.0)


def _course(results: int, ratings: Sequence[float] = (1400.0, 1600.0)) -> list[int]:
    course = Course()
    for count in range(1, results + 1):
        if course.due(count):
            course.add(count, ratings)
    return [each.results for each in course.until(milestone(results, ratings))]


@pytest.mark.parametrize("results", [1, 249, 250, 15_999, 16_000, 16_001, 100_000])
def test_milestones_are_few_evenly_spaced_and_end_where_the_results_do(results: int) -> None:
    found = _course(results)
    assert found[-1] == results
    assert len(found) <= 65
    assert len({two - one for one, two in pairwise([0, *found[:-1]])}) <= 1


def test_a_milestone_tells_the_mean_of_the_ten_best() -> None:
    found = milestone(9, [float(rating) for rating in range(1000, 1020)])
    assert (found.results, found.players, found.mean, found.best) == (9, 20, 1009.5, 1014.5)
