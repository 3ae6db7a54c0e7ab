"""NFT ranked battles: zero-sum, the initiator's K moves both sides."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.rating import InitiatorK
from matchmaker.rating.elo import on_grid
from matchmaker.rating.rule import Outcome, PlayerState

RULE = InitiatorK()
RATINGS = st.floats(-1_000_000, 1_000_000).map(on_grid)
STATES = st.builds(PlayerState, RATINGS, games=st.integers(0, 100), peak=RATINGS)
OUTCOMES: st.SearchStrategy[Outcome] = st.sampled_from(["win", "draw", "loss"])


@pytest.mark.parametrize(
    ("outcome", "initiator", "opponent"),
    [("win", 1512.8, 1587.2), ("draw", 1502.8, 1597.2), ("loss", 1492.8, 1607.2)],
)
def test_the_worked_example_of_1500_against_1600(outcome: Outcome, initiator: float, opponent: float) -> None:
    own, other = RULE.rate(PlayerState(1500.0, games=30), PlayerState(1600.0), outcome, {})
    assert (round(1500 + own.delta, 1), round(1600 + other.delta, 1)) == (initiator, opponent)


@pytest.mark.parametrize(
    ("player", "k"),
    [
        (PlayerState(1500.0, games=29), 40.0),
        (PlayerState(1500.0, games=30), 20.0),
        (PlayerState(2500.0, games=29), 40.0),
        (PlayerState(2399.0, games=30, peak=2399.99), 20.0),
        (PlayerState(2400.0, games=30), 10.0),
        (PlayerState(2300.0, games=30, peak=2400.0), 10.0),
    ],
)
def test_k_falls_after_thirty_games_and_for_ever_at_2400(player: PlayerState, k: float) -> None:
    assert RULE.k(player) == k


def test_a_player_is_provisional_until_thirty_games_are_rated() -> None:
    assert RULE.provisional(PlayerState(1500.0, games=29))
    assert not RULE.provisional(PlayerState(1500.0, games=30))


@given(STATES, STATES, OUTCOMES)
def test_what_one_side_gains_the_other_loses_to_the_last_bit(
    initiator: PlayerState, opponent: PlayerState, outcome: Outcome
) -> None:
    own, other = RULE.rate(initiator, opponent, outcome, {})
    assert own.delta + other.delta == 0.0
    after = (initiator.rating + own.delta) + (opponent.rating + other.delta)
    assert after == initiator.rating + opponent.rating


@given(STATES, STATES, OUTCOMES)
def test_both_sides_move_by_the_initiators_k(
    initiator: PlayerState, opponent: PlayerState, outcome: Outcome
) -> None:
    own, other = RULE.rate(initiator, opponent, outcome, {})
    assert own.k == other.k == RULE.k(initiator)
    assert math.isclose(own.expected + other.expected, 1.0)


@given(RATINGS, st.integers(0, 100), st.integers(0, 100))
def test_a_draw_at_equal_ratings_changes_nothing(rating: float, games: int, other_games: int) -> None:
    own, other = RULE.rate(PlayerState(rating, games), PlayerState(rating, other_games), "draw", {})
    assert (repr(own.delta), repr(other.delta)) == ("0.0", "0.0")


@pytest.mark.parametrize("outcome", ["win", "draw", "loss"])
def test_ratings_two_million_points_apart_neither_overflow_nor_move_beyond_k(outcome: Outcome) -> None:
    low, high = PlayerState(-1_000_000.0), PlayerState(1_000_000.0)
    for initiator, opponent in ((low, high), (high, low)):
        own, _ = RULE.rate(initiator, opponent, outcome, {})
        assert math.isfinite(own.delta)
        assert abs(own.delta) <= own.k
        assert own.expected in (0.0, 1.0)


@given(STATES, STATES, OUTCOMES, RATINGS)
def test_an_advantage_counts_as_points_of_the_initiator_in_what_is_expected(
    initiator: PlayerState, opponent: PlayerState, outcome: Outcome, advantage: float
) -> None:
    own, other = InitiatorK(initiator_advantage=advantage).rate(initiator, opponent, outcome, {})
    raised = initiator._replace(rating=initiator.rating + advantage)
    assert (own, other) == RULE.rate(raised, opponent, outcome, {})
    assert own.delta + other.delta == 0.0
