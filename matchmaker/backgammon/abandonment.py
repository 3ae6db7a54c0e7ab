"""A match that one side has left: the leaver loses it, perhaps with a gammon."""

from dataclasses import dataclass
from typing import Literal

from matchmaker.backgammon.notation import xgid
from matchmaker.backgammon.position import Position
from matchmaker.details import check
from matchmaker.errors import ConflictError
from matchmaker.ladder import Ladder
from matchmaker.rating import MatchLength
from matchmaker.rating.rule import LOST_BY, Details, Seat
from matchmaker.results import Result


@dataclass(frozen=True, slots=True)
class Abandonment:
    """What a game reports. The evidence is the position, or the leaver's probability of losing a gammon, or
    nothing."""

    id: str
    initiator: str
    opponent: str
    leaver: Seat
    length: int
    evidence: Position | float | None = None

    def ruled(self, ladder: Ladder, gammon_probability: float | None) -> Result:
        """The result that enters the log. Raises ConflictError `wrong_rule`, InvalidInputError."""
        demand_matches(ladder)
        outcome = LOST_BY[self.leaver]
        details = self._reported | {
            "points": points(gammon_probability, ladder.gammon_threshold),
            "gammon_probability": gammon_probability,
        }
        return check(ladder.rule, Result.duel(self.id, self.initiator, self.opponent, outcome, details))

    def is_told_by(self, result: Result) -> bool:
        """Whether the result, which bears the same id, was made of the same report."""
        reported = dict(result.details)
        if reported.pop("points", None) is None or result.players != (self.initiator, self.opponent):
            return False
        if "position" in reported:
            reported.pop("gammon_probability", None)  # was not reported, but ruled
        return reported == self._reported

    @property
    def _reported(self) -> Details:
        reported: Details = {"length": self.length, "abandoned": self.leaver}
        if isinstance(self.evidence, Position):
            reported["position"] = xgid(self.evidence)
        elif self.evidence is not None:
            reported["gammon_probability"] = self.evidence
        return reported


def demand_matches(ladder: Ladder) -> None:
    """Raises ConflictError `wrong_rule` if the ladder is not one of matches in backgammon."""
    if not isinstance(ladder.rule, MatchLength):
        raise ConflictError(
            "wrong_rule",
            f"Ladder {ladder.id!r} rates by {ladder.rule.name}; matches are left where match_length rates.",
        )


def points(gammon_probability: float | None, threshold: float) -> Literal[1, 2]:
    """What the game that was left is worth to the one who stayed; a threshold of 0 stands for any chance."""
    return 2 if gammon_probability and gammon_probability >= threshold else 1
