"""The sweep: makes up for what was killed half-way.

It wakes ladders whose log has outrun their cursor, so that a lost job delays results, no more. It completes
what blocking or unblocking a device began. And it has those reviewed who have played: so nobody is more than
once in a second, however much it plays. It is the clock by which ladders are archived, and it frees what a
rebuild has left that was killed.
"""

import logging
from threading import Event, Thread

from redis.exceptions import RedisError
from rq import Queue

from matchmaker.queue import (
    call_archive_job,
    call_folding_job,
    call_review_job,
    queued_ladders,
    queued_reviews,
)
from matchmaker.store import archives, blocks, flags, folds, generations, ladders
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys

INTERVAL_MS = 1000
"""All worker processes together sweep once in this time."""

ARCHIVING_MS = 60_000
"""And look for ladders to be archived, and for what rebuilds have left, once in this one."""

_log = logging.getLogger(__name__)


def sweep(store: Store, queue: Queue) -> list[str]:
    """Calls a job for every ladder that has results to fold and nobody awake; returns these ladders.

    A ladder whose job waits its turn in a long queue is kept awake: no second job is needed for it.
    """
    for ladder in queued_ladders(queue):
        store.run(folds.stay_awake(LadderKeys(ladder)))
    woken = [ladder for ladder in store.run(ladders.index()) if store.run(folds.rouse(LadderKeys(ladder)))]
    for ladder in woken:
        call_folding_job(queue, ladder)
    return woken


def call_reviews(store: Store, queue: Queue) -> list[str]:
    """Calls a job for every ladder with players to review and no such job in the queue; returns these."""
    queued = queued_reviews(queue)
    wanting = [
        ladder
        for ladder in store.run(ladders.index())
        if ladder not in queued and store.run(flags.waiting(LadderKeys(ladder)))
    ]
    for ladder in wanting:
        call_review_job(queue, ladder)
    return wanting


def call_archiving(store: Store, queue: Queue, interval: int) -> list[str]:
    """Calls a job for every ladder that has a `keep_days` and whose turn it is again after so many seconds;
    returns these ladders."""
    due = [
        ladder
        for ladder in store.run(ladders.index())
        if _is_archived(store, ladder) and store.run(archives.take_turn(LadderKeys(ladder), interval * 1000))
    ]
    for ladder in due:
        call_archive_job(queue, ladder)
    return due


def _is_archived(store: Store, ladder: str) -> bool:
    edition = store.run(ladders.read(ladder))
    return edition is not None and edition.ladder.keep_days is not None


def clear_rebuilds(store: Store) -> list[str]:
    """Frees what rebuilds have left that were broken off, such as by a kill; returns the ladders of these."""
    return [
        ladder for ladder in store.run(ladders.index()) if store.run(generations.clear(LadderKeys(ladder)))
    ]


def complete_blocks(store: Store) -> int:
    """Does what is left to do for devices that were blocked or unblocked; returns for how many."""
    unfinished = store.run(blocks.unfinished())
    for tag, word in unfinished.items():
        store.carry_out(blocks.complete(tag, word))
    return len(unfinished)


class Sweeper(Thread):
    """Sweeps in the background of a worker process for as long as that lives."""

    def __init__(self, store: Store, queue: Queue, archive_interval: int) -> None:
        """`archive_interval` is in seconds."""
        super().__init__(name="sweeper", daemon=True)
        self._store = store
        self._queue = queue
        self._archive_interval = archive_interval
        self._stopped = Event()

    def run(self) -> None:
        while not self._stopped.wait(INTERVAL_MS / 1000):
            try:
                if self._store.run(folds.take_sweep(INTERVAL_MS)):
                    complete_blocks(self._store)  # first: it may give folding jobs something to do
                    for ladder in sweep(self._store, self._queue):
                        _log.info("woke ladder %s", ladder)
                    call_reviews(self._store, self._queue)
                if self._store.run(archives.take_look(ARCHIVING_MS)):
                    call_archiving(self._store, self._queue, self._archive_interval)
                    for ladder in clear_rebuilds(self._store):
                        _log.info("freed what a rebuild of ladder %s had left", ladder)
            except RedisError as error:
                _log.warning("no sweep: %s", error)

    def stop(self) -> None:
        """Ends the thread after the sweep that is going on."""
        self._stopped.set()
        self.join()
