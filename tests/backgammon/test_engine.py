import pytest

from matchmaker.backgammon import engine
from matchmaker.backgammon.engine import gammon_probability
from matchmaker.backgammon.notation import read
from matchmaker.backgammon.position import Position, Side
from matchmaker.rating.rule import ACROSS, Seat
from tests.backgammon.positions import OPENING, SEATS, side

pytestmark = pytest.mark.skipif(not engine.installed(), reason="the optional package bgsage is not installed")

ALMOST_HOME, FAR_BEHIND = side(p1=2), side(p19=5, p20=5, p21=5)
"""Two checkers left; all fifteen in the other's home."""


def _position(loser: Seat, losers: Side, winners: Side, on_roll: Seat) -> Position:
    return Position(losers, winners, on_roll) if loser == "initiator" else Position(winners, losers, on_roll)


@pytest.mark.parametrize("on_roll", SEATS)
@pytest.mark.parametrize("loser", SEATS)
def test_whoever_has_not_come_home_while_the_other_has_two_checkers_left_loses_a_gammon(
    loser: Seat, on_roll: Seat
) -> None:
    position = _position(loser, FAR_BEHIND, ALMOST_HOME, on_roll)
    assert gammon_probability(position, loser) > 0.999
    assert gammon_probability(position, ACROSS[loser]) == 0


@pytest.mark.parametrize("on_roll", SEATS)
@pytest.mark.parametrize("loser", SEATS)
def test_whoever_has_borne_a_checker_off_cannot_lose_a_gammon(loser: Seat, on_roll: Seat) -> None:
    behind = side(p19=5, p20=5, p21=4)
    assert gammon_probability(_position(loser, behind, ALMOST_HOME, on_roll), loser) == 0


@pytest.mark.parametrize("loser", SEATS)
def test_in_a_game_that_is_over_the_gammon_is_a_fact(loser: Seat) -> None:
    winner = ACROSS[loser]
    assert gammon_probability(_position(loser, FAR_BEHIND, side(), winner), loser) == 1
    assert gammon_probability(_position(loser, side(p6=14), side(), winner), loser) == 0


@pytest.mark.parametrize("on_roll", SEATS)
def test_in_the_opening_position_it_is_the_one_not_on_roll_who_has_more_to_fear(on_roll: Seat) -> None:
    opening = Position(OPENING, OPENING, on_roll)
    assert gammon_probability(opening, on_roll) == pytest.approx(0.125, abs=0.01)
    assert gammon_probability(opening, ACROSS[on_roll]) == pytest.approx(0.149, abs=0.01)


# The initiator's probability of losing a gammon, as GNU Backgammon 1.07 sees it (2 ply).
@pytest.mark.parametrize(
    ("board", "turn", "expected"),
    [
        ("--A-EDBA-----------B---bd-", 1, 0.899),
        ("-A-BAAA---------bcccbbCBD-", 1, 0.471),
        ("-b-a--E-C---dE--Ab-e---aA-", 1, 0.105),
        ("aBa-cCBBC--A-B-----bbb-bb-", 1, 0.025),
    ],
)
def test_the_engine_agrees_with_gnu_backgammon(board: str, turn: int, expected: float) -> None:
    position = read(f"XGID={board}:0:0:{turn}:00:0:0:0:0:10", None)
    assert gammon_probability(position, "initiator") == pytest.approx(expected, abs=0.05)
