"""How the sides of a card game played, and what that is worth."""

from typing import NamedTuple

from pydantic import Field

from matchmaker.rating.explanation import number
from matchmaker.rating.rule import Coefficients, Share, Whole

LARGEST_COUNT = 1_000_000


class Capped(Coefficients):
    """`each` per occurrence, `most` altogether."""

    each: Share
    most: Share

    def of(self, count: int) -> float:
        return min(self.each * count, self.most)

    def why(self, count: int) -> str:
        return f"{count} x {number(self.each)}, no more than {number(self.most)}"


class Play(Coefficients):
    """How one side played: careless moves, and deals won in the three ways that earn a bonus."""

    bad_moves: Whole = Field(default=0, ge=0, le=LARGEST_COUNT)
    won_by_16: Whole = Field(default=0, ge=0, le=LARGEST_COUNT)
    won_by_24: Whole = Field(default=0, ge=0, le=LARGEST_COUNT)
    won_by_4_and_last: Whole = Field(default=0, ge=0, le=LARGEST_COUNT)


class BothPlays(Coefficients):
    """The `details` of a result."""

    initiator: Play = Play()
    opponent: Play = Play()


class Tally(NamedTuple):
    """What one side's play is worth: the base by the outcome, bonuses and their multiplier, the malus."""

    base: float
    won_by_16: float
    won_by_24: float
    won_by_4_and_last: float
    multiplier: float
    bad_moves: float

    @property
    def bonus(self) -> float:
        return (self.won_by_16 + self.won_by_24 + self.won_by_4_and_last) * self.multiplier

    @property
    def score(self) -> float:
        return min(max(self.base + self.bonus - self.bad_moves, 0.0), 1.0)
