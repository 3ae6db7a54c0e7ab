"""The live board: from the commit of a result to the sockets of all viewers, and what a viewer costs.

Run alone with `python -m benchmarks.live [VIEWERS [SECONDS]]`.
"""

import json
import random
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, sleep

from benchmarks.ladders import fresh_server
from benchmarks.report import line, title
from benchmarks.service import HOST, api_process, free_port
from matchmaker.folding import fold_all, fold_batch
from matchmaker.presets import PRESETS
from matchmaker.results import Result, log_order
from matchmaker.store import folds, ladders, players, reports
from matchmaker.store.client import Store

PLAYERS = 200
RESULTS_PER_SECOND = 20
_PATH = "/v1/ladders/nft/board/live"

Commits = list[tuple[str, float]]
"""Version of the board after each commit, and when the commit was done."""


def resident_kb(pid: int) -> int:
    """Memory of a process, from /proc."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


@contextmanager
def _viewers(port: int, count: int) -> Iterator["subprocess.Popen[str]"]:
    """So many viewers in a process of their own, all of which have the board."""
    command = [sys.executable, "-m", "benchmarks.live_viewers", HOST, str(port), _PATH, str(count)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.wait()


def _prepare(store: Store) -> None:
    store.run(ladders.announce("nft"))
    store.run(ladders.put(PRESETS[0]))
    for number in range(PLAYERS):
        store.on("nft", lambda edition: players.join(edition, f"player-{number:03}"))  # noqa: B023
    fold_all(store, "nft")


def _play(store: Store, seconds: float, random_: random.Random) -> tuple[Commits, list[float]]:
    """Reports and rates results one at a time at a steady pace; the commits, and how long each took."""
    keys = store.edition("nft").keys
    commits: Commits = []
    durations: list[float] = []
    begin = monotonic()
    for number in range(int(seconds * RESULTS_PER_SECOND)):
        sleep(max(0.0, begin + number / RESULTS_PER_SECOND - monotonic()))
        first, second = random_.sample(range(PLAYERS), 2)
        result = Result.duel(
            f"{begin}-{number}",
            f"player-{first:03}",
            f"player-{second:03}",
            random_.choice(("win", "loss")),
            {},
        )
        store.on("nft", lambda edition: reports.accept(edition, [result], 0))  # noqa: B023
        start = monotonic()
        fold_batch(store, "nft")
        end = monotonic()
        durations.append(end - start)
        commits.append((store.run(folds.cursor(keys)), end))
    return commits, durations


def _delays(commits: Commits, seen: list[tuple[str, float]]) -> list[float]:
    """Seconds from each commit to the first event that shows it, or a later one, on one viewer's socket."""
    versions = [log_order(version) for version, _ in seen]
    places = [(bisect_left(versions, log_order(version)), time) for version, time in commits]
    return [max(0.0, seen[place][1] - time) for place, time in places if place < len(seen)]


def measure(viewers: int, seconds: float) -> None:
    """Prints the table."""
    random_ = random.Random(1)
    port = free_port()
    with fresh_server() as (store, _, url):
        _prepare(store)
        with api_process(url, port) as pid:
            with _viewers(port, 1):  # what is loaded with the first viewer is not charged to the others
                _, alone = _play(store, seconds / 2, random_)
            before = resident_kb(pid)
            with _viewers(port, viewers) as process:
                after = resident_kb(pid)
                commits, crowded = _play(store, seconds, random_)
                sleep(2.0)
                output, _ = process.communicate("")
    delays = [delay for line in output.splitlines() for delay in _delays(commits, json.loads(line))]
    milliseconds = [1000 * each for each in quantiles(delays, n=100)]
    title(
        f"{viewers:,} viewers of one board, {RESULTS_PER_SECOND} results/s for {seconds:g} s, one API process"
    )
    line("commit to socket, median", f"{milliseconds[49]:.1f} ms", "under 150 ms")
    line("commit to socket, p99", f"{milliseconds[98]:.1f} ms", "under 600 ms")
    line("memory per viewer", f"{(after - before) / viewers:.1f} KB", "under 50 KB")
    line("commit, median", f"{1000 * median(crowded):.2f} ms")
    line("commit, median, against one viewer", f"{median(crowded) / median(alone):.2f} x", "does not grow")


if __name__ == "__main__":
    arguments = [float(each) for each in sys.argv[1:]]
    measure(int(arguments[0]) if arguments else 2000, arguments[1] if len(arguments) > 1 else 20.0)
