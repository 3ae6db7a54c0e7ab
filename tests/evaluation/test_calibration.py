"""Buckets: what was promised against what happened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.evaluation import calibration
from matchmaker.evaluation.calibration import by_chance, by_gap, for_better_side, wilson
from matchmaker.evaluation.scores import Prediction
from matchmaker.evaluation.trial import Contender, Report, evaluate
from matchmaker.rating import InitiatorK
from tests.evaluation.simulation import ELO, STILL, true_strengths


@pytest.mark.parametrize(
    ("wins", "count", "low", "high"),
    [
        # R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_bands_are_those_of_the_literature(wins: int, count: int, low: float, high: float) -> None:
    assert wilson(wins / count, count) == pytest.approx((low, high), abs=5e-5)


@given(st.floats(0, 1), st.integers(1, 1_000_000))
def test_a_band_lies_around_what_was_observed_and_within_what_can_be(mean: float, count: int) -> None:
    low, high = wilson(mean, count)
    assert 0.0 <= low <= mean <= high <= 1.0


def test_a_bucket_holds_its_lower_border_and_the_last_one_both() -> None:
    buckets = by_chance()
    for chance in (0.0, 0.1, 0.1, 0.199, 0.9, 1.0):
        buckets.add(chance, chance, 1.0)
    assert [(each.low, each.high, each.results) for each in buckets.filled()] == [
        *((0.0, 0.1, 1), (0.1, 0.2, 3), (0.9, 1.0, 2)),
    ]


def test_the_widest_gaps_share_a_bucket_without_an_end() -> None:
    buckets = by_gap()
    for gap in (799.0, 800.0, 5000.0):
        buckets.add(gap, 0.9, 1.0)
    assert [(each.low, each.high, each.results) for each in buckets.filled()] == [
        *((600.0, 800.0, 1), (800.0, None, 2)),
    ]


def test_draws_count_as_half_in_a_bucket() -> None:
    buckets = by_chance()
    for score in (1.0, 0.5, 0.5, 0.0):
        buckets.add(0.55, 0.55, score)
    (bucket,) = buckets.filled()
    assert bucket.expected == pytest.approx(0.55)
    assert bucket.observed == 0.5


def test_the_better_side_is_seen_from_its_own_seat() -> None:
    assert for_better_side(Prediction(0.75, 1.0, 200.0)) == (200.0, 0.75, 1.0)
    assert for_better_side(Prediction(0.25, 1.0, -200.0)) == (200.0, 0.75, 0.0)


def test_the_error_weighs_buckets_by_their_results() -> None:
    buckets = by_chance()
    for chance, score in ((0.55, 1.0), (0.25, 0.0), (0.25, 1.0), (0.25, 0.0)):
        buckets.add(chance, chance, score)
    assert calibration.error(buckets.filled()) == pytest.approx((0.45 + 3 * (1 / 3 - 0.25)) / 4)


def _judged(rule: InitiatorK) -> Report:
    entries = true_strengths(40, 20_000)
    (report,) = evaluate(entries, [Contender("judged", rule, 1500.0)], ELO).reports
    return report


def test_ratings_that_are_the_truth_keep_their_promises() -> None:
    """Of ten buckets and eleven gaps, each band misses the truth once in twenty cases."""
    report = _judged(STILL)
    assert report.calibration_error < 0.01
    buckets = (*report.by_chance, *report.by_gap)
    assert sum(not bucket.kept for bucket in buckets) <= 3
    assert abs(report.scores.expected - report.scores.observed) < 0.01


def test_ratings_that_promise_too_much_are_found_out() -> None:
    """With half the scale, 200 points promise what 400 do: the better rated win less than they should."""
    report = _judged(STILL.model_copy(update={"scale": 200.0}))
    assert report.calibration_error > 0.05
    broken = [bucket for bucket in report.by_gap if not bucket.kept]
    assert len(broken) >= 6
    assert all(bucket.observed < bucket.expected for bucket in broken)
