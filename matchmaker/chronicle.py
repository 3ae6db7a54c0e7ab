"""A ladder's log from its beginning, as one sequence: for all who read it whole."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from matchmaker.archive import Row
from matchmaker.errors import ArchiveUnavailableError, NotFoundError
from matchmaker.results import log_order
from matchmaker.store import archives, folds, ladders
from matchmaker.store.call import Shelf
from matchmaker.store.client import Store
from matchmaker.store.folds import Logged
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition

_BATCH = 1000


class Extent(NamedTuple):
    """A ladder, the last entry of its log that is folded, and how many there are up to which last one. All of
    them were accepted under these settings, or in their eras."""

    edition: Edition
    cursor: str
    entries: int
    last: str


def look_up(store: Store, ladder_id: str) -> Extent:
    """How far the ladder's log goes at the moment. Raises NotFoundError for an unknown ladder."""
    while True:
        edition = store.run(ladders.read(ladder_id))
        if edition is None:
            raise NotFoundError("ladder", ladder_id)
        cursor = store.run(folds.cursor(edition.keys))
        entries, last = store.run(folds.extent(edition.keys))
        after = store.run(ladders.read(ladder_id))
        if after and after.revision == edition.revision:
            return Extent(edition, cursor, entries, last)


def read_batches(
    store: Store, keys: LadderKeys, after: str = folds.START, upto: str | None = None
) -> Iterator[list[Logged]]:
    """The entries behind `after` up to `upto` itself (None: to the end, as it is when that is reached).

    In batches of up to some 1,000, none of them empty; archived entries first, without a gap though more of
    them are archived meanwhile. Raises ArchiveUnavailableError.
    """
    for rows in read_rows(store, archives.log_shelf(keys), after):
        batch = folds.read_rows(rows)
        if upto is not None and log_order(batch[-1].log_id) > log_order(upto):
            batch = [each for each in batch if log_order(each.log_id) <= log_order(upto)]
            if batch:
                yield batch
            return
        yield batch


def read_entries(
    store: Store, keys: LadderKeys, after: str = folds.START, upto: str | None = None
) -> Iterator[Logged]:
    """The same, one by one."""
    for batch in read_batches(store, keys, after, upto):
        yield from batch


def read_rows(store: Store, shelf: Shelf, after: str = folds.START) -> Iterator[Sequence[Row]]:
    """The rows of a shelf and then of its stream, as they stand there, from behind `after` to the end."""
    while True:
        files = store.files(shelf)
        for file in files:
            if log_order(file.last) <= log_order(after):
                continue
            if store.archive is None:
                raise ArchiveUnavailableError(file.path, "can't be read: this process knows no archive")
            for rows in store.archive.rows(file, after):
                yield rows
                after = rows[-1][0].decode()
        while (found := store.run(archives.behind(shelf, after, _BATCH, files))) is not None:
            if found:
                yield found
                after = found[-1][0].decode()
            if len(found) < _BATCH:
                return  # and does not run after what comes in meanwhile
