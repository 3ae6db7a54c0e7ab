"""Where a player stands, put together from its state and its place on the board. Pure."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from matchmaker.rating.rule import PlayerState


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the board: `rank` is 1 + the number of strictly better players, `worse` counts the strictly
    worse ones, `of` all players on the board."""

    rank: int
    worse: int
    of: int


def absent(number: float | None) -> bool:
    """Whether there is nothing to say: such a field is left out of an answer."""
    return number is None


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's line. Without a place on the board (suspended), rank and percentile are None.

    Under rules with a sigma there is no `k`, but a `mu` and a `sigma`, of which `rating` is made.
    """

    player: str
    name: str | None
    owner: str | None
    status: str
    rating: float
    rank: int | None
    of: int
    percentile: float | None
    tier: str | None
    games: int
    wins: int
    draws: int
    losses: int
    k: float | None
    provisional: bool
    experience: int
    peak: float
    mu: Annotated[float | None, Field(exclude_if=absent)] = None
    sigma: Annotated[float | None, Field(exclude_if=absent)] = None

    @property
    def state(self) -> PlayerState:
        """What a rating rule knows of the player."""
        return PlayerState(
            *(self.rating, self.games, self.wins, self.draws, self.losses, self.experience, self.peak),
            self.sigma or 0.0,
        )


def percentile(place: Place) -> float:
    """Share, from 0 to 100, of the other players that are rated strictly lower; 100 for a player alone."""
    return 100.0 * place.worse / (place.of - 1) if place.of > 1 else 100.0
