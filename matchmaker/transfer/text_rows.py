"""Rows of a file of text: CSV, or NDJSON.

Bytes that are no UTF-8 become lone surrogates, which no id may contain.
"""

import csv
import io
import json
from collections.abc import Iterator
from typing import BinaryIO

from matchmaker.errors import InvalidInputError
from matchmaker.transfer.rows import BadRow, Row, check_header


def csv_rows(file: BinaryIO, columns: list[str]) -> Iterator[Row | BadRow]:
    """All rows. Raises InvalidInputError if the header lacks one of these columns."""
    reader = csv.reader(_decoded(file))
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


def ndjson_rows(file: BinaryIO) -> Iterator[Row | BadRow]:
    """All rows. They bring their own names, so each is on its own."""
    number = 0
    for line, written in enumerate(_decoded(file), start=1):
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


def _decoded(file: BinaryIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="")
