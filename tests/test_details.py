"""Results as they come from outside, held against the ladder's rule."""

from typing import Any

import pytest

from matchmaker.details import check
from matchmaker.errors import InvalidInputError
from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import Outcome, Rule
from matchmaker.results import Result
from matchmaker.sides import Sides
from tests.podium import Podium

TWO_ON_TWO: Sides = (("ann", "bob"), ("eve", "joe"))
THREE: Sides = (("ann",), ("bob", "eve"), ("joe",))


def refused(rule: Rule, sides: Sides, ending: Any, details: Any = None, fields: Any = ()) -> tuple[str, str]:
    """The field that is refused, and why."""
    with pytest.raises(InvalidInputError) as refusal:
        check(rule, Result("m", sides, ending, details or {}), fields)
    (error,) = refusal.value.errors
    return error.field, error.message


@pytest.mark.parametrize(
    ("sides", "field", "message"),
    [
        ((("ann", "bob"), ("eve", "ann")), "opponent", "must not name anybody for the second time"),
        ((("ann", "ann"), ("eve",)), "initiator", "must not name anybody for the second time"),
        ((("ann",), ("ann",)), "opponent", "must be another player than the initiator"),
        ((("a", "b", "c", "d", "e"), ("f",)), "initiator", "must have 1 to 4 members"),
        ((("ann",), ()), "opponent", "must have 1 to 4 members"),
    ],
)
def test_sides_that_cannot_be_are_refused_by_their_names(sides: Sides, field: str, message: str) -> None:
    assert refused(InitiatorK(), sides, "win") == (field, message)
    assert refused(InitiatorK(), sides, "win", fields=("home", "away"))[0] in ("home", "away")


def test_a_rule_without_teams_takes_none() -> None:
    field, message = refused(MatchLength(), (("ann",), ("bob", "eve")), "win", {"length": 1})
    assert (field, message) == ("opponent", "must be one player: the rule match_length knows no teams")


@pytest.mark.parametrize("rule", [InitiatorK(), Performance(), MatchLength()])
def test_a_rule_without_free_for_alls_takes_none(rule: Rule) -> None:
    field, message = refused(rule, THREE, (1, 2, 3))
    assert (field, message) == ("sides", f"must be two: the rule {rule.name} knows no free-for-all")


@pytest.mark.parametrize("count", [1, 17])
def test_a_free_for_all_has_2_to_16_sides(count: int) -> None:
    sides = tuple((f"p{number}",) for number in range(count))
    assert refused(Podium(), sides, tuple(range(1, count + 1))) == ("sides", "must be 2 to 16")


@pytest.mark.parametrize("ranks", [(1, 2), (1, 2, 3, 4)])
def test_ranks_are_as_many_as_sides(ranks: tuple[int, ...]) -> None:
    assert refused(Podium(), THREE, ranks) == ("ranks", "must be as many as there are sides")


def test_in_a_free_for_all_the_side_is_told_by_its_number() -> None:
    assert refused(Podium(), (("ann",), ("bob",), ("ann",)), (1, 2, 3))[0] == "sides.2"


@pytest.mark.parametrize(
    ("told", "normal"), [((1, 2, 2), (1, 2, 2)), ((7, 3, 7), (2, 1, 2)), ((2, 2, 3), (1, 1, 3))]
)
def test_ranks_are_those_of_a_board(told: tuple[int, ...], normal: tuple[int, ...]) -> None:
    assert check(Podium(), Result("m", THREE, told, {})).ending == normal


def test_a_list_of_one_is_the_player_alone() -> None:
    duel = check(Performance(), Result.duel("m", "ann", "bob", "win", {"initiator": {"bad_moves": 1}}))
    listed = check(Performance(), Result("m", (("ann",), ("bob",)), "win", {"initiator": [{"bad_moves": 1}]}))
    assert listed.content_digest == duel.content_digest


@pytest.mark.parametrize("outcome", ["win", "draw", "loss"])
def test_teams_may_draw_where_players_may(outcome: Outcome) -> None:
    for rule in (InitiatorK(), Performance()):
        assert check(rule, Result("m", TWO_ON_TWO, outcome, {})).ending == outcome


def test_the_details_of_a_team_are_a_list_in_the_order_of_its_members() -> None:
    details = {"initiator": [{}, {"bad_moves": 2, "won_by_16": 0}], "opponent": [{}, {"won_by_16": 0}]}
    normal = check(Performance(), Result("m", TWO_ON_TWO, "win", details)).details
    assert normal == {"initiator": [{}, {"bad_moves": 2}]}


@pytest.mark.parametrize("plays", [{}, {"bad_moves": 1}, [{}], [{}, {}, {}]])
def test_the_details_of_a_team_are_as_many_as_its_members(plays: Any) -> None:
    field, message = refused(Performance(), TWO_ON_TWO, "win", {"opponent": plays})
    assert (field, message) == ("details.opponent", "must be a list of 2, one for each member")


def test_a_mistake_in_the_details_of_a_member_is_told_by_its_place() -> None:
    field, _ = refused(Performance(), TWO_ON_TWO, "win", {"initiator": [{}, {"bad_moves": -1}]})
    assert field == "details.initiator.1.bad_moves"


def test_the_details_of_one_player_are_one_object() -> None:
    field, message = refused(Performance(), (("ann",), ("bob",)), "win", {"initiator": [{}, {}]})
    assert (field, message) == ("details.initiator", "must be one object")


def test_of_a_duel_in_normal_form_no_second_one_is_made() -> None:
    duel = Result.duel("m", "ann", "bob", "win", {})
    assert check(InitiatorK(), duel) is duel
