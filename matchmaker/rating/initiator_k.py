"""NFT ranked battles: an Elo rating in which both sides move by the initiator's K.

In a team match each initiator moves by its own K, and the opponents pay for that in equal parts. K in the
manner of FIDE's rating regulations (B02, 8.3.3): fast for newcomers, slow for masters.
"""

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from matchmaker.rating.elo import expected_score, on_grid
from matchmaker.rating.explanation import Explanation, Term, mean_terms, number, signed
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
    outcome_for,
    points,
    points_term,
    side_rating,
)
from matchmaker.sides import DUEL, Ranks, Sizes


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
    teams: ClassVar[bool] = True

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

    def rate_sides(
        self, sides: Sequence[Sequence[PlayerState]], ranks: Ranks, details: Details
    ) -> tuple[tuple[Move, ...], ...]:
        initiators, opponents = sides
        own, other = (side_rating([player.rating for player in side]) for side in sides)
        expected = expected_score(other - own - self.initiator_advantage, self.scale)
        score = SCORES[outcome_for(ranks)]
        ks = [self.k(player) for player in initiators]
        parts = [self._part(k, score, expected, len(opponents)) for k in ks]
        paid = Move(0.0 - math.fsum(parts), math.fsum(ks) / len(opponents), 1.0 - expected)
        return (
            tuple(Move(part * len(opponents), k, expected) for part, k in zip(parts, ks, strict=True)),
            (paid,) * len(opponents),
        )

    @staticmethod
    def _part(k: float, score: float, expected: float, opponents: int) -> float:
        """What each opponent pays for the change of one initiator, which is so many times that."""
        return on_grid(points(k, score, expected) / opponents)

    def explain(
        self,
        ratings: Sequence[Sequence[float]],
        moves: Sequence[Sequence[Move]],
        ranks: Ranks,
        details: Details,
    ) -> tuple[tuple[Explanation, ...], ...]:
        outcome = outcome_for(ranks)
        expected, score, opponents = moves[0][0].expected, SCORES[outcome], len(moves[1])
        whose = "the initiator's" if len(moves[0]) == 1 else "the initiators'"
        own, other = map(side_rating, ratings)
        common = (
            *mean_terms(("initiators_rating", "opponents_rating"), ratings),
            Term("expected_score", expected, f"{whose}, {self._standing(own)} against {number(other)}"),
        )
        scored = Term("score", score, f"a {outcome} for the initiator{'s' * (len(moves[0]) > 1)}")
        parts = [self._part(move.k, score, expected, opponents) for move in moves[0]]
        grid = "1/65536" if opponents == 1 else f"{opponents}/65536, which {opponents} can pay in equal parts"
        initiators = tuple(
            Explanation(
                (
                    *common,
                    Term("k", move.k, f"the initiator's: {self._why(move.k)}"),
                    scored,
                    points_term(move.k, score, expected),
                    Term("change", part * opponents, f"the points, to the nearest {grid}"),
                )
            )
            for move, part in zip(moves[0], parts, strict=True)
        )
        paid = math.fsum(parts)
        gained = signed(paid * opponents)
        if len(parts) == opponents == 1:
            cost = f"what the initiator's {gained} cost the opponent"
            terms = initiators[0].terms[:-1]
        else:
            k = moves[1][0].k
            shares = " + ".join(number(move.k) for move in moves[0])
            by = f", shared by {opponents}" if opponents > 1 else ""
            cost = f"what {whose} {gained} cost the opponents{by}"
            terms = (*common, Term("k", k, f"{whose} {shares}{by}"), scored, points_term(k, score, expected))
        paying = Explanation((*terms, Term("change", 0.0 - paid, cost)))
        return initiators, (paying,) * opponents

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

    def check_details(self, details: Any, sizes: Sizes = DUEL) -> Details:
        return NoDetails.model_validate(details).model_dump()

    def typical_details(self, length: int | None) -> Details:
        return {}
