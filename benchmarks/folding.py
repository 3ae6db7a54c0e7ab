"""Folding results in batches: on a large ladder, and against one RQ job per result on a small one.

Run alone with `python -m benchmarks.folding`.
"""

from functools import cache
from statistics import median
from time import perf_counter, process_time

import redis
from rq import Queue, SimpleWorker, Worker
from rq.worker import BaseWorker

from benchmarks.ladders import LARGE, fresh_server, large_directory, populate, report
from benchmarks.report import line, title
from matchmaker.folding import fold_all, fold_batch
from matchmaker.store.client import Store
from matchmaker.store.connect import Client, connect
from matchmaker.store.embedded import embedded_server

CROWD = 1_000
ROUNDS = 5
RESULTS, SIMPLE_JOBS, FORKED_JOBS = 10_000, 150, 30
LARGE_RESULTS = 1_000_000


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
    line("folding against SimpleWorker", f"{median(folded) / median(simple):,.0f} x", "at least 100 x")
    line("folding against forking Worker", f"{median(folded) / median(forked):,.0f} x", "at least 100 x")


def _server_seconds(client: Client) -> float:
    """Processor time of the server so far, without that of its rewrites."""
    used = client.info("cpu")
    return float(used["used_cpu_user"] + used["used_cpu_sys"])


def _measure_large() -> None:
    """As in production: with histories, the append-only file, and its rewrites when it has doubled."""
    with large_directory() as directory, embedded_server(directory) as server:
        client = connect(server.url)
        store = Store(client)
        report(store, "large", 0, LARGE_RESULTS, LARGE)
        start = perf_counter()
        used = {"the worker": process_time(), "the server": _server_seconds(client)}
        while fold_batch(store, "large"):
            pass
        seconds = perf_counter() - start
        used["the worker"] = process_time() - used["the worker"]
        used["the server"] = _server_seconds(client) - used["the server"]
    rate, rate_of_processors = LARGE_RESULTS / seconds, LARGE_RESULTS / sum(used.values())
    line(f"one worker, {LARGE_RESULTS:,} results in a row", f"{rate:,.0f} results/s", "at least 10,000")
    for whose, spent in used.items():
        line(f"processor time of {whose} for a result", f"{1e6 * spent / LARGE_RESULTS:.0f} us")
    line("as much as both have time for, in turns", f"{rate_of_processors:,.0f} results/s", "at least 10,000")


def measure() -> None:
    """Prints the measurements."""
    title(f"Rating results of {LARGE:,} players, any against any")
    _measure_large()
    with fresh_server() as (store, client, url):
        populate(store, client, "crowd", CROWD)
        fold_all(store, "crowd")
        title(f"Rating results of {CROWD:,} players")
        _measure_rates(store, client, url)


if __name__ == "__main__":
    measure()
