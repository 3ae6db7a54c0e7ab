"""The archiving job and the clock that calls it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rq import Queue

from matchmaker.moderation import Annul
from matchmaker.queue import ARCHIVE_JOB, call_archive_job, queued_ladders, queued_reviews
from matchmaker.store import counters, ladders, moderation
from matchmaker.store.client import Store
from matchmaker.store.counters import Pulse
from matchmaker.timestamps import DAY_MS
from workers import jobs
from workers.jobs import archive_ladder, bench, fold_ladder
from workers.sweep import call_archiving

Report = Callable[..., bool]


@pytest.fixture(autouse=True)
def old(
    queue: Queue, store: Store, report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Ladder `nft` keeps a day; on it there are some results, and it is the day after tomorrow."""
    monkeypatch.setenv("MATCHMAKER_ARCHIVE_URL", str(tmp_path))
    bench.cache_clear()
    nft = store.edition("nft").ladder.model_copy(update={"keep_days": 1})
    store.run(ladders.put(nft))
    report(results=10)
    fold_ladder("nft")
    now = jobs._now
    monkeypatch.setattr(jobs, "_now", lambda: now() + 2 * DAY_MS)
    yield
    bench().store.client.close()  # type: ignore[attr-defined]
    bench().queue.connection.close()


def pulse(store: Store) -> Pulse:
    found = store.run(counters.pulse(store.edition("nft").keys))
    assert found
    return found


def held(store: Store) -> int:
    return int(store.client.execute_command("XLEN", store.edition("nft").keys.log))


def test_a_job_archives_what_is_old_and_counts_it(store: Store, queue: Queue) -> None:
    before, started = held(store), time.time() + 2 * DAY_MS / 1000
    archive_ladder("nft")
    assert held(store) == 1
    assert queue.count == 0
    after = pulse(store)
    assert (after.archived, after.archive_failures) == (before - 1, 0)
    assert after.archived_at >= started - 1


def test_a_job_makes_room_after_each_file_when_others_wait(store: Store, queue: Queue) -> None:
    call_archive_job(queue, "cards")
    archive_ladder("nft")
    assert [job.args for job in queue.jobs] == [("cards",), ("nft",)]
    archive_ladder("nft")
    assert held(store) == 1


def test_a_job_makes_room_when_its_time_is_over(
    store: Store, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SLICE", 0.0)
    archive_ladder("nft")
    (job,) = queue.jobs
    assert (job.func_name, job.args, job.description) == (ARCHIVE_JOB, ("nft",), "archive nft")


def test_a_failure_is_counted_and_told_and_everything_stays(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = held(store)
    (tmp_path / "changes").write_text("in the way")
    archive_ladder("nft")
    assert held(store) == before
    assert (pulse(store).archive_failures, pulse(store).archived_at) == (1, 0)
    assert "archiving nft failed" in caplog.text


def test_a_job_for_a_ladder_that_is_gone_does_nothing(queue: Queue) -> None:
    archive_ladder("gone")
    assert queue.count == 0


def test_only_ladders_that_keep_some_days_are_called_and_once_in_a_while(store: Store, queue: Queue) -> None:
    assert call_archiving(store, queue, interval=3600) == ["nft"]
    assert call_archiving(store, queue, interval=3600) == []
    assert [job.args for job in queue.jobs] == [("nft",)]
    keys = store.edition("nft").keys
    assert 3500_000 < store.client.execute_command("PTTL", keys.archiving) <= 3600_000


def test_jobs_that_archive_are_not_taken_for_others(queue: Queue) -> None:
    call_archive_job(queue, "nft")
    assert queued_ladders(queue) == set()
    assert queued_reviews(queue) == set()


def test_rating_waits_for_the_archive_only_where_it_has_to(
    store: Store, queue: Queue, report: Report, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    report()
    fold_ladder("nft")
    archive_ladder("nft")
    annulment = Annul("r0", "cli", "arranged")
    store.on("nft", lambda edition: moderation.annul(edition, annulment))
    elsewhere = tmp_path.rename(tmp_path.with_name("elsewhere"))
    fold_ladder("nft")
    assert "folding nft waits for the archive" in caplog.text
    assert pulse(store).backlog == 1
    elsewhere.rename(tmp_path)
    fold_ladder("nft")
    assert pulse(store).backlog == 0
