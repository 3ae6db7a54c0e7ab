"""Scores of predictions, against values that are computed by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.errors import InvalidInputError
from matchmaker.evaluation.scores import Duel, Scoring, brier, log_loss

CHANCES = st.floats(0.001, 0.999)


@pytest.mark.parametrize(
    ("expected", "score", "loss"),
    [
        (0.5, 1.0, math.log(2)),
        (0.5, 0.5, math.log(2)),
        (0.8, 1.0, -math.log(0.8)),
        (0.8, 0.0, -math.log(0.2)),
        (0.8, 0.5, -(math.log(0.8) + math.log(0.2)) / 2),
        (1.0, 1.0, 0.0),
        (1.0, 0.0, 12 * math.log(10)),
    ],
)
def test_the_log_loss_is_the_surprise_at_what_happened(expected: float, score: float, loss: float) -> None:
    assert log_loss(expected, score) == pytest.approx(loss, rel=1e-4, abs=1e-11)


@given(CHANCES, CHANCES)
def test_who_says_the_true_chance_expects_the_least_loss(truth: float, said: float) -> None:
    """Both scores are proper: there is nothing to gain by saying something else."""
    for measure in (log_loss, brier):
        honest, other = (truth * measure(p, 1.0) + (1 - truth) * measure(p, 0.0) for p in (truth, said))
        assert honest <= other + 1e-12


def _total(*predictions: tuple[float, float]) -> Scoring:
    scoring = Scoring()
    for expected, score in predictions:
        scoring.add(expected, score, log_loss(expected, score))
    return scoring


def test_scores_are_means_over_all_predictions() -> None:
    scores = _total((0.8, 1.0), (0.6, 0.0), (0.3, 0.5), (0.5, 1.0)).total()
    assert scores.results == 4
    assert scores.draws == 0.25
    assert scores.brier == pytest.approx((0.04 + 0.36 + 0.04 + 0.25) / 4)
    losses = (math.log(0.8), math.log(0.4), (math.log(0.3) + math.log(0.7)) / 2, math.log(0.5))
    assert scores.log_loss == pytest.approx(-sum(losses) / 4)
    assert scores.expected == pytest.approx(0.55)
    assert scores.observed == 0.625


def test_a_favourite_must_win_to_count_and_draws_are_left_out() -> None:
    """0.8 was right, 0.6 wrong, at 0.5 nobody was the favourite, and 0.2 rightly foretold a loss."""
    scores = _total((0.8, 1.0), (0.6, 0.0), (0.5, 1.0), (0.2, 0.0), (0.9, 0.5)).total()
    assert scores.accuracy == 2.5 / 4


def test_where_all_were_draws_there_is_no_accuracy() -> None:
    assert _total((0.8, 0.5)).total().accuracy is None


def test_without_predictions_there_are_no_scores() -> None:
    with pytest.raises(InvalidInputError, match="no result"):
        Scoring().total()


def test_a_margin_is_the_mean_difference_with_a_band() -> None:
    duel = Duel()
    for own, other in ((1.0, 2.0), (3.0, 1.0), (2.0, 2.0), (1.0, 2.0)):
        duel.add(own, other)
    margin = duel.margin()
    assert margin.mean == 0.0
    width = 1.959964 * math.sqrt((1 + 4 + 0 + 1) / 4 / 4)
    assert margin.low == pytest.approx(-width)
    assert margin.high == pytest.approx(width)


def test_who_is_always_better_by_the_same_is_so_without_a_doubt() -> None:
    duel = Duel()
    for other in (0.5, 0.75, 4.0):
        duel.add(other - 0.25, other)
    margin = duel.margin()
    assert (margin.mean, margin.low, margin.high) == (-0.25, -0.25, -0.25)
