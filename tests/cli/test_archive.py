"""`matchmaker archive`."""

import time
from pathlib import Path

import pytest

from matchmaker.store.client import Store
from matchmaker.timestamps import DAY_MS
from tests.cli.conftest import Program
from tests.stage import Stage, wins


@pytest.fixture
def stage(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A ladder that keeps a day, with twenty results; the command is run the day after tomorrow."""
    monkeypatch.setenv("MATCHMAKER_ARCHIVE_URL", str(tmp_path / "archive"))
    now = time.time_ns
    monkeypatch.setattr("matchmaker.cli.archive.time.time_ns", lambda: now() + 2 * DAY_MS * 1_000_000)
    stage = Stage(store, keep_days=1)
    stage.join("ann", "bob")
    stage.report(*wins(*[("ann", "bob")] * 20))
    stage.fold()
    return stage


def test_what_is_old_moves_and_can_be_listed(stage: Stage, program: Program, tmp_path: Path) -> None:
    assert program("archive", stage.id).out == "Entries moved: 21; still in the store: 1 (keep_days: 1)\n"
    listed = program("archive", stage.id, "--list", "--json").json
    assert (listed["keep_days"], listed["in_store"]) == (1, 1)
    log, changes = listed["files"]
    assert (log["rows"], changes["rows"]) == (21, 19)
    for file in (log, changes):
        assert (tmp_path / "archive" / file["path"]).stat().st_size == file["size"]
    table = program("archive", stage.id, "--list").out
    assert log["path"].partition("month=")[2][:7] in table


def test_a_second_time_there_is_nothing_to_move(stage: Stage, program: Program) -> None:
    program("archive", stage.id)
    again = program("archive", stage.id, "--json").json
    assert (again["moved"], again["in_store"]) == (0, 1)


def test_everything_is_exported_and_makes_the_same_board(
    stage: Stage, program: Program, tmp_path: Path
) -> None:
    before = program("board", stage.id, "--json").json["entries"]
    program("archive", stage.id)
    file = str(tmp_path / "ladder.ndjson")
    assert program("export", stage.id, file, "--json").json["entries"] == 22
    assert program("import", "copy", file).code == 0
    assert program("board", "copy", "--json").json["entries"] == before
    assert program("archive", "copy", "--list", "--json").json["files"] == []


def test_for_once_other_days_count_than_the_ladders(stage: Stage, program: Program) -> None:
    stage.put()
    stage.fold()
    assert program("archive", stage.id, "--keep-days", "30", "--json").json["moved"] == 0
    moved = program("archive", stage.id, "--keep-days", "0", "--json").json
    assert (moved["moved"], moved["in_store"], moved["keep_days"]) == (22, 1, 0)
    assert program("replay", stage.id).code == 0


def test_a_ladder_that_keeps_everything_is_told_so(stage: Stage, program: Program) -> None:
    stage.put()
    ended = program("archive", stage.id)
    assert (ended.code, "keep_days" in ended.err) == (2, True)


def test_a_place_that_takes_nothing_is_told_in_one_line(
    stage: Stage, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no directory")
    monkeypatch.setenv("MATCHMAKER_ARCHIVE_URL", str(tmp_path / "file" / "archive"))
    ended = program("archive", stage.id)
    assert ended.code == 1
    assert ended.err.startswith("matchmaker: The archive's file changes/ladder=")
    assert stage.store.client.execute_command("XLEN", stage.keys.log) == 22


@pytest.mark.parametrize("url", ["nonsense://here", "gopher://me:secret@here"])
def test_a_place_that_nobody_knows_is_refused(
    stage: Stage, program: Program, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("MATCHMAKER_ARCHIVE_URL", url)
    ended = program("archive", stage.id)
    assert ended.code == 1
    assert "MATCHMAKER_ARCHIVE_URL: must be a directory, or a URL" in ended.err
    assert "secret" not in ended.err
