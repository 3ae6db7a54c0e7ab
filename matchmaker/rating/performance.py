"""A card game in the manner of Sedma: each side has its own K and a score adjusted for how it played.

Not zero-sum. Ratings are whole numbers. Formulas: the game's published rating routine.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from matchmaker.rating.elo import expected_score
from matchmaker.rating.explanation import Explanation, Term, mean_terms, number
from matchmaker.rating.plays import BothPlays, Capped, Tally, plays_of
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
    outcome_for,
    points,
    points_term,
    side_rating,
)
from matchmaker.sides import DUEL, Ranks, Sizes


class Band(Coefficients):
    """Players rated below `below` move with `k`."""

    below: Points
    k: Positive


def _whole_change(rating: float, gained: float) -> float:
    """The change that leads to the whole number nearest to `rating + gained`, halves to even."""
    return round(rating + gained) - rating


def _sides(
    ranks: Ranks, details: Details, sides: Sequence[Sequence[object]]
) -> tuple[tuple[Outcome, Sequence[Mapping[str, int]]], ...]:
    """For each of the two sides how it ended, and how its members played."""
    outcome = outcome_for(ranks)
    return (
        (outcome, plays_of(details.get("initiator"), len(sides[0]))),
        (REVERSED[outcome], plays_of(details.get("opponent"), len(sides[1]))),
    )


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

    teams: ClassVar[bool] = True

    @field_validator("bands")
    @classmethod
    def _ascend(cls, bands: tuple[Band, ...]) -> tuple[Band, ...]:
        borders = [band.below for band in bands]
        if borders != sorted(set(borders)):
            raise ValueError("must have ascending borders")
        return bands

    def k(self, player: PlayerState) -> float:
        band = self._band(player.rating)
        return band.k if band else self.top_k

    def _band(self, rating: float) -> Band | None:
        """The lowest band above `rating`; None at the top."""
        return next((band for band in self.bands if rating < band.below), None)

    def provisional(self, player: PlayerState) -> bool:
        return bool(self.bands) and player.rating < self.bands[0].below

    def settle(self, rating: float) -> float:
        return float(round(rating))

    def rate(
        self, initiator: PlayerState, opponent: PlayerState, outcome: Outcome, details: Details
    ) -> tuple[Move, Move]:
        difference = opponent.rating - initiator.rating
        return (
            self._move(initiator, difference, outcome, details.get("initiator", {})),
            self._move(opponent, -difference, REVERSED[outcome], details.get("opponent", {})),
        )

    def rate_sides(
        self, sides: Sequence[Sequence[PlayerState]], ranks: Ranks, details: Details
    ) -> tuple[tuple[Move, ...], ...]:
        own, other = (side_rating([player.rating for player in side]) for side in sides)
        return tuple(
            tuple(
                self._move(player, difference, outcome, play)
                for player, play in zip(side, plays, strict=True)
            )
            for side, difference, (outcome, plays) in zip(
                sides, (other - own, own - other), _sides(ranks, details, sides), strict=True
            )
        )

    def _move(self, own: PlayerState, difference: float, outcome: Outcome, play: Mapping[str, int]) -> Move:
        """The move of a player who met somebody `difference` points above."""
        k = self.k(own)
        expected = expected_score(difference, self.scale)
        score = self._tally(outcome, play).score
        return Move(_whole_change(own.rating, points(k, score, expected)), k, expected)

    def _tally(self, outcome: Outcome, play: Mapping[str, int]) -> Tally:
        return Tally(
            SCORES[outcome],
            self.won_by_16.of(play.get("won_by_16", 0)),
            self.won_by_24.of(play.get("won_by_24", 0)),
            self.won_by_4_and_last.of(play.get("won_by_4_and_last", 0)),
            {"win": self.winner_multiplier, "draw": self.draw_multiplier, "loss": self.loser_multiplier}[
                outcome
            ],
            self.bad_moves.of(play.get("bad_moves", 0)),
        )

    def explain(
        self,
        ratings: Sequence[Sequence[float]],
        moves: Sequence[Sequence[Move]],
        ranks: Ranks,
        details: Details,
    ) -> tuple[tuple[Explanation, ...], ...]:
        return tuple(
            tuple(
                self._explanation(rating, pair, move, outcome, play)
                for rating, move, play in zip(pair[0], its_moves, plays, strict=True)
            )
            for pair, its_moves, (outcome, plays) in zip(
                (ratings, ratings[::-1]), moves, _sides(ranks, details, ratings), strict=True
            )
        )

    def _explanation(
        self,
        own: float,
        ratings: Sequence[Sequence[float]],
        move: Move,
        outcome: Outcome,
        play: Mapping[str, int],
    ) -> Explanation:
        """Of a member of the first of two sides with these ratings."""
        side, others = map(side_rating, ratings)
        tally = self._tally(outcome, play)
        exact = points_term(move.k, tally.score, move.expected)
        change = _whole_change(own, exact.value)
        return Explanation(
            (
                *mean_terms(("side_rating", "other_side_rating"), ratings),
                Term("expected_score", move.expected, f"{number(side)} against {number(others)}"),
                Term("k", move.k, self._why(own)),
                Term("base", tally.base, f"a {outcome}"),
                *(
                    Term(name, getattr(tally, name), getattr(self, name).why(play.get(name, 0)))
                    for name in ("won_by_16", "won_by_24", "won_by_4_and_last", "bad_moves")
                ),
                Term("multiplier", tally.multiplier, f"of the bonuses, after a {outcome}"),
                Term("bonus", tally.bonus, "multiplier x (won_by_16 + won_by_24 + won_by_4_and_last)"),
                Term("score", tally.score, "base + bonus - bad_moves, no less than 0 and no more than 1"),
                exact,
                Term("change", change, f"from {number(own)} to {number(own + change)}, a whole number"),
            )
        )

    def _why(self, rating: float) -> str:
        """What the K of a player with this rating goes by."""
        band = self._band(rating)
        if band:
            return f"rated below {number(band.below)}"
        return f"rated {number(self.bands[-1].below)} or more" if self.bands else "everybody's"

    def check_details(self, details: Any, sizes: Sizes = DUEL) -> Details:
        return BothPlays.of(details, sizes)

    def typical_details(self, length: int | None) -> Details:
        return {}
