"""NFT ranked battles: an Elo rating in which both sides move by the initiator's K.

K in the manner of FIDE's rating regulations (B02, 8.3.3): fast for newcomers, slow for masters.
"""

from typing import Any, ClassVar, Literal

from pydantic import Field

from matchmaker.rating.elo import expected_score, on_grid
from matchmaker.rating.explanation import Explanation, Term, number, signed
from matchmaker.rating.rule import (
    SCORES,
    Coefficients,
    Details,
    Move,
    NoDetails,
    Outcome,
    PlayerState,
    Points,
    Positive,
    Rule,
    Whole,
    points,
    points_term,
)


class KByCareer(Coefficients):
    """K of a newcomer, of an established player, and of one who has ever stood at `master_rating`."""

    provisional: Positive = 40.0
    established: Positive = 20.0
    master: Positive = 10.0


class InitiatorK(Rule):
    """delta = K * (score - E) of the initiator, on the grid; the opponent moves by exactly -delta.

    `initiator_advantage` is what it is worth to be the initiator (to attack, to play at home): so many points
    count on top of its rating in E, and nowhere else.
    """

    name: Literal["initiator_k"] = "initiator_k"
    k_by_career: KByCareer = Field(default=KByCareer(), alias="k")
    provisional_games: Whole = Field(default=30, ge=0, le=1_000_000)
    master_rating: Points = 2400.0
    scale: Positive = 400.0
    initiator_advantage: Points = 0.0

    zero_sum: ClassVar[bool] = True

    def k(self, player: PlayerState) -> float:
        if self.provisional(player):
            return self.k_by_career.provisional
        if player.peak < self.master_rating:
            return self.k_by_career.established
        return self.k_by_career.master

    def provisional(self, player: PlayerState) -> bool:
        return player.games < self.provisional_games

    def rate(
        self, initiator: PlayerState, opponent: PlayerState, outcome: Outcome, details: Details
    ) -> tuple[Move, Move]:
        k = self.k(initiator)
        expected = expected_score(opponent.rating - initiator.rating - self.initiator_advantage, self.scale)
        delta = on_grid(points(k, SCORES[outcome], expected))
        return Move(delta, k, expected), Move(0.0 - delta, k, 1.0 - expected)  # never a negative zero

    def explain(
        self, ratings: tuple[float, float], moves: tuple[Move, Move], outcome: Outcome, details: Details
    ) -> tuple[Explanation, Explanation]:
        k, expected, score = moves[0].k, moves[0].expected, SCORES[outcome]
        exact = points_term(k, score, expected)
        delta = on_grid(exact.value)
        own = (
            Term(
                "expected_score",
                expected,
                f"the initiator's, {self._standing(ratings[0])} against {number(ratings[1])}",
            ),
            Term("k", k, f"the initiator's: {self._why(k)}"),
            Term("score", score, f"a {outcome} for the initiator"),
            exact,
            Term("change", delta, "the points, to the nearest 1/65536"),
        )
        other = Term("change", 0.0 - delta, f"what the initiator's {signed(delta)} cost the opponent")
        return Explanation(own), Explanation((*own[:-1], other))

    def _standing(self, rating: float) -> str:
        """The initiator's rating as E sees it."""
        advantage = self.initiator_advantage
        return f"{number(rating)}{signed(advantage)}" if advantage else number(rating)

    def _why(self, k: float) -> str:
        """Who has this K."""
        ks, games, master = self.k_by_career, self.provisional_games, number(self.master_rating)
        careers = {
            f"fewer than {games} games": ks.provisional,
            f"{games} games or more, never yet at {master}": ks.established,
            f"{games} games or more, once at {master} or above": ks.master,
        }
        return "; or ".join(career for career, its_k in careers.items() if its_k == k)

    def check_details(self, details: Any) -> Details:
        return NoDetails.model_validate(details).model_dump()

    def typical_details(self, length: int | None) -> Details:
        return {}
