"""Whether results are rated: the queue, its workers, and how far each ladder is behind."""

import time
from collections.abc import Iterator

from rq import Queue, Worker

from matchmaker.doctor.finding import Finding, graded
from matchmaker.store import counters, folds, ladders
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys

_SWEEP_SECONDS = 3.0
_POLL_SECONDS = 0.05


def check_queue(queue: Queue, ladder_count: int) -> Iterator[Finding]:
    """Findings about the queue. Raises redis.exceptions.RedisError."""
    connection = queue.connection
    if connection.execute_command("INFO", "cluster").get("cluster_enabled"):
        yield Finding(
            "queue",
            "bad",
            "it is on a cluster, on which RQ does not run",
            "Set MATCHMAKER_QUEUE_URL to a single server.",
        )
        return
    # Each ladder has one job on its way at most, and another one after some seconds if that was lost.
    crowd = 10 * (ladder_count + 1)
    yield graded(
        "queue",
        queue.count,
        warning=crowd,
        bad=10 * crowd,
        text=f"{queue.count:,} jobs wait",
        advice="Start more workers, and look into `rq info` for jobs that fail.",
    )
    failed = queue.failed_job_registry.get_job_count(cleanup=False)
    yield graded(
        "failed jobs",
        failed,
        warning=1,
        bad=100,
        text=f"{failed:,} in the last day",
        advice="`rq info` lists them, the workers' log says why; nothing is lost, the log keeps all results.",
    )


def check_workers(store: Store, queue: Queue) -> Finding:
    """Whether workers are alive: all together they look for sleeping ladders once a second."""
    registered = Worker.count(queue=queue)
    deadline = time.monotonic() + _SWEEP_SECONDS
    while not store.run(folds.sweep_taken()):
        if time.monotonic() > deadline:
            return Finding(
                "workers",
                "bad",
                f"none has given a sign of life within {_SWEEP_SECONDS:g} s ({registered} are registered)",
                "Start `matchmaker worker`, with the same MATCHMAKER_STORE_URL and MATCHMAKER_QUEUE_URL.",
            )
        time.sleep(_POLL_SECONDS)
    if not registered:
        return Finding(
            "workers",
            "bad",
            "workers are at this store, but none at this queue: jobs are never done",
            "Give API and workers the same MATCHMAKER_QUEUE_URL.",
        )
    return Finding("workers", "ok", f"{registered} registered, and alive")


def check_ladders(store: Store) -> Iterator[Finding]:
    """How far each ladder is behind. Raises redis.exceptions.RedisError."""
    for ladder in store.run(ladders.index()):
        pulse = store.run(counters.pulse(LadderKeys(ladder)))
        if pulse is None:
            continue
        behind = (
            f"behind by {pulse.backlog:,} in the log, {pulse.lag_seconds:,.1f} s"
            if pulse.backlog
            else "up to date"
        )
        yield graded(
            f"ladder {ladder}",
            pulse.lag_seconds,
            warning=5.0,
            bad=60.0,
            text=f"{pulse.players:,} players, {pulse.rated:,} results rated, {behind}",
            advice="See whether workers are alive; if they are, their log says what keeps them.",
        )
