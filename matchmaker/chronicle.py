"""A ladder's log from its beginning, as one sequence: for all who read it whole."""

from collections.abc import Iterator

from matchmaker.results import log_order
from matchmaker.store import folds
from matchmaker.store.client import Store
from matchmaker.store.folds import Logged
from matchmaker.store.keys import LadderKeys

_BATCH = 1000


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
