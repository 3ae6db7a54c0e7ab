"""What a row means."""

from typing import Any

import pytest

from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import Rule
from matchmaker.results import Result
from matchmaker.transfer.columns import Columns, ReadResult, read_results
from matchmaker.transfer.rows import BadRow, Row
from tests.podium import Podium

PLAIN, DUEL = Columns(), InitiatorK()
FIGHT = {"initiator": "ann", "opponent": "bob", "outcome": "win"}


def meaning(cells: dict[str, Any], columns: Columns = PLAIN, rule: Rule = DUEL) -> Result | str:
    """The result, or why there is none."""
    (read,) = read_results([Row(7, 9, cells)], columns, rule, "digest")
    return read.result if isinstance(read, ReadResult) else read.reason


def result(cells: dict[str, Any], columns: Columns = PLAIN, rule: Rule = DUEL) -> Result:
    read = meaning(cells, columns, rule)
    assert isinstance(read, Result), read
    return read


def test_without_an_id_the_file_and_the_row_make_one() -> None:
    assert result(FIGHT) == Result.duel("digest-7", "ann", "bob", "win", {})


def test_columns_may_have_any_name() -> None:
    columns = Columns("home", "away", outcome="res", id="key", played_at="day")
    cells = {"home": "ann", "away": "bob", "res": "loss", "key": "a-1", "day": "1969-12-31"}
    assert result(cells, columns) == Result.duel("a-1", "ann", "bob", "loss", {}, -86_400_000)


def test_a_bad_row_stays_a_bad_row() -> None:
    bad = BadRow(1, 2, "has 1 cells, the header 2")
    assert list(read_results([bad], Columns(), InitiatorK(), "digest")) == [bad]


@pytest.mark.parametrize(
    ("own", "other", "outcome"),
    [
        ("3", "1", "win"),
        ("0", "0", "draw"),
        ("1", "10", "loss"),
        ("2.50", "2.5", "draw"),
        (" -1 ", "-2", "win"),
        (3, 3.5, "loss"),
        ("9007199254740993", "9007199254740992", "win"),
    ],
)
def test_more_points_win(own: Any, other: Any, outcome: str) -> None:
    columns = Columns(score=("own", "other"))
    cells = {"initiator": "ann", "opponent": "bob", "own": own, "other": other}
    assert result(cells, columns).outcome == outcome


@pytest.mark.parametrize("points", ["", "NA", "nan", "inf", "1,5", None, True, [1]])
def test_a_score_must_be_a_number(points: Any) -> None:
    columns = Columns(score=("own", "other"))
    cells = {"initiator": "ann", "opponent": "bob", "own": points, "other": "1"}
    assert str(meaning(cells, columns)).startswith("own: must be a number, not ")


@pytest.mark.parametrize("word", ["", "W", "won", None, 1, True])
def test_an_outcome_must_be_one_of_three(word: Any) -> None:
    assert str(meaning(FIGHT | {"outcome": word})).startswith("outcome: must be win, draw or loss, not ")


def test_an_outcome_may_be_written_in_capitals() -> None:
    assert result(FIGHT | {"outcome": " DRAW "}).outcome == "draw"


def test_ids_are_normalised_and_stripped() -> None:
    assert result(FIGHT | {"initiator": " Curac\u0327ao\t"}).sides[0] == ("Cura\u00e7ao",)


def test_json_may_write_ids_as_whole_numbers() -> None:
    assert result(FIGHT | {"initiator": 17}).sides[0] == ("17",)


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("", "should have at least 1 character"),
        ("   ", "should have at least 1 character"),
        ("x" * 129, "should have at most 128 characters"),
        ("a/b", "must not contain '/'"),
        ("a\x00b", "must consist of printable characters"),
        ("a\u202eb", "must consist of printable characters"),
        ("Cura\udce7ao", "is not UTF-8"),
        (None, "must be text"),
        (True, "must be text"),
        (1.5, "must be text"),
        ({"ann": 1}, "must be text"),
        ([["ann"]], "must be text"),
    ],
)
def test_what_may_not_be_an_id_is_refused(player: Any, reason: str) -> None:
    told = meaning(FIGHT | {"opponent": player})
    assert isinstance(told, str)
    assert told.startswith("opponent: ")
    assert reason in told


def test_nobody_fights_itself() -> None:
    assert meaning(FIGHT | {"opponent": " ann"}) == "opponent: must be another player than the initiator"


def test_an_ndjson_row_without_a_column_says_what_it_has() -> None:
    assert (
        meaning({"initiator": "ann", "won": True}) == "there is no 'opponent'; there are: 'initiator', 'won'"
    )


def test_time_and_details_are_read_without_being_asked_for() -> None:
    cells = FIGHT | {"played_at": "1970-01-01", "details": '{"initiator": {"bad_moves": 2}}'}
    read = result(cells, rule=Performance())
    assert read.played_at == 0
    assert read.details == {"initiator": {"bad_moves": 2}}


