"""Real worker processes on a real queue."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from rq import Queue

from matchmaker.fold import fold
from matchmaker.queue import call_folding_job, folding_queue
from matchmaker.rating.rule import PlayerState
from matchmaker.store import folds, players, reports
from matchmaker.store.client import Store
from matchmaker.store.embedded import embedded_server
from tests.waiting import wait_until

Report = Callable[..., bool]
Start = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def start(queue: Queue) -> Iterator[Start]:
    """Starts a worker process; all are ended after the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "matchmaker", "worker"]
        started.append(subprocess.Popen(command, env=dict(os.environ)))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def rated(store: Store) -> bool:
    keys = store.edition("nft").keys
    return not store.run(folds.after(keys, store.run(folds.cursor(keys)), 1))


def moved_or_rated(store: Store, cursor: str) -> bool:
    return store.run(folds.cursor(store.edition("nft").keys)) != cursor or rated(store)


def test_a_worker_rates_what_was_reported_and_ends_when_asked(
    queue: Queue, report: Report, store: Store, start: Start
) -> None:
    worker = start()
    report(results=10)
    call_folding_job(queue, "nft")
    wait_until(lambda: rated(store), timeout=20)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=20) == 0


def test_a_worker_finds_results_whose_job_was_lost_and_says_so(
    report: Report,
    store: Store,
    start: Start,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MATCHMAKER_LOG", "json")
    report(results=10)
    store.client.execute_command("DEL", store.edition("nft").keys.awake)
    start()
    wait_until(lambda: rated(store), timeout=20)
    events = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert ("workers.sweep", "woke ladder nft") in {(each["logger"], each["message"]) for each in events}


def test_a_worker_outlasts_its_queue(
    report: Report, store: Store, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with embedded_server(tmp_path) as server:
        monkeypatch.setenv("MATCHMAKER_QUEUE_URL", server.url)
        queue, worker = folding_queue(server.url), start()
        for _ in range(2):
            report(results=10)
            call_folding_job(queue, "nft")
            wait_until(lambda: rated(store), timeout=20)
            server.stop()
            server.start()
        queue.connection.close()
        assert worker.poll() is None


def test_workers_killed_in_the_middle_of_folding_lose_nothing_and_double_nothing(
    queue: Queue, report: Report, store: Store, start: Start
) -> None:
    kills, results, batch, interrupted = 4, 20_000, 1000, 0
    for _ in range(results // batch):
        report(results=batch)
    keys = store.edition("nft").keys
    for _ in range(kills):
        before = store.run(folds.cursor(keys))
        worker = start()
        call_folding_job(queue, "nft")
        wait_until(partial(moved_or_rated, store, before), timeout=20)
        worker.kill()
        worker.wait()
        interrupted += not rated(store)
    assert interrupted, "workers were meant to be killed in the middle"
    for _ in range(2):  # two at once, for the rest
        start()
        call_folding_job(queue, "nft")
    wait_until(lambda: rated(store), timeout=60)

    logged = store.run(folds.after(keys, folds.START, 2 * results))
    expected: dict[str, PlayerState] = {}
    fold(expected, [each.entry for each in logged], store.edition("nft").ladder.rule)
    assert store.run(players.states(store.edition("nft"), ("ann", "bob"))) == expected
    assert expected["ann"].games == results
    assert expected["ann"].rating + expected["bob"].rating == 3000
    assert store.run(reports.find(keys, f"r{results - 1}")).status == "rated"


def test_a_worker_works_on_a_queue_whose_socket_has_an_odd_path(
    report: Report, store: Store, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with embedded_server(tmp_path / "My Projects = fun") as server:
        monkeypatch.setenv("MATCHMAKER_QUEUE_URL", server.url)
        start()
        report(results=10)
        queue = folding_queue(server.url)
        call_folding_job(queue, "nft")
        wait_until(lambda: rated(store), timeout=20)
        wait_until(lambda: queue.count == 0, timeout=20)
        queue.connection.close()
