"""The arithmetic of a change, laid out for a moderator, is the arithmetic that made it."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.elo import on_grid
from matchmaker.rating.explanation import Explanation, number, signed
from matchmaker.rating.initiator_k import KByCareer
from matchmaker.rating.match_length import Ramp
from matchmaker.rating.rule import RANKS, Move, Outcome, PlayerState, Rule
from tests.rating import vectors

Explained = tuple[tuple[Move, Move], tuple[Explanation, Explanation]]


def _explained(
    rule: Rule, initiator: PlayerState, opponent: PlayerState, outcome: Outcome, details: dict[str, Any]
) -> Explained:
    moves = rule.rate(initiator, opponent, outcome, details)
    ratings = [[initiator.rating], [opponent.rating]]
    (own,), (other,) = rule.explain(ratings, [moves[:1], moves[1:]], RANKS[outcome], details)
    return moves, (own, other)


def _values(explanation: Explanation) -> dict[str, float]:
    return {term.name: term.value for term in explanation.terms}


def _points(laid: dict[str, float]) -> float:
    return laid["k"] * (laid["score"] - laid["expected_score"])


@pytest.mark.parametrize(
    "cases", [vectors.initiator_k, vectors.match_length, vectors.performance], ids=lambda each: each.__name__
)
def test_what_is_laid_out_of_a_reference_case_is_exactly_its_change(
    cases: Callable[[], list[vectors.Case]],
) -> None:
    for case in cases():
        moves, explanations = _explained(case.rule, case.initiator, case.opponent, case.outcome, case.details)
        assert [each.delta for each in explanations] == [move.delta for move in moves], case
        for each in explanations:
            laid = _values(each)
            assert laid["points"] == _points(laid), case


def test_the_initiators_points_are_rounded_to_the_grid_and_the_opponent_pays_them() -> None:
    for case in vectors.initiator_k():
        _, (own, other) = _explained(case.rule, case.initiator, case.opponent, case.outcome, case.details)
        assert own.delta == on_grid(_points(_values(own))) == -other.delta, case


def test_k_of_a_match_is_multiplier_by_stake() -> None:
    for case in vectors.match_length():
        for each in _explained(case.rule, case.initiator, case.opponent, case.outcome, case.details)[1]:
            laid = _values(each)
            assert laid["k"] == pytest.approx(laid["m"] * laid["s"], rel=1e-15), case
            assert each.delta == on_grid(_points(laid)), case


def test_the_score_of_a_card_game_is_base_and_bonus_less_bad_moves_within_its_bounds() -> None:
    for case in vectors.performance():
        _, explanations = _explained(case.rule, case.initiator, case.opponent, case.outcome, case.details)
        for each, state in zip(explanations, (case.initiator, case.opponent), strict=True):
            laid = _values(each)
            bonuses = laid["won_by_16"] + laid["won_by_24"] + laid["won_by_4_and_last"]
            assert laid["bonus"] == bonuses * laid["multiplier"], case
            assert laid["score"] == min(max(laid["base"] + laid["bonus"] - laid["bad_moves"], 0.0), 1.0), case
            assert state.rating + each.delta == round(state.rating + _points(laid)), case


RATINGS = st.floats(-10_000, 10_000).map(on_grid)
STATES = st.builds(
    PlayerState, rating=RATINGS, games=st.integers(0, 60), experience=st.integers(0, 900), peak=RATINGS
)
COEFFICIENTS = st.floats(0.001, 1_000.0)
K_BY_CAREER = st.builds(KByCareer, provisional=COEFFICIENTS, established=COEFFICIENTS, master=COEFFICIENTS)
RAMPS = st.builds(
    Ramp, until=st.integers(0, 500), start=st.floats(500.0, 900.0), step=st.floats(1.0, 1_000.0)
)
RESULTS: st.SearchStrategy[tuple[Rule, Outcome, dict[str, Any]]] = st.one_of(
    st.tuples(
        st.builds(InitiatorK, k=K_BY_CAREER, scale=COEFFICIENTS, initiator_advantage=RATINGS),
        st.sampled_from(["win", "draw", "loss"]),
        st.just({}),
    ),
    st.tuples(
        st.builds(MatchLength, stake=COEFFICIENTS, scale=COEFFICIENTS, ramp=RAMPS),
        st.sampled_from(["win", "loss"]),
        st.fixed_dictionaries({"length": st.integers(1, 64)}),
    ),
    st.tuples(
        st.builds(Performance, top_k=COEFFICIENTS, scale=COEFFICIENTS),
        st.sampled_from(["win", "draw", "loss"]),
        st.fixed_dictionaries(
            {}, optional={"initiator": st.fixed_dictionaries({"bad_moves": st.integers(1, 20)})}
        ),
    ),
)


@given(RESULTS, STATES, STATES)
def test_under_any_coefficients_the_last_term_is_the_change(
    result: tuple[Rule, Outcome, dict[str, Any]], initiator: PlayerState, opponent: PlayerState
) -> None:
    rule, outcome, details = result
    moves, explanations = _explained(rule, initiator, opponent, outcome, details)
    assert [each.delta for each in explanations] == [move.delta for move in moves]
    assert all(line.count("\n") == 0 for each in explanations for line in each.lines)


def test_the_advantage_of_the_initiator_is_told_beside_its_rating() -> None:
    rule = InitiatorK(initiator_advantage=55.5)
    _, (own, _) = _explained(rule, PlayerState(1500.0), PlayerState(1600.0), "win", {})
    assert own.lines[0].endswith(": the initiator's, 1500+55.5 against 1600")


NEWCOMER = PlayerState(1500.0, games=3, experience=120)
ESTABLISHED = PlayerState(1600.0, games=40, experience=500)
MASTER = PlayerState(2300.0, games=90, peak=2410.0)


@pytest.mark.parametrize(
    ("rule", "player", "details", "reason"),
    [
        (InitiatorK(), NEWCOMER, {}, "k = 40: the initiator's: fewer than 30 games"),
        (InitiatorK(), ESTABLISHED, {}, "k = 20: the initiator's: 30 games or more, never yet at 2400"),
        (InitiatorK(), MASTER, {}, "k = 10: the initiator's: 30 games or more, once at 2400 or above"),
        (MatchLength(), NEWCOMER, {"length": 1}, "m = 3.8: (500 - 120, the experience) / 100"),
        (
            MatchLength(),
            ESTABLISHED,
            {"length": 1},
            "m = 1: past the ramp, which ends at an experience of 400",
        ),
        (MatchLength(), NEWCOMER, {"length": 9}, "s = 12: 4 x the square root of 9, the length"),
        (Performance(), NEWCOMER, {}, "k = 32: rated below 1800"),
        (Performance(), MASTER, {}, "k = 16: rated 2200 or more"),
        (Performance(bands=()), MASTER, {}, "k = 16: everybody's"),
        (
            Performance(),
            NEWCOMER,
            {"initiator": {"bad_moves": 4}},
            "bad_moves = 0.08: 4 x 0.02, no more than 0.3",
        ),
    ],
)
def test_each_number_says_how_it_comes_about(
    rule: Rule, player: PlayerState, details: dict[str, Any], reason: str
) -> None:
    _, (own, _) = _explained(rule, player, ESTABLISHED, "win", details)
    assert reason in own.lines


def test_where_two_careers_have_the_same_k_both_are_named() -> None:
    rule = InitiatorK(k=KByCareer(provisional=20.0))
    _, (own, _) = _explained(rule, NEWCOMER, ESTABLISHED, "win", {})
    assert "k = 20: the initiator's: fewer than 30 games; or 30 games or more, never yet at 2400" in own.lines


def test_both_sides_of_a_battle_read_what_it_did() -> None:
    _, (own, other) = _explained(InitiatorK(), PlayerState(1500.0, games=30), ESTABLISHED, "win", {})
    assert own.lines == (
        "expected_score = 0.35994: the initiator's, 1500 against 1600",
        "k = 20: the initiator's: 30 games or more, never yet at 2400",
        "score = 1: a win for the initiator",
        "points = 12.8013: 20 x (1 - 0.35994)",
        "change = 12.8013: the points, to the nearest 1/65536",
    )
    assert other.lines == (
        *own.lines[:-1],
        "change = -12.8013: what the initiator's +12.8013 cost the opponent",
    )


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (-1e-9, "0"), (100.0, "100"), (-0.5, "-0.5"), (1 / 3, "0.33333")]
)
def test_numbers_are_written_without_what_says_nothing(value: float, text: str) -> None:
    assert number(value) == text


def test_a_gain_is_written_with_its_sign() -> None:
    assert (signed(0.0), signed(2.5), signed(-2.5)) == ("+0", "+2.5", "-2.5")
