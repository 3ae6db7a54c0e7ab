"""What an indicator has to say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from matchmaker.fairplay.chance import tolerated
from matchmaker.fairplay.record import Encounter

Flag = Literal[
    "linked_accounts",
    "short_matches",
    "novice_farming",
    "spike_hunting",
    "win_trading",
    "runner",
    "declined_battles",
]

FLAGS: Final[tuple[Flag, ...]] = get_args(Flag)


@dataclass(frozen=True, slots=True)
class Indication:
    """A measured value and what it may be at most.

    `threshold` is the ladder's limit with the allowance that chance gets for so few results, so it differs
    from record to record. `evidence` holds ids of results (for `declined_battles`, of battles), oldest first;
    `sentence` is for moderators.
    """

    flag: Flag
    value: float
    threshold: float
    evidence: tuple[str, ...]
    sentence: str

    @property
    def raised(self) -> bool:
        """Whether a moderator should look."""
        return self.value > self.threshold


def share(
    flag: Flag,
    part: Sequence[Encounter],
    whole: Sequence[Encounter],
    limit: float,
    certainty: float,
    what: str,
) -> Indication:
    """How large a part of the results is of one kind. `limit` is what it may be in the long run, `what` says
    what it is, behind the number of the whole."""
    value, threshold = len(part) / len(whole), tolerated(limit, len(whole), certainty)
    sentence = f"{percent(value)} of the last {len(whole)} {what} (limit for so many: {percent(threshold)})"
    return Indication(flag, value, threshold, results(part), sentence)


def results(encounters: Iterable[Encounter]) -> tuple[str, ...]:
    """Their ids, as evidence."""
    return tuple(each.result for each in encounters)


def percent(share: float) -> str:
    """As moderators read it.

    >>> percent(0.714)
    '71 %'
    """
    return f"{100 * share:.0f} %"
