"""Starting: the command line's help, and the whole service on a data directory that is large.

Run alone with `python -m benchmarks.startup`.
"""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.ladders import LARGE, large_directory, report
from benchmarks.report import line, title
from benchmarks.service import free_port
from matchmaker.folding import fold_all
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.embedded import EmbeddedServer, embedded_server

ROUNDS = 5
_BATCH = 10_000
_NEARLY_DOUBLED = 1.9
_PROGRAM = (sys.executable, "-m", "matchmaker")
_ANNOUNCED = "Matchmaker is running"


def _cpu_seconds() -> float:
    """Processor time of the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measure_help() -> None:
    seconds = []
    for _ in range(ROUNDS):
        before = _cpu_seconds()
        subprocess.run((*_PROGRAM, "--help"), check=True, stdout=subprocess.DEVNULL)
        seconds.append(_cpu_seconds() - before)
    line("matchmaker --help", f"{median(seconds):.2f} s of CPU", "under 0.3 s")


def _up(directory: Path) -> tuple[float, float, float]:
    """Seconds until the service on this directory is ready, seconds until it has stopped again, and the
    processor time of both."""
    settings = {"DATA_DIR": str(directory), "PORT": str(free_port())}
    environment = os.environ | {f"MATCHMAKER_{name}": value for name, value in settings.items()}
    start, cpu = perf_counter(), _cpu_seconds()
    with subprocess.Popen(
        (*_PROGRAM, "up"),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        if not any(_ANNOUNCED in printed for printed in process.stdout):
            raise RuntimeError("the service did not come up")
        ready = perf_counter()
        process.send_signal(signal.SIGTERM)
        process.wait()
    return ready - start, perf_counter() - ready, _cpu_seconds() - cpu


def _load(directory: Path) -> float:
    """Seconds until the store alone has read this directory."""
    start = perf_counter()
    with embedded_server(directory):
        return perf_counter() - start


def _grow(server: EmbeddedServer) -> int:
    """Rates results until the server would soon rewrite its file; how many."""
    client = connect(server.url)
    store, results = Store(client), 0
    client.config_set("auto-aof-rewrite-percentage", 0)
    while True:
        files = client.info("persistence")
        if files["aof_current_size"] >= _NEARLY_DOUBLED * files["aof_base_size"]:
            return results
        report(store, "large", results, _BATCH, LARGE)
        fold_all(store, "large")
        results += _BATCH


def _kill(server: EmbeddedServer) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    while server.alive():
        pass


def measure() -> None:
    """Prints the measurements."""
    title("Start-up")
    _measure_help()
    with large_directory() as directory:
        rows = [(_load(directory), *_up(directory)) for _ in range(ROUNDS)]
        load, start, usual_stop, cpu = (median(column) for column in zip(*rows, strict=True))
        line(f"matchmaker up, {LARGE:,} players", f"{start:.2f} s", "under 3 s")
        line("of it, the store reads its data", f"{load:.2f} s")
        line("processor time of all processes, start and stop", f"{cpu:.2f} s")
        with embedded_server(directory) as server:
            results = _grow(server)
            _kill(server)
        after_kill, stop, _ = _up(directory)
        line(f"matchmaker up, killed {results:,} results later", f"{after_kill:.2f} s")
        line("its stop, which rewrites the file", f"{stop:.2f} s")
        line("any other stop", f"{usual_stop:.2f} s")


if __name__ == "__main__":
    measure()
