"""What every rating rule is: coefficients, and a pure function from two players and a result to two moves."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from matchmaker.rating.elo import on_grid
from matchmaker.rating.explanation import Explanation, Term, number
from matchmaker.sides import DUEL, Ranks, Sizes

Outcome = Literal["win", "draw", "loss"]
"""How a battle ended, as its initiator sees it."""

SCORES: dict[Outcome, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}
REVERSED: dict[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}
RANKS: dict[Outcome, Ranks] = {"win": (1, 2), "draw": (1, 1), "loss": (2, 1)}
"""Of the initiator's side and of the opponent's."""

Seat = Literal["initiator", "opponent"]
"""One of the two sides of a battle."""

ACROSS: dict[Seat, Seat] = {"initiator": "opponent", "opponent": "initiator"}
LOST_BY: dict[Seat, Outcome] = {"initiator": "loss", "opponent": "win"}

Details = dict[str, Any]
"""What a rule wants to know of a result beyond its outcome, in normal form: defaults left out."""


def _whole(value: Any) -> Any:
    # Engines whose only numbers are floats write 3 as 3.0; JSON makes no difference between the two.
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
Whole = Annotated[int, WHOLE]
LARGEST_POINTS = 1_000_000.0
CAUTION = 3.0
"""How many sigma below a player's mu its rating is, where the rule has them."""
Points = Annotated[float, Field(ge=-LARGEST_POINTS, le=LARGEST_POINTS)]
Positive = Annotated[float, Field(ge=0.000_001, le=LARGEST_POINTS)]  # quotients of any two stay finite
BoardPoints = Annotated[float, Field(ge=-(1 + CAUTION) * LARGEST_POINTS, le=LARGEST_POINTS)]
"""What a player may start with: CAUTION times the largest sigma below any initial rating."""
Sigma = Annotated[float, Field(ge=0, le=LARGEST_POINTS)]
Share = Annotated[float, Field(ge=0, le=1)]


class Coefficients(BaseModel):
    """A group of numbers that a studio may set; unknown names, text and infinities are refused."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", allow_inf_nan=False, serialize_by_alias=True
    )


class _PlayerState(NamedTuple):
    rating: float
    games: int
    wins: int
    draws: int
    losses: int
    experience: int
    peak: float
    sigma: float


class PlayerState(_PlayerState):
    """All that a rule may know of a player: what the log has made of it so far.

    Ratings are points on the 2^-16 grid, `peak` the highest rating ever held, `experience` the sum of the
    lengths of the matches played. `games` may exceed wins + draws + losses for players from elsewhere.
    `sigma` is how uncertain the rating is, in points on the same grid; 0 under rules that know no such thing.

    A tuple, because the fold makes four for each result. `_make` takes all fields as they are.
    """

    __slots__ = ()

    def __new__(
        cls,
        rating: float,
        games: int = 0,
        wins: int = 0,
        draws: int = 0,
        losses: int = 0,
        experience: int = 0,
        peak: float = -math.inf,
        sigma: float = 0.0,
    ) -> Self:
        return cls._make((rating, games, wins, draws, losses, experience, max(peak, rating), sigma))

    @property
    def strength(self) -> float:
        """What pools go by, and chances: mu, which is the rating where there is no sigma."""
        return self.rating + CAUTION * self.sigma


class Move(NamedTuple):
    """What one result does to one player: rating points, the K that was used, the score that was expected.

    Under rules with a sigma the K is 0, and there is by how much the sigma changes, and what it was.
    """

    delta: float
    k: float
    expected: float
    sigma: float = 0.0
    sigma_before: float = 0.0

    @property
    def strength(self) -> float:
        """By how much the player's strength moves."""
        return self.delta + CAUTION * self.sigma


def outcome_for(ranks: Ranks) -> Outcome:
    """How it ended for the first of two sides."""
    own, other = ranks
    return "win" if own < other else "draw" if own == other else "loss"


def by_ranks(ranks: Ranks) -> Outcome | Ranks:
    """How a result ended whose sides have these ranks: of two sides, the first one's outcome."""
    return outcome_for(ranks) if len(ranks) == len(DUEL) else ranks


def scores(ranks: Ranks) -> tuple[float, ...]:
    """Of each side: the mean over its pairs with the others."""
    return tuple(
        (sum(SCORES[outcome_for((own, other))] for other in ranks) - SCORES["draw"]) / (len(ranks) - 1)
        for own in ranks
    )


def side_rating(ratings: Sequence[float]) -> float:
    """The mean. Sums on the grid are exact, so it does not depend on the order of the members."""
    return sum(ratings) / len(ratings)


def points(k: float, score: float, expected: float) -> float:
    """What a score is worth, before it is rounded to what the rule can hold."""
    return k * (score - expected)


