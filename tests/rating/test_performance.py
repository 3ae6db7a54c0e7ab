"""The card game: each side has its own K, and a score adjusted for how it played."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.rating import Performance
from matchmaker.rating.rule import Outcome, PlayerState

RULE = Performance()
COUNTS = st.integers(0, 1_000_000)
PLAYS = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("bad_moves", "won_by_16", "won_by_24", "won_by_4_and_last"), COUNTS)
)
RATINGS = st.integers(-1_000_000, 1_000_000).map(float)
OUTCOMES: st.SearchStrategy[Outcome] = st.sampled_from(["win", "draw", "loss"])


def _delta(outcome: Outcome, play: dict[str, int]) -> float:
    """What the initiator wins or loses against an equal at K 40, where a full point is worth 40."""
    own, _ = RULE.rate(PlayerState(1000.0), PlayerState(1000.0), outcome, {"initiator": play})
    return own.delta


@pytest.mark.parametrize(
    ("rating", "k"),
    [(0, 40), (1199, 40), (1200, 32), (1799, 32), (1800, 24), (2199, 24), (2200, 16), (9000, 16), (-50, 40)],
)
def test_k_follows_the_band_of_the_own_rating(rating: float, k: float) -> None:
    assert RULE.k(PlayerState(float(rating))) == k


def test_a_player_below_the_first_border_is_provisional() -> None:
    assert RULE.provisional(PlayerState(1199.0))
    assert not RULE.provisional(PlayerState(1200.0))


def test_each_side_moves_with_its_own_k() -> None:
    own, other = RULE.rate(PlayerState(1100.0), PlayerState(2300.0), "win", {})
    assert (own.k, own.delta, other.k, other.delta) == (40.0, 40.0, 16.0, -16.0)


@pytest.mark.parametrize(
    ("play", "bonus"),
    [
        ({"won_by_16": 1}, 0.05),
        ({"won_by_16": 3}, 0.15),
        ({"won_by_16": 4}, 0.15),
        ({"won_by_24": 2}, 0.2),
        ({"won_by_24": 1_000_000}, 0.2),
        ({"won_by_4_and_last": 3}, 0.09),
        ({"won_by_4_and_last": 4}, 0.09),
        ({"won_by_16": 9, "won_by_24": 9, "won_by_4_and_last": 9}, 0.44),
    ],
)
def test_each_bonus_is_capped_and_a_draw_earns_55_percent_of_it(play: dict[str, int], bonus: float) -> None:
    assert _delta("draw", play) == round(40 * 0.55 * bonus)


def test_a_loser_earns_a_tenth_of_the_bonus() -> None:
    assert _delta("loss", {"won_by_16": 3, "won_by_24": 2, "won_by_4_and_last": 3}) == round(
        40 * (0.044 - 0.5)
    )


@pytest.mark.parametrize(
    ("bad_moves", "malus"), [(1, 0.02), (5, 0.1), (15, 0.3), (16, 0.3), (1_000_000, 0.3)]
)
def test_careless_moves_cost_at_most_three_tenths(bad_moves: int, malus: float) -> None:
    assert _delta("win", {"bad_moves": bad_moves}) == round(40 * (0.5 - malus))


def test_a_winner_scores_no_more_than_one_and_a_loser_no_less_than_nothing() -> None:
    assert _delta("win", {"won_by_16": 3}) == 20.0
    assert _delta("loss", {"bad_moves": 15}) == -20.0


def test_a_bonus_makes_up_for_careless_moves() -> None:
    assert _delta("win", {"bad_moves": 5, "won_by_24": 1}) == 20.0


@pytest.mark.parametrize(("rating", "after"), [(1000.5, 1000.0), (1001.5, 1002.0), (-0.5, 0.0)])
def test_a_rating_from_elsewhere_becomes_whole_halves_to_even(rating: float, after: float) -> None:
    assert RULE.settle(rating) == after
    own, other = RULE.rate(PlayerState(rating), PlayerState(rating), "draw", {})
    assert (rating + own.delta, rating + other.delta) == (after, after)


@given(RATINGS, RATINGS, OUTCOMES, PLAYS, PLAYS)
def test_ratings_stay_whole_and_move_by_no_more_than_k(
    one: float, two: float, outcome: Outcome, play: Any, other_play: Any
) -> None:
    details = {"initiator": play, "opponent": other_play}
    for rating, move in zip(
        (one, two), RULE.rate(PlayerState(one), PlayerState(two), outcome, details), strict=True
    ):
        assert math.isfinite(move.delta)
        assert (rating + move.delta).is_integer()
        assert abs(move.delta) <= move.k


@given(RATINGS, RATINGS, OUTCOMES, PLAYS, PLAYS)
def test_swapping_the_sides_swaps_the_moves(
    one: float, two: float, outcome: Outcome, play: Any, other_play: Any
) -> None:
    reversed_outcome: dict[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}
    own, other = RULE.rate(
        PlayerState(one), PlayerState(two), outcome, {"initiator": play, "opponent": other_play}
    )
    assert (other, own) == RULE.rate(
        PlayerState(two),
        PlayerState(one),
        reversed_outcome[outcome],
        {"initiator": other_play, "opponent": play},
    )
