"""The logistic curve and the grid."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.rating.elo import GRID, expected_score, on_grid

points = st.floats(-2_000_000, 2_000_000)


@pytest.mark.parametrize(("ahead", "percent"), [(200, 76), (100, 64), (0, 50), (-100, 36), (-200, 24)])
def test_the_expected_score_follows_the_distance(ahead: float, percent: int) -> None:
    assert round(100 * expected_score(-ahead)) == percent


@given(points)
def test_the_expected_scores_of_both_sides_add_up_to_one(difference: float) -> None:
    assert math.isclose(expected_score(difference) + expected_score(-difference), 1.0)


@given(points, points, st.floats(1e-6, 1_000_000))
def test_a_stronger_opponent_never_raises_the_expected_score(one: float, two: float, scale: float) -> None:
    weaker, stronger = sorted((one, two))
    assert 0.0 <= expected_score(stronger, scale) <= expected_score(weaker, scale) <= 1.0


@given(st.floats(-(2.0**35), 2.0**35))
def test_the_grid_moves_points_by_no_more_than_half_a_step(value: float) -> None:
    snapped = on_grid(value)
    assert (snapped * GRID).is_integer()
    assert abs(snapped - value) <= 0.5 / GRID


def test_points_between_two_steps_go_to_the_even_one() -> None:
    assert [on_grid(halves / 2 / GRID) * GRID for halves in (1, 3, 5, -1, -3)] == [0, 2, 2, 0, -2]


@given(points)
def test_points_on_the_grid_stay_where_they_are(value: float) -> None:
    assert on_grid(on_grid(value)) == on_grid(value)


def test_nothing_on_the_grid_is_a_negative_zero() -> None:
    assert math.copysign(1.0, on_grid(-0.0)) == math.copysign(1.0, on_grid(-1e-9)) == 1.0
