"""A player's recent record: all that the indicators know, and where each fact can come from.

Nothing here needs more than the store keeps anyhow: the player's history (the log ids of its last results),
for each of them the entry of the log and the packed changes, and the states as they are now.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from matchmaker.fold import Changes
from matchmaker.rating.rule import SCORES, Outcome, Rule
from matchmaker.results import Result

FORM_LENGTH = 20
"""Of how many results a player's form is made."""

_FORM_LEAST = 10

Shared = Literal["owner", "device"]
"""What an account has in common with that of its opponent."""


@dataclass(frozen=True, slots=True)
class Form:
    """How a player stood lately: mean and standard deviation of its ratings, in points."""

    average: float
    spread: float

    @classmethod
    def of(cls, ratings: Sequence[float]) -> "Form | None":
        """From the ratings that a player had before each of its results, oldest first; the last FORM_LENGTH
        count. None for fewer than ten, which make no form yet."""
        latest = ratings[-FORM_LENGTH:]
        if len(latest) < _FORM_LEAST:
            return None
        average = fmean(latest)
        return cls(average, math.sqrt(fmean((rating - average) ** 2 for rating in latest)))

    def excess(self, rating: float) -> float:
        """By how many standard deviations `rating` lies above the form; 0 if that never moved."""
        return (rating - self.average) / self.spread if self.spread else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """One rated result as the player under review sees it.

    From the log entry and its changes: everything up to `opponent_rating`. `length` is 0 under rules whose
    matches have none, `expected` is the player's own expected score, `opponent_rating` is the one before. It
    and `delta` are of strengths, by which pools go.

    `games`: rated games of the player before this one: those of its state now, less the results in its
    history from this one on.

    `opponent_games`: the same of the opponent, None if unknown. Exact as long as this result stands in the
    opponent's history; beyond that, those of its state now will do: they are more, which can only take a
    suspicion away.

    `opponent_form`: form of the opponent before this result, from the results that follow this one in the
    opponent's history; None if that does not reach back far enough. Only looked at if the player initiated.

    `shared`: owners from the players' fields, devices from where they were last seen.
    """

    result: str
    opponent: str
    initiated: bool
    outcome: Outcome
    abandoned: bool
    length: int
    expected: float
    delta: float
    opponent_rating: float
    games: int
    opponent_games: int | None = None
    opponent_form: Form | None = None
    shared: Shared | None = None

    @classmethod
    def seen_by(
        cls,
        player: str,
        result: Result,
        changes: Changes,
        rule: Rule,
        *,
        games: int,
        opponent_games: int | None = None,
        opponent_form: Form | None = None,
        shared: Shared | None = None,
    ) -> "Encounter":
        """The result of a duel as one of its two players sees it."""
        place = result.place(player)
        own, other = changes[place], changes[1 - place]
        return cls(
            result=result.id,
            opponent=other.player,
            initiated=place == 0,
            outcome=result.outcomes[place],
            abandoned=bool(result.details.get("abandoned")),
            length=rule.length(result.details),
            expected=own.move.expected,
            delta=own.move.strength,
            opponent_rating=other.strength_before,
            games=games,
            opponent_games=opponent_games,
            opponent_form=opponent_form,
            shared=shared,
        )

    @property
    def score(self) -> float:
        return SCORES[self.outcome]

    @property
    def left(self) -> bool:
        """Whether the player walked away: who abandons a game loses it."""
        return self.abandoned and self.outcome == "loss"


@dataclass(frozen=True, slots=True)
class IssuedBattle:
    """A battle that the player asked for and either played or let expire; open and cancelled ones are none.

    `gap` is the opponent's rating less the player's when it was issued, in points: a battle's record has
    both. Those that expire must be noted when the next one is asked for, or looked up within a day.
    """

    id: str
    gap: float
    played: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A player's last results and last issued battles, both oldest first."""

    encounters: tuple[Encounter, ...] = ()
    battles: tuple[IssuedBattle, ...] = ()
