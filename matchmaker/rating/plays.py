"""How the sides of a card game played, and what that is worth."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Discriminator, Field, Tag, ValidationInfo, field_validator

from matchmaker.rating.explanation import number
from matchmaker.rating.rule import Coefficients, Details, Share, Whole
from matchmaker.sides import LARGEST_SIDE, Sizes

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


Plays = Annotated[
    Annotated[Play, Tag("one")] | Annotated[list[Play], Field(max_length=LARGEST_SIDE), Tag("many")],
    Discriminator(lambda value: "many" if isinstance(value, list) else "one"),
]
"""Of a side: an object, or for a team a list of them in the order of its members."""


class BothPlays(Coefficients):
    """The `details` of a result."""

    initiator: Plays = Play()
    opponent: Plays = Play()

    @field_validator("initiator", "opponent")
    @classmethod
    def _for_each_member(cls, plays: Play | list[Play], info: ValidationInfo) -> Play | list[Play]:
        size = info.context[info.field_name] if info.context else 1
        if isinstance(plays, Play):
            plays = [plays]
        if len(plays) != size:
            raise ValueError(
                f"must be a list of {size}, one for each member" if size > 1 else "must be one object"
            )
        return plays if size > 1 else plays[0]

    @classmethod
    def of(cls, details: Any, sizes: Sizes) -> Details:
        """Normal form of the details about sides of these sizes. Raises pydantic.ValidationError."""
        told = cls.model_validate(details, context=dict(zip(cls.model_fields, sizes, strict=True)))
        return {name: plays for name, plays in told.model_dump(exclude_defaults=True).items() if any(plays)}


def plays_of(told: Any, size: int) -> Sequence[Mapping[str, int]]:
    """How the members of a side of that size played, by what its details say in normal form."""
    if not told:
        return ({},) * size
    return (told,) if isinstance(told, dict) else tuple(told)


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
