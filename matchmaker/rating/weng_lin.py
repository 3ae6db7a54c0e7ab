"""A modern rule beside the Elo family: a rating is a belief, a mean mu with a deviation sigma.

R. C. Weng and C.-J. Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 4
(Plackett-Luce), by the library `openskill`.

What is expected of a side is what the algorithm itself goes by, e^(mu/c) / (e^(mu/c) + e^(other mu/c)). The
library's `predict_win` takes a normal distribution of the same width, and is surer of itself than its ratings
ever bear out: see docs/decisions/0027-openskill.md.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from pydantic import Field

from matchmaker.rating.elo import GRID, expected_score, on_grid
from matchmaker.rating.explanation import Explanation, Term, number
from matchmaker.rating.rule import (
    CAUTION,
    LARGEST_POINTS,
    RANKS,
    Details,
    Move,
    NoDetails,
    Outcome,
    PlayerState,
    Positive,
    Rule,
    scores,
)
from matchmaker.sides import DUEL, Ranks, Sizes

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

_LN_10: Final = math.log(10.0)
_LEAST_SIGMA: Final = 1.0 / GRID
_FARTHEST: Final = 600.0  # in c, below the best side: the chance is 0 long before, but e^-600 is not

_Belief = tuple[float, float]
"""A mu and a sigma."""
_Beliefs = tuple[_Belief, ...]
"""Of a side's members, in ascending order."""
_Entrant = tuple[int, _Beliefs]
"""A side's rank, and its members."""


def _beliefs(side: Iterable[PlayerState]) -> _Beliefs:
    return tuple(sorted((state.strength, state.sigma) for state in side))


def _total(side: _Beliefs) -> float:
    return sum(mu for mu, _ in side)


@lru_cache(maxsize=64)
def _model(beta: float, tau: float, limit_sigma: bool) -> "PlackettLuce":
    # Imported when it is needed: most of what the program does is not about this rule.
    from openskill.models import PlackettLuce

    return PlackettLuce(beta=beta, tau=tau, limit_sigma=limit_sigma)


