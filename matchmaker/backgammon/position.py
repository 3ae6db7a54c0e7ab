"""Where the checkers of a game stand, and which positions there can be."""

from dataclasses import dataclass

from matchmaker.rating.rule import ACROSS, Seat

POINTS = 24
CHECKERS = 15
_HOME = 6


@dataclass(frozen=True, slots=True)
class Side:
    """The checkers of one player. `points` runs from its own ace point to its 24 point; what stands neither
    there nor on the bar has been borne off."""

    points: tuple[int, ...]
    bar: int = 0

    @property
    def off(self) -> int:
        """Number of checkers borne off; negative if there are too many on the board."""
        return CHECKERS - sum(self.points) - self.bar

    @property
    def closed(self) -> bool:
        """Whether it holds all points of its home board, so that nothing enters there."""
        return all(count > 1 for count in self.points[:_HOME])


@dataclass(frozen=True, slots=True)
class Position:
    """Both sides of a game, before the dice of whoever is on roll. Raises ValueError if there can be no such
    position."""

    initiator: Side
    opponent: Side
    on_roll: Seat

    def __post_init__(self) -> None:
        sides = (self.initiator, self.opponent)
        if min(side.off for side in sides) < 0:
            raise ValueError(f"has more than {CHECKERS} checkers on one side")
        if any(map(_both, self.initiator.points, reversed(self.opponent.points))):
            raise ValueError("has checkers of both sides on one point")
        if all(side.off == CHECKERS for side in sides):
            raise ValueError("has no checkers at all")
        if all(side.closed and side.bar for side in sides):
            raise ValueError("has both sides on the bar against closed boards")

    def side(self, seat: Seat) -> Side:
        """The checkers of one of the two."""
        return self.initiator if seat == "initiator" else self.opponent

    def settled_gammon(self, loser: Seat) -> float | None:
        """0 or 1 if it is certain that `loser` is spared a gammon, or has lost one; else None.

        Whoever has borne off a checker cannot lose a gammon any more, whatever becomes of the game.
        """
        if self.side(loser).off:
            return 0.0
        return 1.0 if self.side(ACROSS[loser]).off == CHECKERS else None


def _both(one: int, other: int) -> bool:
    return one > 0 and other > 0