@pytest.mark.parametrize("empty", ["", "  ", None])
def test_empty_times_and_details_say_nothing(empty: Any) -> None:
    assert result(FIGHT | {"played_at": empty, "details": empty}) == result(FIGHT)


def test_details_may_be_a_json_object() -> None:
    assert result(FIGHT | {"extra": {"length": 3}}, Columns(details="extra"), MatchLength()).details == {
        "length": 3
    }


def test_a_length_goes_into_the_details() -> None:
    assert result(FIGHT | {"points": "5"}, Columns(length="points"), MatchLength()).details == {"length": 5}


@pytest.mark.parametrize(
    ("cells", "columns", "reason"),
    [
        ({}, Columns(), "details.length: is missing"),
        ({"n": "65"}, Columns(length="n"), "details.length: must be less than or equal to 64"),
        ({"n": "3.0"}, Columns(length="n"), "n: must be a whole number, not '3.0'"),
        ({"n": "٣"}, Columns(length="n"), "n: must be a whole number, not '٣'"),
        ({"n": True}, Columns(length="n"), "n: must be a whole number, not True"),
        ({"details": "{"}, Columns(), "details: is not JSON"),
        ({"details": "[3]"}, Columns(), "details: must be a JSON object"),
        (
            {"outcome": "draw", "n": "3"},
            Columns(length="n"),
            "outcome: must not be draw: the rule match_length knows none",
        ),
    ],
)
def test_details_must_fit_the_rule(cells: dict[str, Any], columns: Columns, reason: str) -> None:
    assert meaning(FIGHT | cells, columns, MatchLength()) == reason


@pytest.mark.parametrize("cell", [["ann", "eve"], '["ann", "eve"]', ' ["ann","eve"] '])
def test_a_list_of_players_is_a_team(cell: Any) -> None:
    assert result(FIGHT | {"initiator": cell}).sides == (("ann", "eve"), ("bob",))


@pytest.mark.parametrize("player", ["[clan] ann", "[ann", "[]x", '["ann"'])
def test_a_player_whose_id_has_brackets_is_no_team(player: str) -> None:
    assert result(FIGHT | {"initiator": player}).sides == ((player,), ("bob",))


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"initiator": []}, "initiator: must have 1 to 4 members"),
        ({"initiator": "[]"}, "initiator: must have 1 to 4 members"),
        ({"opponent": ["a", "b", "c", "d", "e"]}, "opponent: must have 1 to 4 members"),
        ({"opponent": ["eve", "ann"]}, "opponent: must not name anybody for the second time"),
        ({"opponent": ["eve", 1.5]}, "opponent: must be text"),
    ],
)
def test_what_can_be_no_side_is_refused(cells: dict[str, Any], reason: str) -> None:
    assert meaning(FIGHT | cells) == reason


def test_a_side_that_cannot_be_is_told_by_its_column() -> None:
    cells = {"home": ["ann", "ann"], "away": "bob", "outcome": "win"}
    assert meaning(cells, Columns("home", "away")) == "home: must not name anybody for the second time"


def test_a_rule_without_teams_refuses_them() -> None:
    told = meaning(FIGHT | {"opponent": ["bob", "eve"], "n": 3}, Columns(length="n"), MatchLength())
    assert told == "opponent: must be one player: the rule match_length knows no teams"


THREE = {"sides": ["ann", ["bob", "eve"], "joe"], "ranks": [3, 1, 3]}


def test_sides_and_ranks_are_a_free_for_all() -> None:
    for cells in (THREE, {"sides": '["ann",["bob","eve"],"joe"]', "ranks": "[3,1,3]", "initiator": ""}):
        found = result(cells, rule=Podium())
        assert (found.sides, found.ending) == ((("ann",), ("bob", "eve"), ("joe",)), (2, 1, 2))


def test_two_sides_with_ranks_are_an_ordinary_result() -> None:
    assert result({"sides": ["ann", "bob"], "ranks": [2, 1]}) == result(FIGHT | {"outcome": "loss"})


def test_a_column_of_that_name_means_nothing_to_rules_without_free_for_alls() -> None:
    assert result(FIGHT | {"sides": "of the coin"}) == result(FIGHT)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"ranks": [1, 2]}, "ranks: must be as many as there are sides"),
        ({"ranks": "first"}, "ranks: must be a list"),
        ({"ranks": ["1", "x", "2"]}, "ranks: must be a whole number, not 'x'"),
        ({"sides": 3}, "sides: must be a list"),
        ({"sides": ["ann", "bob", ["ann"]]}, "sides: must not name anybody for the second time"),
    ],
)
def test_what_can_be_no_free_for_all_is_refused(cells: dict[str, Any], reason: str) -> None:
    assert meaning(THREE | cells, rule=Podium()) == reason


def test_a_rule_without_free_for_alls_refuses_them() -> None:
    assert meaning(THREE) == "sides: must be two: the rule initiator_k knows no free-for-all"
