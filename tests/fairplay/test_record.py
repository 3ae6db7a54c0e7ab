"""From what the log and the fold say to what the indicators look at."""

import pytest

from matchmaker.fairplay import Encounter, Form
from matchmaker.fold import fold
from matchmaker.rating import InitiatorK, MatchLength, OpenSkill
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result


def _seen_by(player: str) -> Encounter:
    rule = MatchLength()
    states = {
        "ann": PlayerState(1600.0, games=50, experience=500),
        "bob": PlayerState(1500.0, experience=500),
    }
    result = Result.duel("r", "ann", "bob", "win", {"length": 5, "abandoned": True})
    (changes,) = fold(states, [result], rule)
    assert changes is not None
    return Encounter.seen_by(player, result, changes, rule, games=50, opponent_games=3)


def test_both_sides_see_the_same_result_each_in_its_own_way() -> None:
    ann, bob = _seen_by("ann"), _seen_by("bob")
    assert (ann.opponent, ann.initiated, ann.outcome, ann.score) == ("bob", True, "win", 1.0)
    assert (bob.opponent, bob.initiated, bob.outcome, bob.score) == ("ann", False, "loss", 0.0)
    assert (ann.opponent_rating, bob.opponent_rating) == (1500.0, 1600.0)
    assert ann.expected == pytest.approx(1 - bob.expected)
    assert ann.delta == -bob.delta > 0
    assert ann.length == bob.length == 5


def test_who_loses_an_abandoned_game_has_left_it() -> None:
    assert not _seen_by("ann").left
    assert _seen_by("bob").left


def test_under_a_rule_without_length_a_match_has_none() -> None:
    result = Result.duel("r", "ann", "bob", "draw", {})
    (changes,) = fold({"ann": PlayerState(1500.0), "bob": PlayerState(1500.0)}, [result], InitiatorK())
    assert changes is not None
    assert Encounter.seen_by("ann", result, changes, InitiatorK(), games=0).length == 0


def test_where_there_is_a_sigma_strengths_are_compared() -> None:
    rule = OpenSkill()
    states = {"ann": rule.newcomer(1500.0), "bob": PlayerState(1400.0, sigma=40.0)}
    result = Result.duel("r", "ann", "bob", "draw", {})
    (changes,) = fold(states, [result], rule)
    assert changes is not None
    encounter = Encounter.seen_by("ann", result, changes, rule, games=0)
    assert encounter.opponent_rating == 1520.0
    assert encounter.delta == states["ann"].strength - 1500.0 > 0


def test_a_form_is_the_mean_and_spread_of_the_last_twenty_ratings() -> None:
    assert Form.of([0.0, *[1490.0, 1510.0] * 10]) == Form(1500.0, 10.0)


def test_a_few_results_make_no_form() -> None:
    assert Form.of([1500.0] * 9) is None
    assert Form.of([1500.0] * 10) == Form(1500.0, 0.0)


def test_the_excess_over_a_form_is_counted_in_its_spread() -> None:
    assert Form(1500.0, 10.0).excess(1525.0) == 2.5


def test_over_a_form_that_never_moved_there_is_no_excess() -> None:
    assert Form(1500.0, 0.0).excess(1600.0) == 0.0
