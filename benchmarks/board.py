"""The board while results pour in, and what a place near the top costs against one in the middle.

Needs the program wrk. Run alone with `python -m benchmarks.board`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from statistics import median
from threading import Event, Thread
from time import monotonic

from benchmarks.http import BOARD, CONNECTIONS, REFERENCE, ROUNDS, Case, Target, demand_wrk, make_key
from benchmarks.ladders import LARGE, large_directory
from benchmarks.report import line, title
from benchmarks.reports import make_list, send
from benchmarks.service import api_process, free_port, worker_process
from matchmaker.store import boards
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.embedded import embedded_server

RESULTS_PER_SECOND = 1_000
PORTION = 50
_READS = {"standing": "", "neighbours": "/neighbors"}


@contextmanager
def _results(target: Target, name: str) -> Iterator[None]:
    """Meanwhile results are reported at a steady pace, a few at a time."""
    random, over = Random(name), Event()

    def report() -> None:
        begin, sent = monotonic(), 0
        while not over.wait(max(0.0, begin + sent / RESULTS_PER_SECOND - monotonic())):
            send(target, [make_list(random, f"{name}-{sent}", target.players, PORTION)])
            sent += PORTION

    reporter = Thread(target=report)
    reporter.start()
    try:
        yield
    finally:
        over.set()
        reporter.join()


def _at(store: Store, rank: int, what: str) -> Case:
    page = store.on("large", lambda edition: boards.page(edition, rank - 1, 1))
    player = page.entries[0].player
    return Case(f"{what} at rank {rank:,}", "GET", f"/v1/ladders/large/players/{player}{_READS[what]}")


def measure() -> None:
    """Prints the lines."""
    demand_wrk()
    busy: list[float] = []
    ratios: dict[str, list[float]] = {}
    with large_directory() as directory, embedded_server(directory) as server:
        store = Store(connect(server.url))
        target = Target(free_port(), make_key(store), "large", LARGE)
        places = [(_at(store, 1, what), _at(store, LARGE // 2, what)) for what in _READS]
        with api_process(server.url, target.port), worker_process(server.url):
            for number in range(ROUNDS):
                reference = target.rate(REFERENCE)
                with _results(target, str(number)):
                    busy.append(target.rate(BOARD) / reference)
                for top, middle in places:
                    ratios.setdefault(middle.name, []).append(target.rate(top) / target.rate(middle))
    title(f"HTTP, one API process, {CONNECTIONS} connections, {LARGE:,} players")
    what = f"{BOARD.name}, {RESULTS_PER_SECOND:,} results/s, in references"
    line(what, f"{median(busy):.2f}", "at least 1.00")
    for name, slower in ratios.items():
        line(f"{name} against rank 1: time", f"{median(slower):.2f} x", "at most 1.5 x")


if __name__ == "__main__":
    measure()
