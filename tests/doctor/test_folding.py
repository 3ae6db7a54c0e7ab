"""The queue, its workers, and ladders that are behind."""

import time
from collections.abc import Iterator

import pytest
import redis
from rq import Queue, SimpleWorker

from matchmaker.doctor import folding
from matchmaker.doctor.folding import check_ladders, check_queue, check_workers
from matchmaker.queue import call_folding_job, folding_queue
from matchmaker.store import folds
from matchmaker.store.client import Store
from tests.stage import Stage


@pytest.fixture
def queue(clean_store: str) -> Iterator[Queue]:
    queue = folding_queue(clean_store)
    yield queue
    queue.connection.close()


def test_a_quiet_queue_is_fine(queue: Queue) -> None:
    assert [finding.verdict for finding in check_queue(queue, 3)] == ["ok", "ok"]


def test_jobs_that_pile_up_are_told(queue: Queue) -> None:
    for _ in range(25):
        call_folding_job(queue, "nft")
    waiting, _ = check_queue(queue, 1)
    assert (waiting.verdict, waiting.text) == ("warning", "25 jobs wait")


def test_without_workers_nothing_shows_life(
    queue: Queue, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "_SWEEP_SECONDS", 0.1)
    assert check_workers(store, queue).verdict == "bad"


def test_workers_that_sweep_are_alive(queue: Queue, store: Store) -> None:
    worker = SimpleWorker([queue], connection=queue.connection)
    worker.register_birth()
    assert store.run(folds.take_sweep(60_000))
    assert check_workers(store, queue).verdict == "ok"
    worker.register_death()


def test_workers_at_another_queue_are_told(queue: Queue, store: Store) -> None:
    assert store.run(folds.take_sweep(60_000))
    assert "none at this queue" in check_workers(store, queue).text


@pytest.mark.parametrize(("seconds", "verdict"), [(1, "ok"), (20, "warning"), (90, "bad")])
def test_a_ladder_is_behind_by_the_age_of_what_is_not_folded(
    store: Store, redis_client: redis.Redis, seconds: int, verdict: str
) -> None:
    stage = Stage(store)
    then = time.time_ns() // 1_000_000 - seconds * 1000
    redis_client.xadd(stage.keys.log, {"rename": '["ann",null]'}, id=f"{then}-0")
    (finding,) = check_ladders(store)
    assert (finding.check, finding.verdict) == (f"ladder {stage.id}", verdict)
    assert "behind by 1 in the log" in finding.text
