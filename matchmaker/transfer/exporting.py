"""Results out of a ladder, in the order in which they count, into a file that can be imported as it is."""

import contextlib
import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from matchmaker.chronicle import read_batches
from matchmaker.results import Result
from matchmaker.store import changes, folds
from matchmaker.store.client import Store
from matchmaker.store.folds import Logged
from matchmaker.store.keys import LadderKeys
from matchmaker.timestamps import format_timestamp
from matchmaker.transfer.cells import as_list
from matchmaker.transfer.formats import Format
from matchmaker.transfer.unfinished import naming

_TWO_SIDES = ("initiator", "opponent", "outcome")
_FREE_FOR_ALL = ("sides", "ranks")


def read_log(
    store: Store, keys: LadderKeys, upto: str, after: str = folds.START
) -> Iterator[tuple[Logged, Result | None]]:
    """The log behind `after` up to `upto` itself, each entry with the result that it is, if that counts.

    What is annulled by then does not: who takes the results elsewhere counts them.
    """
    for batch in read_batches(store, keys, after, upto):
        gone = store.run(changes.annulled(keys, [each.log_id for each in batch], upto))
        for logged in batch:
            entry = logged.entry
            yield logged, entry if isinstance(entry, Result) and logged.log_id not in gone else None


def write_results(
    results: Iterable[Result],
    file: BinaryIO,
    format_: Format,
    *,
    header: bool = True,
    free_for_all: bool = False,
) -> None:
    """Writes the results; all of a Parquet file, of other formats a stretch, which has a header or none.

    Where columns have a header, those for free-for-alls are there only on demand.
    """
    told = (*_TWO_SIDES, *_FREE_FOR_ALL) if free_for_all else _TWO_SIDES
    columns = ("id", *told, "details", "played_at")
    if format_.kind == "parquet":
        from matchmaker.transfer.parquet_sheet import write_rows  # here, because it is slow to import

        write_rows((_parquet_cells(each, columns) for each in results), columns, file)
        return
    with packing(file, format_) as text:
        if format_.kind == "csv":
            writer = csv.writer(text, lineterminator="\n")
            if header:
                writer.writerow(columns)
            writer.writerows(_cells(_values(each), columns) for each in results)
        else:
            text.writelines(_json(_values(each)) + "\n" for each in results)


@contextlib.contextmanager
def packing(file: BinaryIO, format_: Format) -> Iterator[TextIO]:
    """Takes text for the file, and leaves the file open."""
    packed = format_.writer(file)
    text = io.TextIOWrapper(packed, encoding="utf-8", newline="")
    try:
        yield text
    finally:
        text.detach()
        if packed is not file:
            packed.close()


def _cells(values: Mapping[str, Any], columns: Iterable[str]) -> list[str]:
    return [_cell(values.get(column)) for column in columns]


def _parquet_cells(result: Result, columns: Iterable[str]) -> list[Any]:
    """The same, but nothing where CSV has an empty cell, and a point in time."""
    *cells, _ = _cells(_values(result), columns)
    return [*(cell or None for cell in cells), result.played_at]


def _cell(value: Any) -> str:
    """The text from which an import reads the value."""
    return value if isinstance(value, str) else _json(value) if value else ""


def _values(result: Result) -> dict[str, Any]:
    played_at = None if result.played_at is None else format_timestamp(result.played_at)
    told = {field: _unambiguous(value) for field, value in result.told.items()}
    return {"id": result.id, **told, "details": result.details, "played_at": played_at}


def _unambiguous(value: Any) -> Any:
    """An id that an import would take for the text of a list, as a list of one."""
    return [value] if isinstance(value, str) and as_list(value) is not None else value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when it is complete, and leaves nothing behind when it fails.

    Raises OSError that names the directory of `path`, or `path` itself.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with naming(path.parent):
            file = unfinished.open("xb")
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with naming(path):
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
