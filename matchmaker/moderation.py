"""What moderators do to a ladder: they annul results, adjust ratings, suspend players and take them back.

Each is an entry of the log, and says who did it and why. `by` is the id of an API key, "admin" for the admin
key, "cli" for the command line.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from matchmaker.compact import compact
from matchmaker.rating.rule import CAUTION, LARGEST_POINTS, PlayerState, Rule

BY_COMMAND_LINE = "cli"

Way = Literal["set", "shift"]
"""Whether an adjustment says what the rating is from now on, or by how much it changes."""


@dataclass(frozen=True, slots=True)
class Annul:
    """What a result has changed is taken back, on both sides."""

    kind: ClassVar[Literal["annul"]] = "annul"

    result: str
    by: str
    reason: str

    def encode(self) -> str:
        return compact([self.result, self.by, self.reason])

    @property
    def players(self) -> tuple[str, ...]:
        """Nobody by name: the result knows whose ratings it moved."""
        return ()


@dataclass(frozen=True, slots=True)
class Adjust:
    """A rating is set to so many points, or shifted by them. (`strength` is what another rule, under which
    ratings stand below strengths, makes of `set`. In no log is it written.)

    With an `id`, it counts once however often it is sent.
    """

    kind: ClassVar[Literal["adjust"]] = "adjust"

    player: str
    way: Way | Literal["strength"]
    points: float
    by: str
    reason: str
    id: str | None = None

    def encode(self) -> str:
        return compact([self.player, self.way, self.points, self.by, self.reason, self.id])

    @property
    def players(self) -> tuple[str, ...]:
        return (self.player,)

    def applied(self, state: PlayerState, rule: Rule) -> PlayerState:
        """The state after it. The rating is one that the rule can hold, and never beyond LARGEST_POINTS."""
        wanted = self.points if self.way != "shift" else state.rating + self.points
        if self.way == "strength":
            wanted -= CAUTION * state.sigma
        rating = rule.settle(min(max(wanted, -LARGEST_POINTS), LARGEST_POINTS))
        return state._replace(rating=rating, peak=max(state.peak, rating))


@dataclass(frozen=True, slots=True)
class _Presence:
    """Whether a player is on the board. No rating moves."""

    player: str
    by: str
    reason: str

    def encode(self) -> str:
        return compact([self.player, self.by, self.reason])

    @property
    def players(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Suspend(_Presence):
    """A player leaves the board and every pool, and keeps its rating."""

    kind: ClassVar[Literal["suspend"]] = "suspend"


@dataclass(frozen=True, slots=True)
class Reinstate(_Presence):
    """A suspended player comes back, at the rating that it has by then."""

    kind: ClassVar[Literal["reinstate"]] = "reinstate"


Measure = Adjust | Suspend | Reinstate
"""What is done to one player."""
