"""The folding job: called once for a burst, lingers, makes room, rests."""

from collections.abc import Callable
from functools import partial
from threading import Thread

import pytest
from fakeredis import FakeRedis
from rq import Queue

from matchmaker.queue import FOLD_JOB, QUEUE_NAME, call_folding_job
from matchmaker.store import players
from matchmaker.store.client import Store
from tests.waiting import wait_until
from workers import jobs
from workers.jobs import fold_ladder

Report = Callable[..., bool]


def games(store: Store, ladder: str = "nft") -> int:
    return store.on(ladder, lambda edition: players.standing(edition, "ann")).games


def has_played(store: Store, expected: int) -> bool:
    return games(store) == expected


def awake(store: Store, ladder: str = "nft") -> bool:
    return bool(store.client.execute_command("EXISTS", store.edition(ladder).keys.awake))


def test_a_call_stands_in_the_queue_under_the_name_that_rq_info_shows() -> None:
    queue = Queue(QUEUE_NAME, connection=FakeRedis())
    call_folding_job(queue, "nft")
    (job,) = queue.jobs
    assert (job.func_name, job.args, job.description) == (FOLD_JOB, ("nft",), "fold nft")


def test_a_burst_of_results_calls_one_job(queue: Queue, report: Report) -> None:
    assert [report() for _ in range(20)] == [True] + [False] * 19


def test_a_job_folds_everything_and_rests(queue: Queue, report: Report, store: Store) -> None:
    report(results=2500 // 5)
    fold_ladder("nft")
    assert games(store) == 500
    assert not awake(store)
    assert queue.count == 0
    assert report(), "the next result calls a job again"


def test_a_job_lingers_for_results_that_come_while_it_works(
    queue: Queue, report: Report, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "LINGER_MS", 1500)
    monkeypatch.setattr(jobs, "SLICE", 30.0)
    report()
    job = Thread(target=fold_ladder, args=("nft",))
    job.start()
    for expected in range(2, 12):
        assert not report(), "somebody is awake: no further job is needed"
        wait_until(partial(has_played, store, expected))
    monkeypatch.setattr(jobs, "LINGER_MS", 1)
    job.join()
    assert not awake(store)


def test_a_job_makes_room_for_the_next_in_the_queue(
    queue: Queue, report: Report, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.jobs.fold_batch", lambda store, ladder: 1)
    monkeypatch.setattr(jobs, "TURN", 0.0)
    report()
    call_folding_job(queue, "cards")
    fold_ladder("nft")
    assert [job.args for job in queue.jobs] == [("cards",), ("nft",)]
    assert awake(store)


def test_a_job_goes_to_the_back_of_the_queue_after_its_slice_of_time(
    queue: Queue, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SLICE", 0.0)
    report()
    fold_ladder("nft")
    assert [job.args for job in queue.jobs] == [("nft",)]


def test_a_job_for_a_ladder_that_is_gone_does_nothing(queue: Queue) -> None:
    fold_ladder("nowhere")
    assert queue.count == 0
