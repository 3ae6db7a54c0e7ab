"""Archiving: settled entries of a ladder's log, and what the fold made of them, move from the store into
files.

Settled is what was folded and is older than the ladder's `keep_days`. A file is written and read back before
the store takes it up and cuts its entries off. A job may be killed anywhere, run twice or in two places at
once: whoever comes second finds that the files or the stream are not what they were, and its file belongs to
nobody.
"""

import contextlib
from collections.abc import Iterator, Sequence
from itertools import takewhile
from uuid import uuid4

from matchmaker.archive import ArchivedFile, Row, month, pack_rows
from matchmaker.errors import ArchiveUnavailableError, NotFoundError
from matchmaker.results import log_order
from matchmaker.store import archives, folds, ladders
from matchmaker.store.call import Shelf, StaleLadderError
from matchmaker.store.client import Store
from matchmaker.store.ladders import Edition
from matchmaker.timestamps import DAY_MS

ROWS = 25_000
"""In one file: few enough that a job makes room for others after each, enough to be read quickly."""

_ATTEMPTS = 10  # each in vain because somebody else is at it and does the work


def archive_once(
    store: Store, ladder_id: str, now: int, rows: int = ROWS, *, keep_days: int | None = None
) -> ArchivedFile | None:
    """Archives up to `rows` entries, or what the fold made of as many; None if nothing is left to archive.

    `now` is in milliseconds since the epoch, `keep_days` takes the place of the ladder's own. Raises
    NotFoundError for an unknown ladder, ArchiveUnavailableError if the file can't be written; then everything
    is still in the store.
    """
    while True:
        # As it is now: a `keep_days` that has changed makes nobody else notice.
        edition = store.run(ladders.read(ladder_id))
        if edition is None:
            raise NotFoundError("ladder", ladder_id)
        with contextlib.suppress(StaleLadderError):
            days = edition.ladder.keep_days if keep_days is None else keep_days
            return None if days is None else _archive_any(store, edition, now - days * DAY_MS, rows)


def _archive_any(store: Store, edition: Edition, before: int, rows: int) -> ArchivedFile | None:
    for shelf in (archives.changes_shelf(edition.keys), archives.log_shelf(edition.keys)):
        for _ in range(_ATTEMPTS):
            settled = _settled(store, edition, shelf, before, rows)
            if not settled:
                break
            if file := _move(store, edition, shelf, settled):
                return file
    return None


def _settled(store: Store, edition: Edition, shelf: Shelf, before: int, count: int) -> Sequence[Row]:
    """The oldest rows of the stream that are folded and from before that moment, all of one month."""
    cursor = store.run(folds.cursor(edition.keys))
    if cursor == folds.START:
        return ()
    # Without the cursor's own entry, by which the log knows that it is the log that was folded.
    border = min(cursor, f"{max(before, 1)}-0", key=log_order)
    found = store.run(archives.rows(shelf, border, count))
    if not found:
        return ()
    first = month(found[0][0].decode())
    return list(takewhile(lambda row: month(row[0].decode()) == first, found))


def _move(store: Store, edition: Edition, shelf: Shelf, rows: Sequence[Row]) -> ArchivedFile | None:
    """Moves the rows into a file; None if somebody else was faster."""
    archive_id = store.run(archives.name(shelf, uuid4().hex))
    files = store.files(shelf)
    first, last = rows[0][0].decode(), rows[-1][0].decode()
    content = pack_rows(shelf.kind, rows)
    file = ArchivedFile.of(shelf.directory(archive_id, edition.generation), first, last, len(rows), content)
    if store.archive is None:
        raise ArchiveUnavailableError(file.path, "can't be written: this process knows no archive")
    store.archive.depot.write(file.path, content)
    taken = store.run(archives.shelve(edition, shelf, archive_id, len(files), file))
    return file if taken else None


def archive_all(
    store: Store, ladder_id: str, now: int, keep_days: int | None = None
) -> Iterator[ArchivedFile]:
    """Archives, file by file, until nothing is left; see `archive_once`."""
    while file := archive_once(store, ladder_id, now, keep_days=keep_days):
        yield file
