"""The jobs that RQ runs. They may be killed anywhere and run twice: see matchmaker.folding."""

import logging
from dataclasses import dataclass
from functools import cache, partial
from time import monotonic, time_ns

from redis.exceptions import RedisError
from rq import Queue

from matchmaker.archiving import archive_once
from matchmaker.config import load_settings
from matchmaker.endpoints import archive, queue_url, store_url
from matchmaker.errors import ArchiveUnavailableError, NotFoundError
from matchmaker.folding import fold_batch
from matchmaker.queue import call_archive_job, call_folding_job, call_review_job, folding_queue
from matchmaker.results import milliseconds
from matchmaker.reviewing import review_player
from matchmaker.store import archives, flags, folds
from matchmaker.store.call import Plan
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.outages import is_passing

SLICE = 1.0
"""Seconds after which a job makes room for other ladders and for a shutdown."""

TURN = 0.1
"""Seconds that a job has to itself, however many others wait: it rates what gathers in that time at once."""

LINGER_MS = 50
"""How long a job waits for more before it goes to rest: a busy ladder needs no job for each result."""

REVIEW_SLICE = 0.06
"""Seconds after which a job of reviewing ends while the ladder is in use. The sweep calls one each second."""

QUIET_MS = 2000
"""After so long without a result a ladder is not in use: then jobs of reviewing follow one another."""

REVIEWS = 100
"""Players that such a job takes on at most."""


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
    store = Store(connect(store_url(settings)), archive=archive(settings))
    return Bench(store, folding_queue(queue_url(settings)))


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
    except ArchiveUnavailableError as error:
        # What it holds is to be annulled, and what comes behind that in the log waits for it.
        _log.warning("folding %s waits for the archive, the sweep will go on: %s", ladder_id, error)
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


class _GivenUpError(Exception):
    """A review was broken off to make room; its player is still to be reviewed."""


def review_ladder(ladder_id: str) -> None:
    """Reviews some of those who have played, for a slice of time, or until results wait to be rated.

    The first review is finished whoever waits: on a busy ladder somebody always does. On a quiet ladder it
    calls the next job if there is more to do; else the sweep does, for whoever is left.
    """
    store, queue = bench().store, bench().queue
    start, finished = monotonic(), 0

    def plan(edition: Edition, player: str, seen: bytes) -> Plan[bool]:
        review, result = review_player(edition, player, seen, _now()), None
        while True:
            try:
                call = review.send(result)
            except StopIteration as end:
                return bool(end.value)
            if finished and queue.count:
                raise _GivenUpError
            result = yield call

    try:
        keys = store.edition(ladder_id).keys
        quiet = _now() - milliseconds(store.run(folds.cursor(keys))) > QUIET_MS
        chosen = store.run(flags.to_review(keys, REVIEWS))
        for player, seen in chosen.items():
            store.follow(ladder_id, partial(plan, player=player, seen=seen))
            finished += 1
            if monotonic() >= start + (SLICE if quiet else REVIEW_SLICE):
                break
        if quiet and store.run(flags.waiting(keys)):
            call_review_job(queue, ladder_id)
    except (NotFoundError, _GivenUpError):
        return  # the ladder is gone, and its players with it; or others are served first
    except ArchiveUnavailableError as error:
        _log.warning("reviewing %s was interrupted, the sweep will go on: %s", ladder_id, error)
    except RedisError as error:
        if not is_passing(error):
            raise
        _log.warning("reviewing %s was interrupted, the sweep will go on: %s", ladder_id, error)


def archive_ladder(ladder_id: str) -> None:
    """Archives what is settled, file by file for a slice of time, or until others wait in the queue.

    Then the next such job goes to the back of the queue. What fails is tried again when the ladder is due
    next.
    """
    store, queue = bench().store, bench().queue
    start = monotonic()
    try:
        while archive_once(store, ladder_id, _now()):
            if queue.count > 0 or monotonic() >= start + SLICE:
                call_archive_job(queue, ladder_id)
                return
        store.run(archives.note_success(LadderKeys(ladder_id), _now()))
    except NotFoundError:
        return  # the ladder is gone, and its log with it
    except ArchiveUnavailableError as error:
        store.run(archives.note_failure(LadderKeys(ladder_id)))
        _log.warning(
            "archiving %s failed, its entries stay in the store: %s %s", ladder_id, error, error.__cause__
        )
    except RedisError as error:
        if not is_passing(error):
            raise
        _log.warning("archiving %s was interrupted, it will go on later: %s", ladder_id, error)


def _now() -> int:
    """Milliseconds since the epoch."""
    return time_ns() // 1_000_000
