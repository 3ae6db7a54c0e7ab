"""Match play in backgammon: longer matches count for more, newcomers move faster."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.rating import MatchLength
from matchmaker.rating.elo import on_grid
from matchmaker.rating.rule import Outcome, PlayerState

RULE = MatchLength()
RATINGS = st.floats(-1_000_000, 1_000_000).map(on_grid)
STATES = st.builds(PlayerState, RATINGS, experience=st.integers(0, 1_000))
DECISIONS: st.SearchStrategy[Outcome] = st.sampled_from(["win", "loss"])


def test_the_worked_example_of_an_underdog_in_a_match_to_three() -> None:
    underdog, favourite = PlayerState(1100.0, experience=400), PlayerState(1500.0, experience=400)
    won, _ = RULE.rate(underdog, favourite, "win", {"length": 3})
    lost, _ = RULE.rate(underdog, favourite, "loss", {"length": 3})
    assert (round(won.delta, 2), round(lost.delta, 2)) == (4.78, -2.15)


@pytest.mark.parametrize(
    ("experience", "k"), [(0, 20.0), (100, 16.0), (399, 4.04), (400, 4.0), (10_000, 4.0)]
)
def test_the_ramp_slows_newcomers_down_until_they_have_played_400_points(experience: int, k: float) -> None:
    player = PlayerState(1500.0, experience=experience)
    assert RULE.k(player) == pytest.approx(k)
    assert RULE.provisional(player) is (experience < 400)


def test_each_side_moves_with_its_own_ramp() -> None:
    newcomer, veteran = PlayerState(1500.0), PlayerState(1500.0, experience=400)
    own, other = RULE.rate(newcomer, veteran, "win", {"length": 1})
    assert (own.delta, other.delta) == (10.0, -2.0)


def test_a_match_four_times_as_long_counts_twice() -> None:
    one, two = PlayerState(1500.0, experience=400), PlayerState(1500.0, experience=400)
    short, _ = RULE.rate(one, two, "win", {"length": 4})
    long, _ = RULE.rate(one, two, "win", {"length": 16})
    assert long.delta == 2 * short.delta == 8.0


def test_a_result_adds_its_length_to_the_experience() -> None:
    assert RULE.length({"length": 7}) == 7


@given(STATES, STATES, DECISIONS, st.integers(1, 64))
def test_the_winner_never_loses_points_and_nothing_overflows(
    one: PlayerState, two: PlayerState, outcome: Outcome, length: int
) -> None:
    own, other = RULE.rate(one, two, outcome, {"length": length})
    winner, loser = (own, other) if outcome == "win" else (other, own)
    assert math.isfinite(winner.delta)
    assert 0.0 <= winner.delta <= on_grid(winner.k)
    assert math.isfinite(loser.delta)
    assert -on_grid(loser.k) <= loser.delta <= 0.0


def test_there_are_no_draws() -> None:
    assert not RULE.draws
