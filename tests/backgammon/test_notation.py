from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.backgammon.notation import position_id, read, xgid
from matchmaker.backgammon.position import Position
from matchmaker.errors import InvalidInputError
from matchmaker.rating.rule import Seat
from tests.backgammon.positions import OPENING, positions, side

# Each pair is one position, as GNU Backgammon 1.07 reads the one and writes the other.
PAIRS = [
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA"),
    ("XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:0:10", "sGfwATDgc/ABMA"),
    ("XGID=-b---BD-B---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATCwZ/ABMA"),
    ("XGID=aa---BD-B---eE---c-e----AA:0:0:1:00:0:0:0:0:10", "4HPwAVCwZ/ABUA"),
    ("XGID=aa---BD-B---eE---c-e----AA:0:0:-1:00:0:0:0:0:10", "sGfwAVDgc/ABUA"),
    ("XGID=bB---BD-B---dD---c-d-----A:0:0:-1:00:0:0:0:0:10", "w57BA0DgOXgAGA"),
    ("XGID=-BBBCCC---------------ddc-:0:0:1:00:0:0:0:0:10", "9x4AALDt7gAAAA"),
    ("XGID=-BBBCCC---------------ddc-:0:0:-1:00:0:0:0:0:10", "2+4OAAD3HgAAAA"),
]


def _refused(text: str, on_roll: Seat | None = "initiator") -> tuple[str, str]:
    """The field that is refused, and why."""
    with pytest.raises(InvalidInputError) as refused:
        read(text, on_roll)
    (error,) = refused.value.errors
    return error.field, error.message


def test_the_opening_position_is_read() -> None:
    assert read("4HPwATDgc/ABMA", "opponent") == Position(OPENING, OPENING, "opponent")


def test_capitals_are_the_initiators_checkers_and_its_points_are_counted_from_its_own_home() -> None:
    assert read("XGID=bA---B------c--------D---E:0:0:-1:00:0:0:0:0:10", None) == Position(
        side(p1=1, p5=2, p21=4, bar=5), side(p13=3, bar=2), "opponent"
    )


@pytest.mark.parametrize(("as_xgid", "as_id"), PAIRS)
def test_both_notations_of_a_position_are_read_and_written_alike(as_xgid: str, as_id: str) -> None:
    position = read(as_xgid, None)
    assert read(as_id, position.on_roll) == position
    assert (xgid(position), position_id(position)) == (as_xgid, as_id)


@given(positions)
def test_whatever_is_written_as_an_xgid_is_read_back(position: Position) -> None:
    assert read(xgid(position), None) == position


@given(positions)
def test_whatever_is_written_as_a_position_id_is_read_back(position: Position) -> None:
    assert read(position_id(position), position.on_roll) == position


@pytest.mark.parametrize(
    "text",
    [
        "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:2:-1:1:D:3:1:1:5:8",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1",
    ],
)
def test_cube_dice_and_score_of_an_xgid_do_not_matter(text: str) -> None:
    assert read(text, None) == Position(OPENING, OPENING, "initiator")


@pytest.mark.parametrize(
    "text",
    [
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABMAA",
        "4HPwATDgc/AB!A",
        "4HPwATDgc_ABMA",
        "4HPwATDgc/ABM=",
        "4HPwATDgc/ABM\u0391",
        "4HPwATDgc/ABMB",
        "AAAAAAAAAAAAgA",
        "4HPwATDgc/ABMA:cAkAAAAAAAAA",
        "XGID=",
        "XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B--:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10:1",
        "XGID=B-----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----Bb:0:0:1:00:0:0:0:0:10",
        "XGID=-b----5-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "the opening",
    ],
)
def test_what_is_neither_notation_is_refused(text: str) -> None:
    assert _refused(text)[0] == "position"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("XGID=-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "15 checkers"),
        ("XGID=------P-------------------:0:0:1:00:0:0:0:0:10", "15 checkers"),
        ("/////wcAAAAAAA", "15 checkers"),
        ("/////////////w", "15 checkers"),
        ("AQAAAAAAAgAAAA", "one point"),
        ("AAAAAAAAAAAAAA", "no checkers"),
        ("XGID=--------------------------:0:0:1:00:0:0:0:0:10", "no checkers"),
        ("XGID=aBBBBBB------------bbbbbbA:0:0:1:00:0:0:0:0:10", "closed boards"),
    ],
)
def test_positions_that_cannot_be_are_refused_with_the_reason(text: str, reason: str) -> None:
    field, message = _refused(text, None if text.startswith("XGID") else "initiator")
    assert field == "position"
    assert reason in message


def test_a_position_id_does_not_say_who_is_on_roll() -> None:
    assert _refused("4HPwATDgc/ABMA", None) == ("on_roll", "is missing: a position id does not say it")


def test_whoever_is_said_to_be_on_roll_must_be_who_the_xgid_says() -> None:
    as_xgid, _ = PAIRS[1]
    assert read(as_xgid, "opponent").on_roll == "opponent"
    assert _refused(as_xgid, "initiator")[0] == "on_roll"


@given(st.text(alphabet="ABCDabcd019+/", min_size=14, max_size=14))
def test_text_of_a_position_ids_length_is_refused_or_is_what_would_be_written(text: str) -> None:
    with suppress(InvalidInputError):
        assert position_id(read(text, "initiator")) == text
