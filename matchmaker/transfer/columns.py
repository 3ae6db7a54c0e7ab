"""Which column says what, and which result a row then means."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from matchmaker.details import check
from matchmaker.errors import InvalidInputError
from matchmaker.rating.rule import Outcome, Rule, by_ranks
from matchmaker.results import Result
from matchmaker.sides import Ranks, Sides
from matchmaker.transfer import cells
from matchmaker.transfer.rows import BadRow, Row, listed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of columns. With `score`, the points of the two sides say who won; else `outcome` does.

    Without `id`, the digest of the file and the number of the row make one. UNASKED says what else is read:
    `sides` and `ranks` only where they are filled in and the rule knows free-for-alls.
    """

    initiator: str = "initiator"
    opponent: str = "opponent"
    outcome: str = "outcome"
    score: tuple[str, str] | None = None
    id: str | None = None
    played_at: str | None = None
    length: str | None = None
    details: str | None = None

    @property
    def required(self) -> list[str]:
        """Those that must be there."""
        decisive = self.score or (self.outcome,)
        optional = (self.id, self.played_at, self.length, self.details)
        return [self.initiator, self.opponent, *decisive, *filter(None, optional)]


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A result, and the row that it was read from."""

    row: Row
    result: Result


def read_results(
    rows: Iterable[Row | BadRow], columns: Columns, rule: Rule, file_digest: str
) -> Iterator[ReadResult | BadRow]:
    """What the rows say, under that rule. `file_digest` is text that tells this file from all others."""
    for row in rows:
        if isinstance(row, BadRow):
            yield row
            continue
        try:
            yield ReadResult(row, _result(row, columns, rule, file_digest))
        except (ValueError, InvalidInputError) as error:
            yield BadRow(row.number, row.line, str(error))


def _result(row: Row, columns: Columns, rule: Rule, file_digest: str) -> Result:
    values = row.cells
    sides, ending, fields = _sides(values, columns, rule)
    details = _read(values, columns.details, cells.details, unasked="details")
    if columns.length:
        details |= {"length": _read(values, columns.length, cells.whole_number)}
    result = Result(
        id=_read(values, columns.id, cells.identifier) if columns.id else f"{file_digest}-{row.number}",
        sides=sides,
        ending=ending,
        details=details,
        played_at=_read(values, columns.played_at, cells.timestamp, unasked="played_at"),
    )
    return check(rule, result, fields)


def _sides(
    values: Mapping[str, Any], columns: Columns, rule: Rule
) -> tuple[Sides, Outcome | Ranks, Sequence[str]]:
    """Who met, how it ended, and in which fields the sides stand."""
    if values.get("sides") and (rule.free_for_all or columns.initiator not in values):
        sides = _read(values, "sides", cells.sides)
        ranks = _read(values, "ranks", cells.ranks)
        return sides, by_ranks(ranks), ["sides"] * len(sides)
    fields = (columns.initiator, columns.opponent)
    return tuple(_read(values, field, cells.side) for field in fields), _outcome(values, columns), fields


def _outcome(values: Mapping[str, Any], columns: Columns) -> Outcome:
    if columns.score is None:
        return _read(values, columns.outcome, cells.outcome)
    own, other = (_read(values, column, cells.points) for column in columns.score)
    return "win" if own > other else "draw" if own == other else "loss"


def _read(values: Mapping[str, Any], column: str | None, meaning: Callable[[Any], T], unasked: str = "") -> T:
    """What the cell in `column` means; without one, what the cell in `unasked` does, which may be missing."""
    if column is None:
        column, cell = unasked, values.get(unasked)
    elif column in values:
        cell = values[column]
    else:
        raise ValueError(f"there is no {column!r}; there are: {listed(values)}")
    try:
        return meaning(cell)
    except ValueError as error:
        raise ValueError(f"{column}: {error}") from None
