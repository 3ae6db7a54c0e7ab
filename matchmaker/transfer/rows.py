"""Rows of a file of results, as they stand there: cells by the names of their columns."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from matchmaker.errors import InvalidInputError

UNASKED: Final = ("played_at", "details", "sides", "ranks")
"""Columns that are read even when nobody asks for them, so that an export can be imported as it is."""

_LONGEST_LIST = 500


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `number` counts rows from 1, `line` is where in the file it begins, if it has lines."""

    number: int
    line: int | None
    cells: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that is no result, and why."""

    number: int
    line: int | None
    reason: str

    @property
    def place(self) -> str:
        """Where people find it."""
        return f"row {self.number}" if self.line is None else f"line {self.line}"


def listed(columns: Iterable[str]) -> str:
    """Names of columns for a message: quoted, and only as many as a line takes."""
    names = ", ".join(map(repr, columns))
    return names if len(names) <= _LONGEST_LIST else f"{names[:_LONGEST_LIST]}…"


def check_header(header: list[str], columns: list[str]) -> None:
    """Raises InvalidInputError unless each of these columns is there once."""
    if not header:
        raise InvalidInputError("the file is empty: its first line must name the columns")
    times = Counter(header)
    for column in columns:
        if not times[column]:
            raise InvalidInputError(f"there is no column {column!r}; there are: {listed(header)}")
        if times[column] > 1:
            raise InvalidInputError(f"there are {times[column]} columns {column!r}")
