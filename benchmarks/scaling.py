"""Two API processes and two workers on two ladders, against one of each.

On a machine of few cores the server and the load generator take their share of them. So beside the rates
stands what the processes take for one request or result: if that is the same with two, nothing but the cores
holds them up, until the store, which runs scripts on one core, is busy all the time.

Needs the program wrk. Run alone with `python -m benchmarks.scaling`.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from rq import Worker

from benchmarks.http import CASES, Case, Target, demand_wrk, make_key
from benchmarks.ladders import fresh_server, populate, report
from benchmarks.report import line, title
from benchmarks.service import api_process, free_port, worker_process
from matchmaker.folding import fold_all
from matchmaker.queue import call_folding_job, folding_queue
from matchmaker.store import folds
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys

LADDERS = ("one", "two")
PLAYERS = 100_000
ROUNDS, SECONDS = 5, 2
REQUESTS = ("POST results, one at a time", "POST battles", "GET standing")
RESULTS, PORTION = 20_000, 5_000  # of each ladder
_POLL_SECONDS = 0.005

Clock = Callable[[], float]
"""Processor time that some part of the service has used so far, in seconds."""


def clock(*pids: int) -> Clock:
    """The processor time of these processes, from /proc."""

    def used() -> float:
        stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
        return sum(int(fields[11]) + int(fields[12]) for fields in stats) / os.sysconf("SC_CLK_TCK")

    return used


def children() -> float:
    """The processor time of all programs that this process has run to their end."""
    times = os.times()
    return times.children_user + times.children_system


@dataclass(frozen=True, slots=True)
class Load:
    """How much was done in a second, and how many cores each part of the service was busy with it."""

    rate: float
    cores: Mapping[str, float]


def _under_load(clocks: Mapping[str, Clock], work: Callable[[], float]) -> Load:
    """The load that `work` makes; it returns how much it did."""
    before, start = {part: used() for part, used in clocks.items()}, perf_counter()
    done = work()
    seconds = perf_counter() - start
    return Load(done / seconds, {part: (used() - before[part]) / seconds for part, used in clocks.items()})


def _show(what: str, unit: str, one: Sequence[Load], two: Sequence[Load]) -> None:
    """Lines about `one` process and `two`, whose loads are interleaved. The first part is theirs."""

    def typical(loads: Sequence[Load]) -> tuple[float, dict[str, float]]:
        parts = loads[0].cores
        return median(load.rate for load in loads), {
            part: median(load.cores[part] for load in loads) for part in parts
        }

    (rate, cores), (rate_of_two, cores_of_two) = typical(one), typical(two)
    kind, parts = next(iter(cores)), ", ".join(cores)
    line(f"{what}, one {kind} process", f"{rate:,.0f} {unit}/s")
    line(f"{what}, two {kind} processes", f"{rate_of_two:,.0f} {unit}/s")
    line("  two against one", f"{rate_of_two / rate:.2f} x", "2 x where cores are left")
    for number, busy in (("one", cores), ("two", cores_of_two)):
        line(f"  cores busy with {number}, of {os.cpu_count()}: {parts}", _sum(busy.values(), ".2f"))
    line(f"  microseconds for each: {parts}", _sum((1e6 * busy / rate for busy in cores.values()), ".0f"))
    taken = cores_of_two[kind] / rate_of_two / (cores[kind] / rate)
    line(f"  {kind} time for each, two against one", f"{taken:.2f} x", "about 1 x")
    line("  the store's one core is full at", f"{rate / cores['store']:,.0f} {unit}/s")


def _sum(numbers: Iterable[float], form: str) -> str:
    return " + ".join(format(number, form) for number in numbers)


def _measure_requests() -> None:
    by_name = {case.name: case for case in CASES}
    cases = [by_name[name] for name in REQUESTS]
    with fresh_server() as (store, client, url), ExitStack() as stack, ThreadPoolExecutor() as threads:
        for ladder_id in LADDERS:
            populate(store, client, ladder_id, PLAYERS)
            fold_all(store, ladder_id)
        key = make_key(store)
        targets = [Target(free_port(), key, ladder_id, PLAYERS) for ladder_id in LADDERS]
        apis = [stack.enter_context(api_process(url, target.port)) for target in targets]
        clocks = {"API": clock(*apis), "store": clock(client.info("server")["process_id"]), "wrk": children}

        def request(case: Case, processes: int) -> Load:
            def rate(target: Target) -> float:
                return target.rate(case, SECONDS)

            return _under_load(clocks, lambda: SECONDS * sum(threads.map(rate, targets[:processes])))

        loads: dict[tuple[str, int], list[Load]] = {(case.name, n): [] for case in cases for n in (1, 2)}
        for _ in range(ROUNDS):
            for case in cases:
                for processes in (1, 2):
                    loads[case.name, processes].append(request(case, processes))
    for case in cases:
        _show(case.name, "req", loads[case.name, 1], loads[case.name, 2])


def _report(store: Store, number: int) -> None:
    """Reports results number `number` and following on all ladders, and keeps them from being folded yet."""
    for first in range(number, number + RESULTS, PORTION):
        for ladder_id in LADDERS:
            report(store, ladder_id, first, PORTION, PLAYERS)
            for other in LADDERS:
                store.run(folds.stay_awake(LadderKeys(other)))


def _measure_folding() -> None:
    one: list[Load] = []
    two: list[Load] = []
    with fresh_server() as (store, client, url), worker_process(url) as first:
        queue = folding_queue(url)
        server = clock(client.info("server")["process_id"])
        for ladder_id in LADDERS:
            populate(store, client, ladder_id, PLAYERS)
            fold_all(store, ladder_id)

        def fold(*workers: int) -> Load:
            while Worker.count(queue=queue) < len(workers):
                sleep(_POLL_SECONDS)
            keys = [store.edition(ladder_id).keys for ladder_id in LADDERS]
            ends = [client.xinfo_stream(each.log)["last-generated-id"].decode() for each in keys]

            def work() -> float:
                for ladder_id in LADDERS:
                    call_folding_job(queue, ladder_id)
                while [store.run(folds.cursor(each)) for each in keys] != ends:
                    sleep(_POLL_SECONDS)
                return RESULTS * len(LADDERS)

            return _under_load({"worker": clock(*workers), "store": server}, work)

        for number in range(0, 2 * ROUNDS * RESULTS, 2 * RESULTS):
            _report(store, number)
            one.append(fold(first))
            with worker_process(url) as second:
                _report(store, number + RESULTS)
                two.append(fold(first, second))
    _show("results rated", "results", one, two)


def measure() -> None:
    """Prints the measurements."""
    demand_wrk()
    title(f"Two processes on two ladders against one on one, {PLAYERS:,} players each")
    _measure_requests()
    _measure_folding()


if __name__ == "__main__":
    measure()
