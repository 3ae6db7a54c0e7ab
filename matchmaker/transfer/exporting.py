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
from matchmaker.transfer.formats import Format

COLUMNS = ("id", "initiator", "opponent", "outcome", "details", "played_at")


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


def write_results(results: Iterable[Result], file: BinaryIO, format_: Format) -> int:
    """Writes the results and returns their number."""
    count = 0
    with packing(file, format_) as text:
        write = _csv_writer(text) if format_.kind == "csv" else _ndjson_writer(text)
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


def _csv_writer(text: TextIO) -> Callable[[Result], object]:
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)

    def write(result: Result) -> None:
        *cells, details, played_at = _values(result)
        writer.writerow((*cells, _json(details) if details else "", played_at or ""))

    return write


def _ndjson_writer(text: TextIO) -> Callable[[Result], object]:
    return lambda result: text.write(_json(dict(zip(COLUMNS, _values(result), strict=True))) + "\n")


def _values(result: Result) -> tuple[Any, ...]:
    played_at = None if result.played_at is None else format_timestamp(result.played_at)
    return result.id, result.initiator, result.opponent, result.outcome, result.details, played_at


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
