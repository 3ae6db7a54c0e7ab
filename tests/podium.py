"""A rule for free-for-alls that is simple enough to be reckoned in the head."""

from collections.abc import Sequence
from typing import ClassVar

from matchmaker.rating import InitiatorK
from matchmaker.rating.rule import Details, Move, PlayerState
from matchmaker.sides import Ranks


class Podium(InitiatorK):
    """Of more than two sides, the best gains 16 points for each member, the next 0, all others lose 8."""

    free_for_all: ClassVar[bool] = True

    def rate_sides(
        self, sides: Sequence[Sequence[PlayerState]], ranks: Ranks, details: Details
    ) -> tuple[tuple[Move, ...], ...]:
        if len(sides) == 2:
            return super().rate_sides(sides, ranks, details)
        moves = {1: Move(16.0, 16.0, 0.5), 2: Move(0.0, 16.0, 0.5)}
        loss = Move(-8.0, 16.0, 0.5)
        return tuple((moves.get(rank, loss),) * len(side) for side, rank in zip(sides, ranks, strict=True))
