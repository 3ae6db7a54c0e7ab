"""The job that reviews players, and who calls it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from rq import Queue

from matchmaker.folding import fold_all
from matchmaker.queue import (
    FOLD_JOB,
    REVIEW_JOB,
    call_folding_job,
    call_review_job,
    queued_ladders,
    queued_reviews,
)
from matchmaker.results import Result
from matchmaker.reviewing import review_player
from matchmaker.store import flags, ladders, players, reports
from matchmaker.store.call import Plan
from matchmaker.store.client import Store
from matchmaker.store.ladders import Edition
from tests.waiting import wait_until
from workers import jobs
from workers.jobs import review_ladder
from workers.sweep import call_reviews

Report = Callable[..., bool]
PAIRS = 60


@pytest.fixture
def crowd(store: Store, queue: Queue) -> Store:
    """Sixty pairs of accounts that have met and belong to one owner each; nobody has been reviewed."""
    ladder = store.edition("nft").ladder
    store.run(ladders.put(ladder.model_copy(update={"linked_accounts": "flag"})))
    results = []
    for number in range(PAIRS):
        one, two = f"a{number}", f"b{number}"
        for player in (one, two):
            store.on("nft", partial(players.join, player=player, owner=f"o{number}"))
        results.append(Result.duel(f"m{number}", one, two, "win", {}))
    store.on("nft", lambda edition: reports.accept(edition, results, 0))
    fold_all(store, "nft")
    return store


def waiting(store: Store) -> int:
    return store.run(flags.waiting(store.edition("nft").keys))


def flagged(store: Store) -> int:
    return store.run(flags.queue(store.edition("nft").keys, None, 0, 1))[0]


def test_a_job_reviews_who_has_played(queue: Queue, report: Report, store: Store) -> None:
    report(results=10)
    fold_all(store, "nft")
    assert waiting(store) == 2
    review_ladder("nft")
    assert waiting(store) == 0


def test_a_job_for_which_others_wait_from_the_beginning_finishes_one_review(
    crowd: Store, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "QUIET_MS", 600_000)
    monkeypatch.setattr(jobs, "REVIEW_SLICE", 600.0)
    call_folding_job(queue, "nft")
    review_ladder("nft")
    assert waiting(crowd) == 2 * PAIRS - 1


def test_a_job_makes_room_in_the_middle_of_a_review_for_who_comes_later(
    crowd: Store, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "QUIET_MS", 600_000)
    monkeypatch.setattr(jobs, "REVIEW_SLICE", 600.0)
    reviewed: list[str] = []

    def interrupt(edition: Edition, player: str, seen: bytes, now: int) -> Plan[bool]:
        reviewed.append(player)
        if len(reviewed) == 3:
            call_folding_job(queue, "nft")
        return (yield from review_player(edition, player, seen, now))

    monkeypatch.setattr(jobs, "review_player", interrupt)
    review_ladder("nft")
    assert (len(reviewed), flagged(crowd)) == (3, 2)
    assert reviewed[2] in crowd.run(flags.to_review(crowd.edition("nft").keys, 1000))
    assert queued_reviews(queue) == set(), "the sweep will call the next one"


def test_on_a_ladder_in_use_a_job_ends_after_a_short_slice_of_time(
    crowd: Store, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "QUIET_MS", 600_000)
    monkeypatch.setattr(jobs, "REVIEW_SLICE", 0.0)
    review_ladder("nft")
    assert waiting(crowd) == 2 * PAIRS - 1
    assert queue.count == 0


def test_on_a_quiet_ladder_jobs_follow_one_another(
    crowd: Store, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "QUIET_MS", -600_000)
    monkeypatch.setattr(jobs, "SLICE", 600.0)
    review_ladder("nft")
    assert queued_reviews(queue) == {"nft"}
    queue.empty()
    review_ladder("nft")
    assert queued_reviews(queue) == set()
    assert (waiting(crowd), flagged(crowd)) == (0, 2 * PAIRS)


def test_reviews_stand_in_the_queue_under_their_own_name(queue: Queue) -> None:
    call_review_job(queue, "nft")
    call_folding_job(queue, "cards")
    review, fold = queue.jobs
    assert (review.func_name, review.description) == (REVIEW_JOB, "review nft")
    assert fold.func_name == FOLD_JOB
    assert (queued_ladders(queue), queued_reviews(queue)) == ({"cards"}, {"nft"})


def test_reviews_are_called_for_ladders_that_have_somebody_to_review(crowd: Store, queue: Queue) -> None:
    assert call_reviews(crowd, queue) == ["nft"]
    assert call_reviews(crowd, queue) == [], "one job for a ladder is enough"


def test_a_job_for_a_ladder_that_is_gone_does_nothing(queue: Queue) -> None:
    review_ladder("nowhere")
    assert queue.count == 0


@pytest.fixture
def start() -> Iterator[Callable[[], "subprocess.Popen[bytes]"]]:
    """Starts a worker process; all are ended after the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "matchmaker", "worker"]
        started.append(subprocess.Popen(command, env=dict(os.environ)))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_workers_killed_in_the_middle_of_reviews_leave_nobody_out(
    crowd: Store, queue: Queue, start: Callable[[], "subprocess.Popen[bytes]"]
) -> None:
    before = waiting(crowd)
    worker = start()
    call_review_job(queue, "nft")
    wait_until(lambda: waiting(crowd) < before, timeout=20)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert 0 < waiting(crowd) < before, "the worker was meant to be killed in the middle"
    assert flagged(crowd) >= before - waiting(crowd)
    for _ in range(2):  # the lost job is made up for, by either of two
        start()
    wait_until(lambda: waiting(crowd) == 0, timeout=30)
    assert flagged(crowd) == 2 * PAIRS
