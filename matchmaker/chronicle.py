"""A ladder's log from its beginning, as one sequence: for all who read it whole."""

from collections.abc import Iterator
from typing import NamedTuple

from matchmaker.errors import NotFoundError
from matchmaker.results import log_order
from matchmaker.store import folds, ladders
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

    In batches of up to 1,000, none of them empty.
    """
    while batch := store.run(folds.after(keys, after, _BATCH)):
        after = batch[-1].log_id
        if upto is not None and log_order(after) > log_order(upto):
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