def points_term(k: float, score: float, expected: float) -> Term:
    """The same, laid out."""
    text = f"{number(k)} x ({number(score)} - {number(expected)})"
    return Term("points", points(k, score, expected), text)


def _demand_name(schema: dict[str, Any]) -> None:
    # In Python a rule knows its name; in JSON the name is what tells the rules apart.
    schema["required"] = ["name", *schema.get("required", [])]


class Rule(Coefficients, ABC):
    """A rating rule with its coefficients. Subclasses fix `name` and add their own fields."""

    name: str

    model_config = ConfigDict(json_schema_extra=_demand_name)

    draws: ClassVar[bool] = True
    """Whether a battle may end in a draw."""

    zero_sum: ClassVar[bool] = False
    """Whether what one side gains is exactly what the other loses."""

    has_sigma: ClassVar[bool] = False
    """Whether it knows how uncertain a rating is."""

    teams: ClassVar[bool] = False
    """Whether a side may have several members."""

    free_for_all: ClassVar[bool] = False
    """Whether more than two sides may meet, of which ranks say how they came in."""

    @abstractmethod
    def rate(
        self, initiator: PlayerState, opponent: PlayerState, outcome: Outcome, details: Details
    ) -> tuple[Move, Move]:
        """The moves of the initiator and of the opponent. Pure; looks at nothing but its arguments."""

    def rate_sides(
        self, sides: Sequence[Sequence[PlayerState]], ranks: Ranks, details: Details
    ) -> tuple[tuple[Move, ...], ...]:
        """The moves of all members of all sides; of a duel, to the last bit, those that `rate` makes.

        Raises ValueError for sides that this rule does not know: see `teams` and `free_for_all`.
        """
        (initiator,), (opponent,) = sides
        own, other = self.rate(initiator, opponent, outcome_for(ranks), details)
        return (own,), (other,)

    @abstractmethod
    def explain(
        self,
        ratings: Sequence[Sequence[float]],
        moves: Sequence[Sequence[Move]],
        ranks: Ranks,
        details: Details,
    ) -> tuple[tuple[Explanation, ...], ...]:
        """The arithmetic of what `rate_sides` has made of a result, for everybody. Raises as that does.

        `ratings` are those before the result. They and the moves are what the store keeps of every result, so
        that nobody needs to know the rest of the players' states as it was then: the K says enough about it.
        """

    def foresee(self, own: Sequence[PlayerState], other: Sequence[PlayerState]) -> float:
        """The score that a side can expect of an unremarkable battle with another."""
        details = self.typical_details(None)
        if len(own) == len(other) == 1:
            return self.rate(own[0], other[0], "win", details)[0].expected
        return self.rate_sides((own, other), RANKS["win"], details)[0][0].expected

    @abstractmethod
    def k(self, player: PlayerState) -> float | None:
        """The K with which this player's next battle as the initiator would be rated; None where a rule has
        none."""

    @abstractmethod
    def provisional(self, player: PlayerState) -> bool:
        """Whether the rating is still finding its place (and moves faster for it)."""

    def settle(self, rating: float) -> float:
        """The nearest rating that this rule can hold."""
        return on_grid(rating)

    def newcomer(self, initial_rating: float) -> PlayerState:
        """A player who comes to a ladder of this initial rating."""
        return PlayerState(self.settle(initial_rating))

    def within(self, sigma: float) -> float:
        """The nearest sigma that a player can have under this rule."""
        return 0.0

    def adopted(self, state: PlayerState, origin: "Rule", shift: float) -> PlayerState:
        """A player who came in under another rule (or other coefficients), `shift` points higher.

        The strength is the same, and the sigma the same part of a newcomer's.
        """
        sigma, newcomer = self.newcomer(0.0).sigma, origin.newcomer(0.0).sigma
        if newcomer:
            sigma = self.within(state.sigma * sigma / newcomer)
        lift = CAUTION * (state.sigma - sigma) + shift
        rating, peak = self.settle(state.rating + lift), self.settle(state.peak + lift)
        return state._replace(rating=rating, peak=max(peak, rating), sigma=sigma)

    def length(self, details: Details) -> int:
        """By how much a result adds to the experience of both sides."""
        return 0

    @abstractmethod
    def check_details(self, details: Any, sizes: Sizes = DUEL) -> Details:
        """Normal form of `details` as they came from outside, about sides of these sizes.

        Raises pydantic.ValidationError.
        """

    @abstractmethod
    def typical_details(self, length: int | None) -> Details:
        """Details of an unremarkable battle (to `length` points where matches have a length)."""


class NoDetails(Coefficients):
    """For rules that want to know nothing beyond the outcome."""