class OpenSkill(Rule):
    """The board goes by mu - 3 sigma, which a player is worth all but surely; pools go by mu.

    A newcomer has mu at the ladder's initial rating and `sigma`, and nobody is ever less certain. `beta` is
    how much a performance varies, `tau` how much a skill may move between two results, both in points.
    `limit_sigma` keeps everybody's sigma from growing at all. Whoever stands above `settled_sigma` is
    provisional.

    The defaults are the library's (mu 25, sigma 25/3, beta 25/6, tau 25/300), times 60.
    """

    name: Literal["openskill"] = "openskill"
    sigma: Positive = 500.0
    beta: Positive = 250.0
    tau: float = Field(default=5.0, ge=0, le=LARGEST_POINTS)
    limit_sigma: bool = False
    settled_sigma: Positive = 250.0

    has_sigma: ClassVar[bool] = True
    teams: ClassVar[bool] = True
    free_for_all: ClassVar[bool] = True

    def k(self, player: PlayerState) -> None:
        """There is none: how far a result moves a player depends on everybody's sigma."""

    def provisional(self, player: PlayerState) -> bool:
        return player.sigma > self.settled_sigma

    def newcomer(self, initial_rating: float) -> PlayerState:
        sigma = self.within(self.sigma)
        return PlayerState(on_grid(initial_rating) - CAUTION * sigma, sigma=sigma)

    def within(self, sigma: float) -> float:
        return max(on_grid(min(sigma, self.sigma)), _LEAST_SIGMA)

    def rate(
        self, initiator: PlayerState, opponent: PlayerState, outcome: Outcome, details: Details
    ) -> tuple[Move, Move]:
        (own,), (other,) = self.rate_sides(((initiator,), (opponent,)), RANKS[outcome], details)
        return own, other

    def rate_sides(
        self, sides: Sequence[Sequence[PlayerState]], ranks: Ranks, details: Details
    ) -> tuple[tuple[Move, ...], ...]:
        """The moves of all members of all sides.

        The library adds up in the order in which it is handed the sides, so they are brought into one that
        does not depend on the caller's; sides that are alike in all share what the first of them is given.
        """
        entrants = [(rank, _beliefs(side)) for side, rank in zip(sides, ranks, strict=True)]
        order = sorted(entrants)
        found = dict(zip(reversed(order), reversed(self._believe(order)), strict=True))
        return tuple(
            tuple(self._move(state, *found[entrant]) for state in side)
            for side, entrant in zip(sides, entrants, strict=True)
        )

    def foresee(self, own: Sequence[PlayerState], other: Sequence[PlayerState]) -> float:
        return self._expected(0, (_beliefs(own), _beliefs(other)))

    def _believe(self, order: Sequence[_Entrant]) -> list[tuple[float, dict[_Belief, _Belief]]]:
        """Each side's expected score; and, by the library, how far each belief's mu moves and its new sigma.

        Only sums of mu count, and only by their differences; so the best side is handed over at 0, where
        nothing overflows.
        """
        model = _model(self.beta, self.tau, self.limit_sigma)
        everybody = [members for _, members in order]
        totals = [_total(members) for members in everybody]
        best, lowest = max(totals), -_FARTHEST * self._c(everybody)
        sides = [
            [model.rating(max(total - best, lowest) / len(members), sigma) for _, sigma in members]
            for total, members in zip(totals, everybody, strict=True)
        ]
        rated = model.rate(sides, ranks=[rank for rank, _ in order])
        return [
            (
                self._expected(place, everybody),
                {
                    belief: (now.mu - then.mu, now.sigma)
                    for belief, then, now in zip(members, before, after, strict=True)
                },
            )
            for place, (members, before, after) in enumerate(zip(everybody, sides, rated, strict=True))
        ]

    def _c(self, sides: Iterable[_Beliefs]) -> float:
        """How far apart these sides may perform at the same mu, in points."""
        return math.sqrt(sum(map(self._variance, sides)))

    def _variance(self, side: _Beliefs) -> float:
        return sum(sigma**2 + self.tau**2 for _, sigma in side) + self.beta**2

    def _expected(self, place: int, sides: Sequence[_Beliefs]) -> float:
        """The mean of a side's chances against each of the others, as if these two were alone."""
        own = sides[place]
        chances = [
            expected_score(_total(other) - _total(own), _LN_10 * self._c((own, other)))
            for at, other in enumerate(sides)
            if at != place
        ]
        return sum(chances) / len(chances)

    def _move(self, state: PlayerState, expected: float, beliefs: dict[_Belief, _Belief]) -> Move:
        shift, deviation = beliefs[state.strength, state.sigma]
        sigma = self.within(deviation)
        rating = on_grid(state.strength + shift) - CAUTION * sigma
        return Move(rating - state.rating, 0.0, expected, sigma - state.sigma, state.sigma)

    def explain(
        self,
        ratings: Sequence[Sequence[float]],
        moves: Sequence[Sequence[Move]],
        ranks: Ranks,
        details: Details,
    ) -> tuple[tuple[Explanation, ...], ...]:
        before = [
            [
                PlayerState(rating, sigma=move.sigma_before)
                for rating, move in zip(side, its_moves, strict=True)
            ]
            for side, its_moves in zip(ratings, moves, strict=True)
        ]
        sides = list(map(_beliefs, before))
        c = self._c(sides)
        return tuple(
            tuple(
                Explanation(
                    (*self._before(state, members, c), *self._after(state, move, score, c, len(sides)))
                )
                for state, move in zip(states, its_moves, strict=True)
            )
            for states, its_moves, members, score in zip(before, moves, sides, scores(ranks), strict=True)
        )

    def _before(self, state: PlayerState, side: _Beliefs, c: float) -> Iterator[Term]:
        rating = number(state.rating)
        yield Term("mu_before", state.strength, f"the rating, {rating}, and {number(CAUTION)} sigma above it")
        yield Term("sigma_before", state.sigma, "how uncertain mu was")
        if len(side) > 1:
            members = " + ".join(number(each) for each, _ in side)
            yield Term("side_mu", _total(side), f"the members': {members}")
        yield Term("c", c, "how far apart they may perform at the same mu: from beta, tau and every sigma")

    def _after(self, state: PlayerState, move: Move, score: float, c: float, sides: int) -> Iterator[Term]:
        if sides == len(DUEL):
            factor = (state.sigma**2 + self.tau**2) / c
            yield Term("expected_score", move.expected, "1 / (1 + e^((the other side's mu - mu) / c))")
            yield Term("score", score, "of a win 1, of a draw 0.5, of a loss 0")
            yield Term("factor", factor, "(sigma^2 + tau^2) / c: the less certain, the larger")
            how = "factor x (score - expected_score)"
        else:
            yield Term("expected_score", move.expected, "the mean against each other side, as if alone")
            yield Term("score", score, "the mean: 1 for each side behind, 0.5 for each that is level")
            how = "the more, the less the ranks were to be expected, and the less certain"
        yield Term("mu_change", move.strength, f"{how}; to the nearest 1/65536")
        yield Term("sigma_change", move.sigma, "every result tells something, but a skill may have moved")
        now = f"mu is {number(state.strength + move.strength)} now, sigma {number(state.sigma + move.sigma)}"
        yield Term("change", move.delta, f"mu_change - {number(CAUTION)} x sigma_change: {now}")

    def check_details(self, details: Any, sizes: Sizes = DUEL) -> Details:
        return NoDetails.model_validate(details).model_dump()

    def typical_details(self, length: int | None) -> Details:
        return {}
