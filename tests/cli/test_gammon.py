import pytest

from matchmaker.backgammon import engine
from tests.cli.conftest import Program

judged = pytest.mark.skipif(not engine.installed(), reason="the optional package bgsage is not installed")


@judged
def test_both_sides_chances_are_told_and_how_the_position_is_written(program: Program) -> None:
    told = program("gammon", "4HPwATDgc/ABMA", "--on-roll", "opponent", "--json").json
    assert told["gammon_probability"]["opponent"] == pytest.approx(0.127, abs=0.01)
    assert told["gammon_probability"]["initiator"] == pytest.approx(0.149, abs=0.01)
    assert (told["position_id"], told["on_roll"]) == ("4HPwATDgc/ABMA", "opponent")
    assert told["position"] == "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10"


@judged
def test_for_people_they_stand_in_lines(program: Program) -> None:
    shown = program("gammon", "XGID=-------------------EEE--b-:0:0:1:00:0:0:0:0:10").out
    assert [line.split()[-1] for line in shown.splitlines()[-3:]] == ["initiator", "1.0000", "0.0000"]


def test_a_position_that_cannot_be_is_refused_in_one_line(program: Program) -> None:
    ended = program("gammon", "4HPwATDgc/ABM")
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert ended.err.startswith("matchmaker: position: must be an XGID or a position id")


def test_without_the_engine_it_says_how_to_install_it(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "PACKAGE", "no_such_engine")
    ended = program("gammon", "4HPwATDgc/ABMA", "--on-roll", "initiator")
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "pip install" in ended.err
