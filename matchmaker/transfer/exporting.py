"""Results out of a ladder, in the order in which they count, into a file that can be imported as it is."""

import contextlib
import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from matchmaker.chronicle import read_batches
from matchmaker.results import Result
from matchmaker.store import changes
from matchmaker.store.client import Store
from matchmaker.timestamps import format_timestamp
from matchmaker.transfer.cells import as_list
from matchmaker.transfer.formats import Format

_TWO_SIDES = ("initiator", "opponent", "outcome")
_FREE_FOR_ALL = ("sides", "ranks")


def read_log(store: Store, ladder_id: str) -> Iterator[Result]:
    """The results in the ladder's log but for those that are annulled: who takes them elsewhere counts them.

    Raises NotFoundError for an unknown ladder.
    """
    keys = store.edition(ladder_id).keys
    for logged in read_batches(store, keys):
        gone = store.run(changes.annulled(keys, [each.log_id for each in logged]))
        yield from (
            each.entry for each in logged if isinstance(each.entry, Result) and each.log_id not in gone
        )


def write_results(
    results: Iterable[Result], file: BinaryIO, format_: Format, *, free_for_all: bool = False
) -> int:
    """Writes the results and returns their number. CSV has columns for free-for-alls only on demand."""
    count = 0
    with packing(file, format_) as text:
        write = _csv_writer(text, free_for_all) if format_.kind == "csv" else _ndjson_writer(text)
        for result in results:
            write(result)
            count += 1
    return count


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


def _csv_writer(text: TextIO, free_for_all: bool) -> Callable[[Result], object]:
    told = (*_TWO_SIDES, *_FREE_FOR_ALL) if free_for_all else _TWO_SIDES
    columns = ("id", *told, "details", "played_at")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)

    def write(result: Result) -> None:
        values = _values(result)
        writer.writerow([_cell(values.get(column)) for column in columns])

    return write


def _cell(value: Any) -> str:
    """The text from which an import reads the value."""
    return value if isinstance(value, str) else _json(value) if value else ""


def _ndjson_writer(text: TextIO) -> Callable[[Result], object]:
    return lambda result: text.write(_json(_values(result)) + "\n")


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
        with _naming(path.parent):
            file = unfinished.open("xb")
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with _naming(path):
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Failures name `path`, which people know, instead of the file beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
