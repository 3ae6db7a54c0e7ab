"""Match play in backgammon: longer matches count for more, newcomers move faster.

The formula that backgammon servers have used since FIBS (1992): Gilbert, Keith, "FIBS rating system".
"""

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from matchmaker.rating.elo import expected_score, on_grid
from matchmaker.rating.explanation import Explanation, Term, number
from matchmaker.rating.rule import (
    Coefficients,
    Details,
    Move,
    Outcome,
    PlayerState,
    Positive,
    Rule,
    Seat,
    Share,
    Whole,
    outcome_for,
    points,
    points_term,
)
from matchmaker.sides import DUEL, Ranks, Sizes

LONGEST_MATCH = 64


class Ramp(Coefficients):
    """Newcomers' multiplier: (start - experience) / step while experience is below `until`, else 1."""

    until: Whole = Field(default=400, ge=0, le=1_000_000)
    start: Positive = Field(default=500.0, validate_default=True)
    step: Positive = 100.0

    @field_validator("start")
    @classmethod
    def _stays_positive(cls, start: float, info: ValidationInfo) -> float:
        if start < info.data.get("until", 0):
            raise ValueError("must not be below until: a winner would lose points")
        return start

    def at(self, experience: int) -> float:
        return (self.start - experience) / self.step if experience < self.until else 1.0

    def why(self, multiplier: float) -> str:
        """Who has this multiplier."""
        if math.isclose(multiplier, 1.0):
            return f"past the ramp, which ends at an experience of {self.until}"
        experience = round(self.start - multiplier * self.step)
        return f"({number(self.start)} - {experience}, the experience) / {number(self.step)}"


class Match(Coefficients):
    """The `details` of a result: how many points the match was played to, and if somebody left it, who.

    What was ruled then is kept beside: the points for the game that was left (2 for a gammon), the leaver's
    probability of losing a gammon, and the position, as an XGID with the initiator at the bottom. The rating
    depends on none of it.
    """

    length: Whole = Field(ge=1, le=LONGEST_MATCH)
    abandoned: Seat | None = None
    points: Whole | None = Field(default=None, ge=1, le=2)
    gammon_probability: Share | None = None
    position: str | None = Field(default=None, pattern=r"^XGID=[-A-Za-z0-9:]{1,75}$")

    @model_validator(mode="after")
    def _somebody_left(self) -> Self:
        ruling = (self.points, self.gammon_probability, self.position)
        if self.abandoned is None and any(each is not None for each in ruling):
            raise ValueError("must say with `abandoned` who left if it says anything beyond the length")
        return self


class MatchLength(Rule):
    """Winner + (1 - P) * M * S, loser - P * M * S, each with its own P and M, on the grid.

    P = 1 / (1 + 10^(-D * sqrt(N) / scale)) with D = own - other rating, S = stake * sqrt(N), M the ramp.
    """

    name: Literal["match_length"] = "match_length"
    stake: Positive = 4.0
    scale: Positive = 2000.0
    ramp: Ramp = Ramp()

    draws: ClassVar[bool] = False

    def k(self, player: PlayerState) -> float:
        """The stake of a match to one point."""
        return self.ramp.at(player.experience) * self.stake

    def provisional(self, player: PlayerState) -> bool:
        return player.experience < self.ramp.until

    def length(self, details: Details) -> int:
        return int(details["length"])

    def rate(
        self, initiator: PlayerState, opponent: PlayerState, outcome: Outcome, details: Details
    ) -> tuple[Move, Move]:
        root = math.sqrt(self.length(details))
        won = outcome == "win"
        return self._move(initiator, opponent, won, root), self._move(opponent, initiator, not won, root)

    def _move(self, own: PlayerState, other: PlayerState, won: bool, root: float) -> Move:
        k = self.k(own) * root
        expected = expected_score((other.rating - own.rating) * root, self.scale)
        return Move(on_grid(points(k, float(won), expected)), k, expected)

    def explain(
        self,
        ratings: Sequence[Sequence[float]],
        moves: Sequence[Sequence[Move]],
        ranks: Ranks,
        details: Details,
    ) -> tuple[tuple[Explanation, ...], ...]:
        ((own,), (other,)), ((move,), (other_move,)) = ratings, moves
        won, length = outcome_for(ranks) == "win", self.length(details)
        return (
            (self._explanation(own, other, move, won, length),),
            (self._explanation(other, own, other_move, not won, length),),
        )

    def _explanation(self, own: float, other: float, move: Move, won: bool, length: int) -> Explanation:
        stake = self.stake * math.sqrt(length)
        multiplier = move.k / stake
        exact = points_term(move.k, float(won), move.expected)
        return Explanation(
            (
                Term(
                    "expected_score",
                    move.expected,
                    f"{number(own)} against {number(other)}, to {length} points",
                ),
                Term("s", stake, f"{number(self.stake)} x the square root of {length}, the length"),
                Term("m", multiplier, self.ramp.why(multiplier)),
                Term("k", move.k, "m x s"),
                Term("score", float(won), "the match was " + ("won" if won else "lost")),
                exact,
                Term("change", on_grid(exact.value), "the points, to the nearest 1/65536"),
            )
        )

    def check_details(self, details: Any, sizes: Sizes = DUEL) -> Details:
        return Match.model_validate(details).model_dump(exclude_none=True)

    def typical_details(self, length: int | None) -> Details:
        return Match(length=1 if length is None else length).model_dump(exclude_none=True)
