"""What a rule accepts as the `details` of a result, and how it names what it does not."""

from typing import Any

import pytest
from pydantic import ValidationError

from matchmaker.details import check
from matchmaker.errors import InvalidInputError
from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import Outcome
from matchmaker.results import Result

NOT_A_COUNT: list[Any] = [True, False, 1.5, "1", None, -1, [], {}, float("nan"), float("inf"), 10**30]


def _refused_field(error: ValidationError) -> str:
    """Dotted path of the one field that was refused."""
    (problem,) = error.errors()
    return ".".join(str(part) for part in problem["loc"] if part != "one")


@pytest.mark.parametrize("value", [*NOT_A_COUNT, 0, 65])
def test_a_length_that_is_no_number_from_1_to_64_is_refused(value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        MatchLength().check_details({"length": value})
    assert _refused_field(refused.value) == "length"


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert repr(MatchLength().check_details({"length": 3.0})) == "{'length': 3}"
    assert Performance().check_details({"initiator": {"bad_moves": 2.0, "won_by_16": 0.0}}) == (
        {"initiator": {"bad_moves": 2}}
    )


@pytest.mark.parametrize("length", [1, 64])
def test_the_shortest_and_the_longest_match_are_accepted(length: int) -> None:
    assert MatchLength().check_details({"length": length}) == {"length": length}


def test_a_match_without_a_length_is_refused() -> None:
    with pytest.raises(ValidationError) as refused:
        MatchLength().check_details({})
    assert _refused_field(refused.value) == "length"


def test_a_match_that_nobody_left_has_the_details_that_it_always_had() -> None:
    details = MatchLength().check_details({"length": 3, "abandoned": None, "points": None})
    assert (
        Result.duel("m", "ann", "bob", "win", details).encode() == '["m","ann","bob","win",{"length":3},null]'
    )
    assert MatchLength().typical_details(3) == details


def test_what_was_ruled_of_an_abandoned_match_is_kept() -> None:
    details = {
        "length": 3,
        "abandoned": "initiator",
        "points": 2,
        "gammon_probability": 0.25,
        "position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    }
    assert MatchLength().check_details(details) == details


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("abandoned", "ann"),
        ("points", 0),
        ("points", 3),
        ("points", True),
        ("gammon_probability", 1.5),
        ("gammon_probability", "0.5"),
        ("position", "4HPwATDgc/ABMA"),
        ("position", "XGID=" + "-" * 100),
    ],
)
def test_a_ruling_that_cannot_be_is_refused(field: str, value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        MatchLength().check_details({"length": 3, "abandoned": "opponent", field: value})
    assert _refused_field(refused.value) == field


@pytest.mark.parametrize("ruling", [{"points": 1}, {"gammon_probability": 0.0}, {"position": "XGID=-"}])
def test_a_ruling_is_refused_of_a_match_that_nobody_left(ruling: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="abandoned"):
        MatchLength().check_details({"length": 3} | ruling)


@pytest.mark.parametrize(("leaver", "outcome"), [("initiator", "win"), ("opponent", "loss")])
def test_whoever_left_a_match_cannot_have_won_it(leaver: str, outcome: Outcome) -> None:
    with pytest.raises(InvalidInputError) as refused:
        check(MatchLength(), Result.duel("m", "ann", "bob", outcome, {"length": 3, "abandoned": leaver}))
    assert [error.field for error in refused.value.errors] == ["details.abandoned"]


@pytest.mark.parametrize("count", ["bad_moves", "won_by_16", "won_by_24", "won_by_4_and_last"])
@pytest.mark.parametrize("value", [*NOT_A_COUNT, 1_000_001])
def test_a_count_of_the_card_game_that_is_no_whole_number_is_refused(count: str, value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        Performance().check_details({"opponent": {count: value}})
    assert _refused_field(refused.value) == f"opponent.{count}"


@pytest.mark.parametrize(
    ("rule", "details", "field"),
    [
        (InitiatorK(), {"length": 3}, "length"),
        (MatchLength(), {"length": 3, "stake": 2}, "stake"),
        (Performance(), {"umpire": {}}, "umpire"),
        (Performance(), {"initiator": {"won_by_8": 1}}, "initiator.won_by_8"),
    ],
)
def test_unknown_details_are_refused_by_name(rule: Any, details: Any, field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        rule.check_details(details)
    assert _refused_field(refused.value) == field


@pytest.mark.parametrize("rule", [InitiatorK(), MatchLength(), Performance()])
@pytest.mark.parametrize("details", [None, [], "", 0, True])
def test_details_that_are_no_object_are_refused(rule: Any, details: Any) -> None:
    with pytest.raises(ValidationError):
        rule.check_details(details)


@pytest.mark.parametrize(
    "details",
    [{}, {"initiator": {}}, {"initiator": {"bad_moves": 0}, "opponent": {"won_by_16": 0, "won_by_24": 0}}],
)
def test_reports_that_say_the_same_have_one_normal_form(details: Any) -> None:
    assert Performance().check_details(details) == {}


def test_the_normal_form_keeps_what_differs_from_nothing() -> None:
    details = {"initiator": {"bad_moves": 2, "won_by_16": 0}, "opponent": {"won_by_24": 1}}
    assert Performance().check_details(details) == {
        "initiator": {"bad_moves": 2},
        "opponent": {"won_by_24": 1},
    }


@pytest.mark.parametrize("length", [0, -1, 65])
def test_an_expectation_for_an_impossible_length_is_refused(length: int) -> None:
    with pytest.raises(ValidationError) as refused:
        MatchLength().typical_details(length)
    assert _refused_field(refused.value) == "length"
