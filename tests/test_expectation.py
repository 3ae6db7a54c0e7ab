"""What a battle would do before it is fought."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from matchmaker.expectation import expect
from matchmaker.fold import fold
from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import PlayerState, Rule
from matchmaker.results import Result

RULES: list[tuple[Rule, dict[str, Any]]] = [
    (InitiatorK(), {}),
    (Performance(), {}),
    (MatchLength(), {"length": 1}),
]


@pytest.mark.parametrize(("rule", "details"), RULES)
@given(st.integers(0, 3_000), st.integers(0, 3_000))
def test_what_was_expected_is_what_happens(rule: Rule, details: dict[str, Any], one: int, two: int) -> None:
    initiator, opponent = PlayerState(float(one)), PlayerState(float(two))
    for outcome, moves in expect(rule, initiator, opponent).outcomes.items():
        states = {"ann": initiator, "bob": opponent}
        (changes,) = fold(states, [Result.duel("1", "ann", "bob", outcome, details)], rule)
        assert changes is not None
        assert moves == (changes[0].move, changes[1].move)


def test_a_rule_without_draws_expects_none() -> None:
    expectation = expect(MatchLength(), PlayerState(1500.0), PlayerState(1500.0))
    assert set(expectation.outcomes) == {"win", "loss"}


def test_the_expected_score_is_the_initiators() -> None:
    assert round(expect(InitiatorK(), PlayerState(1700.0), PlayerState(1500.0)).expected_score, 2) == 0.76


def test_a_longer_match_favours_the_stronger_side_more() -> None:
    stronger, weaker = PlayerState(1700.0), PlayerState(1500.0)
    scores = [expect(MatchLength(), stronger, weaker, length).expected_score for length in (1, 3, 9, 64)]
    assert scores == sorted(set(scores))


@pytest.mark.parametrize("length", [0, 65, -3])
def test_an_expectation_for_a_match_of_impossible_length_is_refused(length: int) -> None:
    with pytest.raises(ValidationError):
        expect(MatchLength(), PlayerState(1500.0), PlayerState(1500.0), length)


def test_a_length_means_nothing_where_matches_have_none() -> None:
    one, two = PlayerState(1500.0), PlayerState(1600.0)
    assert expect(InitiatorK(), one, two, 5) == expect(InitiatorK(), one, two)
