"""What the doctor says of the archive."""

import time
from pathlib import Path

import pytest

from matchmaker.archive import Archive
from matchmaker.archiving import archive_all
from matchmaker.doctor.archive import check_archive
from matchmaker.store.client import Store
from matchmaker.timestamps import DAY_MS
from tests.replay.takeover import rebuild
from tests.stage import Stage, wins


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
def stage(store: Store, place: Path) -> Stage:
    """A ladder that keeps a day."""
    return Stage(Store(store.client, archive=Archive(str(place))), keep_days=1)


def verdicts(stage: Stage) -> list[tuple[str, str]]:
    return [(finding.check, finding.verdict) for finding in check_archive(stage.store)]


def archive(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob"), ("ann", "bob")))
    stage.fold()
    list(archive_all(stage.store, stage.id, time.time_ns() // 1_000_000 + 2 * DAY_MS))


def test_where_nothing_is_archived_there_is_nothing_to_say(stage: Stage, place: Path) -> None:
    stage.put()
    assert verdicts(stage) == []
    assert not place.exists()


def test_a_good_place_is_left_as_it_was(stage: Stage, place: Path) -> None:
    assert verdicts(stage) == [("archive", "ok")]
    assert list(place.iterdir()) == []


def test_a_place_that_takes_nothing_is_bad(stage: Stage, place: Path) -> None:
    place.write_text("no directory")
    (finding,) = check_archive(stage.store)
    assert finding.verdict == "bad"
    assert "MATCHMAKER_ARCHIVE_URL" in finding.advice


def test_files_that_are_missing_or_cut_are_bad(stage: Stage, place: Path) -> None:
    archive(stage)
    assert verdicts(stage) == [("archive", "ok"), (f"archive of {stage.id}", "ok")]
    first, second = sorted(place.rglob("*.parquet"))
    first.unlink()
    second.write_bytes(second.read_bytes()[:-1])
    _, finding = check_archive(stage.store)
    assert finding.verdict == "bad"
    assert "2 of 2 files are not as they were" in finding.text
    assert "month=" in finding.text


def test_files_of_the_generation_that_is_kept_are_looked_at_as_well(stage: Stage, place: Path) -> None:
    archive(stage)
    rebuild(stage)
    (kept,) = place.rglob("changes/*/*/generation=0/*/*.parquet")
    kept.unlink()
    _, finding = check_archive(stage.store)
    assert "1 of 2 files are not as they were" in finding.text
