"""What came of an attack: the table, and everything that is wrong."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from rich.table import Table
from rich.text import Text

from chaos.audit import Audit
from chaos.ledger import Ledger
from chaos.reaper import PARTS, RQ, Blow
from chaos.recovery import Recovery
from chaos.rivals import Rivals
from matchmaker.cli import output


@dataclass(slots=True)
class Report:
    """Of one attack. `settled`: seconds from its end until the service was at rest, None if it never was."""

    seconds: float
    ledger: Ledger
    requests_retried: int
    kills: Sequence[Blow]
    recoveries: Sequence[Recovery]
    rq_keys_wiped: int
    rivals: Rivals
    audits: Mapping[str, Audit]
    board_faults: Sequence[str]
    leaks: Sequence[str]
    settled: float | None
    exit_code: int = -1

    def faults(self) -> list[str]:
        """What is wrong, a line each; nothing, if all promises were kept."""
        return list(self._faults())

    def _faults(self) -> Iterator[str]:
        for ladder, audit in self.audits.items():
            yield from (f"{ladder}: lost {each!r}" for each in audit.lost)
            yield from (f"{ladder}: nobody has reported {each!r}" for each in audit.unknown)
            yield from (f"{ladder}: not the fold of the log: {each}" for each in audit.differences)
            if audit.doubled:
                yield f"{ladder}: {audit.doubled} results rated too often"
            if audit.total_exact is False:
                yield f"{ladder}: the total of the ratings has changed"
        yield from (f"board of {each}" for each in self.board_faults)
        yield from (f"leaked key {each}" for each in self.leaks)
        yield from (f"unexpected answer: {each}" for each in self.ledger.surprises)
        if self.settled is None:
            yield "the service did not come to rest"
        if self.exit_code:
            yield f"the service ended with exit code {self.exit_code}"

    def summary(self) -> Table:
        """The table."""
        ledger, audits = self.ledger, self.audits.values()
        exact = [audit.total_exact for audit in audits if audit.total_exact is not None]
        kills = Counter(kill.part for kill in self.kills)
        by_part = ", ".join(f"{part} {kills[part]}" for part in PARTS)
        never = "never" if self.settled is None else f"{self.settled:.1f} s"
        return output.pairs(
            (label, Text(value))
            for label, value in (
                ("seconds", f"{self.seconds:.0f}"),
                ("results accepted", f"{ledger.accepted:,}"),
                ("retried requests", f"{self.requests_retried:,}"),
                ("sent again on purpose", f"{ledger.sent_again:,}"),
                ("contradictions refused", f"{ledger.contradicted:,}"),
                ("kills survived", f"{len(self.kills)}: {by_part}"),
                ("RQ wiped", f"once, {self.rq_keys_wiped} keys"),
                ("duplicate jobs", f"{self.rivals.jobs:,}"),
                ("folds by rivals", f"{self.rivals.folds:,}"),
                ("superseded commits", f"{sum(audit.superseded for audit in audits):,}"),
                ("unexpected answers", f"{len(ledger.surprises)}"),
                ("lost", f"{sum(len(audit.lost) for audit in audits)}"),
                ("doubled", f"{sum(audit.doubled for audit in audits)}"),
                ("never reported", f"{sum(len(audit.unknown) for audit in audits)}"),
                ("ratings equal the fold of the log", _yes(not any(audit.differences for audit in audits))),
                ("total exact", _yes(all(exact))),
                ("board ordered, ranks right", _yes(not self.board_faults)),
                ("leaked keys", f"{len(self.leaks)}"),
                ("at rest after", never),
            )
        )

    def recovery(self) -> Table:
        """Seconds until a result reported at the moment of a blow was answered and rated."""
        times = ("answered, median", "answered, max", "rated, median", "rated, max")
        table = output.table("hit", *times, right=times)
        for part in (*PARTS, RQ):
            of_part = [each for each in self.recoveries if each.part == part]
            if of_part:
                answered, rated = [each.answered for each in of_part], [each.rated for each in of_part]
                figures = (median(answered), max(answered), median(rated), max(rated))
                table.add_row(part, *(f"{seconds:.2f} s" for seconds in figures))
        return table


def _yes(good: bool) -> str:
    return "yes" if good else "NO"
