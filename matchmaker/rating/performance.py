"""A card game in the manner of Sedma: each side has its own K and a score adjusted for how it played.

Not zero-sum. Ratings are whole numbers. Formulas: the game's published rating routine.
"""

from typing import Any, Literal

from pydantic import Field, field_validator

from matchmaker.rating.elo import expected_score
from matchmaker.rating.rule import (
    REVERSED,
    SCORES,
    Coefficients,
    Details,
    Move,
    Outcome,
    PlayerState,
    Points,
    Positive,
    Rule,
    Share,
    Whole,
)

LARGEST_COUNT = 1_000_000


class Band(Coefficients):
    """Players rated below `below` move with `k`."""

    below: Points
    k: Positive


class Capped(Coefficients):
    """`each` per occurrence, `most` altogether."""

    each: Share
    most: Share

    def of(self, count: int) -> float:
        return min(self.each * count, self.most)


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


class Performance(Rule):
    """new = round(R + K * (clamp(base + bonus - malus, 0, 1) - E)), halves to even, for each side."""

    name: Literal["performance"] = "performance"
    bands: tuple[Band, ...] = Field(
        default=(Band(below=1200.0, k=40.0), Band(below=1800.0, k=32.0), Band(below=2200.0, k=24.0)),
        strict=False,
        max_length=32,
    )
    top_k: Positive = 16.0
    won_by_16: Capped = Capped(each=0.05, most=0.15)
    won_by_24: Capped = Capped(each=0.1, most=0.2)
    won_by_4_and_last: Capped = Capped(each=0.03, most=0.09)
    bad_moves: Capped = Capped(each=0.02, most=0.3)
    winner_multiplier: Share = 1.0
    draw_multiplier: Share = 0.55
    loser_multiplier: Share = 0.1
    scale: Positive = 400.0

    @field_validator("bands")
    @classmethod
    def _ascend(cls, bands: tuple[Band, ...]) -> tuple[Band, ...]:
        borders = [band.below for band in bands]
        if borders != sorted(set(borders)):
            raise ValueError("must have ascending borders")
        return bands

    def k(self, player: PlayerState) -> float:
        return next((band.k for band in self.bands if player.rating < band.below), self.top_k)

    def provisional(self, player: PlayerState) -> bool:
        return bool(self.bands) and player.rating < self.bands[0].below

    def settle(self, rating: float) -> float:
        return float(round(rating))

    def rate(
        self, initiator: PlayerState, opponent: PlayerState, outcome: Outcome, details: Details
    ) -> tuple[Move, Move]:
        return (
            self._move(initiator, opponent, outcome, details.get("initiator", {})),
            self._move(opponent, initiator, REVERSED[outcome], details.get("opponent", {})),
        )

    def _move(self, own: PlayerState, other: PlayerState, outcome: Outcome, play: dict[str, int]) -> Move:
        k = self.k(own)
        expected = expected_score(other.rating - own.rating, self.scale)
        score = self._score(outcome, play)
        return Move(round(own.rating + k * (score - expected)) - own.rating, k, expected)

    def _score(self, outcome: Outcome, play: dict[str, int]) -> float:
        bonus = (
            self.won_by_16.of(play.get("won_by_16", 0))
            + self.won_by_24.of(play.get("won_by_24", 0))
            + self.won_by_4_and_last.of(play.get("won_by_4_and_last", 0))
        )
        multiplier = {
            "win": self.winner_multiplier,
            "draw": self.draw_multiplier,
            "loss": self.loser_multiplier,
        }[outcome]
        malus = self.bad_moves.of(play.get("bad_moves", 0))
        return min(max(SCORES[outcome] + bonus * multiplier - malus, 0.0), 1.0)

    def check_details(self, details: Any) -> Details:
        return BothPlays.model_validate(details).model_dump(exclude_defaults=True)

    def typical_details(self, length: int | None) -> Details:
        return {}
