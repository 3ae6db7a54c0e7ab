"""Rows of a file of results, as they stand there: cells by the names of their columns."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from matchmaker.errors import InvalidInputError
from matchmaker.transfer.formats import Format

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


def read_rows(text: BinaryIO, format_: Format, columns: list[str]) -> Iterator[Row | BadRow]:
    """All rows. Bytes that are no UTF-8 become lone surrogates, which no id may contain.

    Raises InvalidInputError if the header of a CSV file, or a Parquet file, lacks one of these columns. Rows
    of NDJSON bring their own names, so there each row is on its own.
    """
    if format_.kind == "parquet":
        from matchmaker.transfer.parquet_rows import parquet_rows  # here, because it is slow to import

        return parquet_rows(text, columns)
    decoded = io.TextIOWrapper(text, encoding="utf-8-sig", errors="surrogateescape", newline="")
    return _csv_rows(decoded, columns) if format_.kind == "csv" else _ndjson_rows(decoded)


def _csv_rows(text: io.TextIOWrapper, columns: list[str]) -> Iterator[Row | BadRow]:
    reader = csv.reader(text)
    try:
        header = [name.strip() for name in next(reader, [])]
    except csv.Error as error:
        raise InvalidInputError(f"the header can't be read: {error}") from None
    check_header(header, columns)
    number = 0
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
            reason = None
        except csv.Error as error:
            cells, reason = [""], str(error)
        if cells is None:
            return
        if not cells:  # an empty line
            continue
        number += 1
        if reason is None and len(cells) != len(header):
            reason = f"has {len(cells)} cells, the header {len(header)}"
        if reason is None:
            yield Row(number, line, dict(zip(header, cells, strict=True)))
        else:
            through = f" (up to line {reader.line_num}: is a quote missing?)" * (reader.line_num > line)
            yield BadRow(number, line, reason + through)


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


def _ndjson_rows(text: io.TextIOWrapper) -> Iterator[Row | BadRow]:
    number = 0
    for line, written in enumerate(text, start=1):
        if not written.strip():
            continue
        number += 1
        try:
            cells = json.loads(written)
        except (ValueError, RecursionError) as error:
            yield BadRow(number, line, f"is not JSON: {error}")
            continue
        if isinstance(cells, dict):
            yield Row(number, line, cells)
        else:
            yield BadRow(number, line, "must be a JSON object")
