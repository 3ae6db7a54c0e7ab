"""What the clients have reported and what they were answered: the service is measured by it in the end."""

from collections import defaultdict
from dataclasses import dataclass, field

from matchmaker.results import Result


@dataclass(slots=True)
class LadderLedger:
    """Of one ladder. `accepted` holds the ids that were answered 200 or 202, `annulled` those of which
    that was answered, `players` who has joined."""

    reported: dict[str, Result] = field(default_factory=dict)
    accepted: dict[str, None] = field(default_factory=dict)  # in the order of the answers
    annulled: set[str] = field(default_factory=set)
    players: list[str] = field(default_factory=list)

    def note(self, result: Result) -> Result:
        """Remembers a result that is about to be sent."""
        self.reported[result.id] = result
        return result

    def accept(self, *ids: str) -> None:
        """The service has answered for these."""
        self.accepted.update(dict.fromkeys(ids))


@dataclass(slots=True)
class Ledger:
    """Of all ladders.

    `sent_again` counts accepted results that were reported once more on purpose, `contradicted` those that
    were reported with another outcome. `surprises` are answers that no client may get, whatever is killed.
    """

    ladders: defaultdict[str, LadderLedger] = field(default_factory=lambda: defaultdict(LadderLedger))
    sent_again: int = 0
    contradicted: int = 0
    surprises: list[str] = field(default_factory=list)

    @property
    def accepted(self) -> int:
        """Number of results that the service has answered for."""
        return sum(len(ladder.accepted) for ladder in self.ladders.values())
