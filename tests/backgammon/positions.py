"""Positions for tests, among them any that there can be."""

from collections import Counter

from hypothesis import reject
from hypothesis import strategies as st

from matchmaker.backgammon.position import CHECKERS, POINTS, Position, Side
from matchmaker.rating.rule import Seat

BAR = 25
SEATS: tuple[Seat, Seat] = ("initiator", "opponent")


def side(**checkers: int) -> Side:
    """`p6=5` are five checkers on the own 6 point, `bar=1` is one on the bar."""
    points = {int(name[1:]): count for name, count in checkers.items() if name != "bar"}
    return Side(tuple(points.get(point, 0) for point in range(1, POINTS + 1)), checkers.get("bar", 0))


OPENING = side(p6=5, p8=3, p13=5, p24=2)


def _side(counts: Counter[int]) -> Side:
    return Side(tuple(counts[point] for point in range(1, BAR)), counts[BAR])


@st.composite
def _positions(draw: st.DrawFn) -> Position:
    """Checkers fall where there is room for them, first all of the initiator's, then the opponent's."""
    places = st.lists(st.integers(1, BAR), max_size=CHECKERS)
    initiator = Counter(draw(places))
    opponent = Counter(place for place in draw(places) if place == BAR or not initiator[BAR - place])
    try:
        return Position(_side(initiator), _side(opponent), draw(st.sampled_from(SEATS)))
    except ValueError:
        reject()


positions = _positions()
