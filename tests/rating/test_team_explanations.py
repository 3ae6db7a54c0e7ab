"""The arithmetic of team matches, laid out for a moderator."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import RANKS, Outcome, PlayerState, Rule
from tests.entries import OUTCOMES, RATINGS

TEAMS = st.lists(
    st.builds(lambda rating, games: PlayerState(rating, games=games), RATINGS, st.integers(0, 60)),
    min_size=1,
    max_size=4,
)


def lines(rule: Rule, sides: list[list[PlayerState]], outcome: Outcome, details: Any) -> list[list[str]]:
    """What everybody is told."""
    moves = rule.rate_sides(sides, RANKS[outcome], details)
    ratings = [[state.rating for state in side] for side in sides]
    explained = rule.explain(ratings, moves, RANKS[outcome], details)
    return [list(each.lines) for side in explained for each in side]


@given(TEAMS, TEAMS, OUTCOMES, st.sampled_from([InitiatorK(), InitiatorK(initiator_advantage=30.0)]))
def test_what_is_laid_out_of_a_team_match_is_exactly_its_changes(
    own: list[PlayerState], other: list[PlayerState], outcome: Outcome, rule: Rule
) -> None:
    moves = rule.rate_sides((own, other), RANKS[outcome], {})
    ratings = [[state.rating for state in side] for side in (own, other)]
    explained = rule.explain(ratings, moves, RANKS[outcome], {})
    assert [[each.delta for each in side] for side in explained] == [
        [move.delta for move in side] for side in moves
    ]


@given(TEAMS, TEAMS, OUTCOMES)
def test_what_is_laid_out_of_a_card_game_of_teams_is_exactly_its_changes(
    own: list[PlayerState], other: list[PlayerState], outcome: Outcome
) -> None:
    rule = Performance()
    moves = rule.rate_sides((own, other), RANKS[outcome], {})
    ratings = [[state.rating for state in side] for side in (own, other)]
    explained = rule.explain(ratings, moves, RANKS[outcome], {})
    assert [[each.delta for each in side] for side in explained] == [
        [move.delta for move in side] for side in moves
    ]


def test_everybody_is_told_the_means_and_what_became_of_its_own_k() -> None:
    team = [PlayerState(1500.0), PlayerState(1700.0, games=30)]
    ann, bob, eve = lines(InitiatorK(), [team, [PlayerState(1600.0)]], "win", {})
    assert ann[:2] == [
        "initiators_rating = 1600: the mean of 1500, 1700",
        "opponents_rating = 1600: a single player's",
    ]
    assert ann[2:] == [
        "expected_score = 0.5: the initiators', 1600 against 1600",
        "k = 40: the initiator's: fewer than 30 games",
        "score = 1: a win for the initiators",
        "points = 20: 40 x (1 - 0.5)",
        "change = 20: the points, to the nearest 1/65536",
    ]
    assert bob[3] == "k = 20: the initiator's: 30 games or more, never yet at 2400"
    assert eve[-2:] == [
        "points = 30: 60 x (1 - 0.5)",
        "change = -30: what the initiators' +30 cost the opponents",
    ]


def test_opponents_are_told_how_many_share_the_cost() -> None:
    ann, *others = lines(InitiatorK(), [[PlayerState(1500.0)], [PlayerState(1500.0)] * 2], "win", {})
    assert ann[-1] == "change = 20: the points, to the nearest 2/65536, which 2 can pay in equal parts"
    assert others[0] == others[1]
    assert others[0][3] == "k = 20: the initiator's 40, shared by 2"
    assert others[0][-1] == "change = -10: what the initiator's +20 cost the opponents, shared by 2"


def test_in_a_card_game_each_member_sees_its_own_play() -> None:
    sides = [[PlayerState(1100.0), PlayerState(1500.0)], [PlayerState(1300.0)]]
    ann, bob, eve = lines(Performance(), sides, "loss", {"initiator": [{}, {"bad_moves": 2}]})
    assert ann[0] == bob[0] == "side_rating = 1300: the mean of 1100, 1500"
    assert ann[1] == bob[1] == "other_side_rating = 1300: a single player's"
    assert ann[2] == "expected_score = 0.5: 1300 against 1300"
    assert "bad_moves = 0: 0 x 0.02, no more than 0.3" in ann
    assert "bad_moves = 0.04: 2 x 0.02, no more than 0.3" in bob
    assert eve[1] == "other_side_rating = 1300: the mean of 1100, 1500"


def test_a_duel_is_told_as_it_always_was() -> None:
    sides = [[PlayerState(1500.0)], [PlayerState(1600.0)]]
    for rule, details in ((InitiatorK(), {}), (Performance(), {}), (MatchLength(), {"length": 1})):
        told = lines(rule, sides, "win", details)
        assert not any("mean" in line or "initiators" in line for each in told for line in each)


@pytest.mark.parametrize("size", [2, 3])
def test_a_rule_without_teams_explains_none(size: int) -> None:
    with pytest.raises(ValueError, match="unpack"):
        MatchLength().explain([[1500.0] * size, [1500.0]], [[], []], (1, 2), {"length": 1})
