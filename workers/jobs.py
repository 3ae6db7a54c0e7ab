"""The jobs that RQ runs. They may be killed anywhere and run twice: see matchmaker.folding."""

import logging
from dataclasses import dataclass
from functools import cache
from time import monotonic

from redis.exceptions import RedisError
from rq import Queue

from matchmaker.config import load_settings
from matchmaker.endpoints import queue_url, store_url
from matchmaker.errors import NotFoundError
from matchmaker.folding import fold_batch
from matchmaker.queue import call_folding_job, folding_queue
from matchmaker.store import folds
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.keys import LadderKeys
from matchmaker.store.outages import is_passing

SLICE = 1.0
"""Seconds after which a job makes room for other ladders and for a shutdown."""

TURN = 0.1
"""Seconds that a job has to itself, however many others wait: it rates what gathers in that time at once."""

LINGER_MS = 50
"""How long a job waits for more before it goes to rest: a busy ladder needs no job for each result."""


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Bench:
    """What a job works with."""

    store: Store
    queue: Queue


@cache
def bench() -> Bench:
    """The store and the queue of this process, from its settings."""
    settings = load_settings()
    return Bench(Store(connect(store_url(settings))), folding_queue(queue_url(settings)))


def fold_ladder(ladder_id: str) -> None:
    """Folds the ladder's log until nothing is left, lingers a moment, then rests.

    When its turn is over and others wait in the queue, or after its slice of time, it goes to the back of
    the queue instead.
    """
    store, queue = bench().store, bench().queue
    start = monotonic()
    try:
        keys = store.edition(ladder_id).keys
        store.run(folds.stay_awake(keys))
        while monotonic() < start + SLICE:
            folded = fold_batch(store, ladder_id)
            if not folded and not _lingers(store, keys):
                break
            if monotonic() >= start + TURN and queue.count > 0:
                break
        if not store.run(folds.rest(keys)):
            call_folding_job(queue, ladder_id)
    except NotFoundError:
        return  # the ladder is gone, and its log with it
    except RedisError as error:
        if not is_passing(error):
            raise
        _log.warning("folding %s was interrupted, the sweep will go on: %s", ladder_id, error)


def _lingers(store: Store, keys: LadderKeys) -> bool:
    """Waits a moment for more results; whether any came."""
    try:
        return store.run(folds.await_entry(keys, store.run(folds.cursor(keys)), LINGER_MS))
    except RedisError:  # in a cluster another node has to tell which keys this command has
        return False
