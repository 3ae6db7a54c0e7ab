"""Folding results in batches, against one RQ job per result; and what results cost in memory.

Run alone with `python -m benchmarks.folding`.
"""

from functools import cache
from statistics import median
from time import perf_counter

import redis
from rq import Queue, SimpleWorker, Worker
from rq.worker import BaseWorker

from benchmarks.ladders import create, fresh_server, player, populate, report
from benchmarks.report import line, title
from matchmaker.folding import fold_all, fold_batch
from matchmaker.store.client import Store
from matchmaker.store.connect import connect

CROWD = 1_000
ROUNDS = 5
RESULTS, SIMPLE_JOBS, FORKED_JOBS = 10_000, 150, 30
HISTORY_RESULTS = 80_000


@cache
def _store(url: str) -> Store:
    return Store(connect(url))


def rate_one(url: str, ladder_id: str) -> None:
    """The job that the log and the fold are instead of: it rates one result."""
    fold_batch(_store(url), ladder_id, batch=1)


def _rate_by_jobs(client: redis.Redis, url: str, worker_class: type[BaseWorker], jobs: int) -> float:
    """Results a second; calling the jobs is part of it, for every result needs one."""
    queue = Queue("benchmark", connection=client)
    start = perf_counter()
    for _ in range(jobs):
        queue.enqueue("benchmarks.folding.rate_one", url, "crowd", result_ttl=0)
    worker = worker_class([queue], connection=client)
    worker.log_job_description = False
    worker.work(burst=True, logging_level="ERROR")
    return jobs / (perf_counter() - start)


def _measure_rates(store: Store, client: redis.Redis, url: str) -> None:
    number = 0
    folded: list[float] = []
    simple: list[float] = []
    forked: list[float] = []
    for _ in range(ROUNDS):
        report(store, "crowd", number, RESULTS, CROWD)
        start = perf_counter()
        fold_all(store, "crowd")
        folded.append(RESULTS / (perf_counter() - start))
        number += RESULTS
        for rates, worker_class, jobs in ((simple, SimpleWorker, SIMPLE_JOBS), (forked, Worker, FORKED_JOBS)):
            report(store, "crowd", number, jobs, CROWD)
            rates.append(_rate_by_jobs(client, url, worker_class, jobs))
            number += jobs
            fold_all(store, "crowd")
    line("folding in batches of 1,000", f"{median(folded):,.0f} results/s")
    line("one job per result, SimpleWorker", f"{median(simple):,.0f} results/s")
    line("one job per result, forking Worker", f"{median(forked):,.0f} results/s")
    line("folding against SimpleWorker", f"{median(folded) / median(simple):,.0f} x", "at least 50 x")
    line("folding against forking Worker", f"{median(folded) / median(forked):,.0f} x", "at least 50 x")


def _measure_memory(store: Store, client: redis.Redis) -> None:
    create(store, "history")
    keys = store.edition("history").keys
    populate(store, client, "history", CROWD)
    report(store, "history", 0, HISTORY_RESULTS, CROWD)
    fold_all(store, "history")
    histories = [keys.history(player(number)) for number in range(CROWD)]
    kept = sum(int(client.llen(name)) for name in histories)
    size = sum(client.memory_usage(name, samples=0) or 0 for name in histories)
    line(f"a kept entry of a history ({kept / CROWD:.0f} per player)", f"{size / kept:.1f} B")
    for what, name in (("log", keys.log), ("changes", keys.changes), ("ids", keys.ids)):
        line(
            f"a result for ever: {what}",
            f"{(client.memory_usage(name, samples=0) or 0) / HISTORY_RESULTS:.0f} B",
        )


def measure() -> None:
    """Prints the measurements."""
    with fresh_server() as (store, client, url):
        populate(store, client, "crowd", CROWD)
        fold_all(store, "crowd")
        title(f"Rating results of {CROWD:,} players")
        _measure_rates(store, client, url)
        title("Memory of results")
        _measure_memory(store, client)


if __name__ == "__main__":
    measure()
