"""The board while results pour in, and what a place near the top costs against one in the middle.

Needs the program wrk. Run alone with `python -m benchmarks.board [PLAYERS [ROUNDS]]`.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from statistics import median
from threading import Event, Thread
from time import monotonic

from benchmarks.http import BOARD, CONNECTIONS, REFERENCE, Case, make_key, request_rate
from benchmarks.ladders import fresh_server, populate
from benchmarks.report import line, title
from benchmarks.reports import make_list, send
from benchmarks.service import api_process, free_port, worker_process
from matchmaker.folding import fold_all
from matchmaker.store import boards
from matchmaker.store.client import Store

RESULTS_PER_SECOND = 1_000
PORTION = 50
_READS = {"standing": "", "neighbours": "/neighbors"}


@contextmanager
def _results(port: int, key: str, players: int, name: str) -> Iterator[None]:
    """Meanwhile results are reported at a steady pace, a few at a time."""
    random, over = Random(name), Event()

    def report() -> None:
        begin, sent = monotonic(), 0
        while not over.wait(max(0.0, begin + sent / RESULTS_PER_SECOND - monotonic())):
            send(port, key, [make_list(random, f"{name}-{sent}", players, PORTION)])
            sent += PORTION

    reporter = Thread(target=report)
    reporter.start()
    try:
        yield
    finally:
        over.set()
        reporter.join()


def _at(store: Store, rank: int, what: str) -> Case:
    page = store.on("crowd", lambda edition: boards.page(edition, rank - 1, 1))
    player = page.entries[0].player
    return Case(f"{what} at rank {rank:,}", "GET", f"/v1/ladders/crowd/players/{player}{_READS[what]}")


def measure(players: int = 1_000_000, rounds: int = 5) -> None:
    """Prints the lines."""
    with fresh_server() as (store, client, url):
        populate(store, client, "crowd", players)
        fold_all(store, "crowd")
        key, port = make_key(store), free_port()
        places = [(_at(store, 1, what), _at(store, players // 2, what)) for what in _READS]
        busy: list[float] = []
        ratios: dict[str, list[float]] = {}
        with api_process(url, port), worker_process(url):
            for number in range(rounds):
                reference = request_rate(port, REFERENCE, key, players)
                with _results(port, key, players, str(number)):
                    busy.append(request_rate(port, BOARD, key, players) / reference)
                for top, middle in places:
                    rates = [request_rate(port, case, key, players) for case in (top, middle)]
                    ratios.setdefault(middle.name, []).append(rates[0] / rates[1])
    title(f"HTTP, one API process, {CONNECTIONS} connections, {players:,} players")
    busy_name = f"{BOARD.name}, {RESULTS_PER_SECOND:,} results/s, in references"
    line(busy_name, f"{median(busy):.2f}", "at least 1.00")
    for name, slower in ratios.items():
        line(f"{name} against rank 1: time", f"{median(slower):.2f} x", "at most 1.5 x")


if __name__ == "__main__":
    measure(*map(int, sys.argv[1:]))
