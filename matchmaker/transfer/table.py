"""A file of results as a table, whatever its format."""

from collections.abc import Iterator
from typing import BinaryIO

from matchmaker.transfer.formats import Format
from matchmaker.transfer.rows import BadRow, Row
from matchmaker.transfer.text_rows import csv_rows, ndjson_rows


def read_rows(file: BinaryIO, format_: Format, columns: list[str]) -> Iterator[Row | BadRow]:
    """All rows. Raises InvalidInputError if a file whose columns have names of their own lacks one of
    these."""
    match format_.kind:
        case "parquet":
            from matchmaker.transfer.parquet_rows import parquet_rows  # here, because it is slow to import

            return parquet_rows(file, columns)
        case "csv":
            return csv_rows(file, columns)
        case "ndjson":
            return ndjson_rows(file)
