"""Files that cannot be written, or not be read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from matchmaker.archive import Archive, ArchivedFile
from matchmaker.archive.depot import Depot
from matchmaker.archiving import archive_all, archive_once
from matchmaker.chronicle import read_entries
from matchmaker.errors import ArchiveUnavailableError
from matchmaker.store import archives, folds, reports
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from tests.archive.views import held, seen
from tests.stage import Stage, wins


def _read_only(self: Depot, path: Path, content: bytes) -> None:
    raise OSError(30, "Read-only file system")


def _full(self: Depot, path: Path, content: bytes) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(("failure", "reason"), [(_read_only, "Read-only"), (_full, "No space left")])
def test_what_cannot_be_written_stays_in_the_store(
    season: Stage, later: int, monkeypatch: pytest.MonkeyPatch, failure: Any, reason: str
) -> None:
    whole = seen(season)
    monkeypatch.setattr(Depot, "_write_locally", failure)
    with pytest.raises(ArchiveUnavailableError, match=reason):
        archive_once(season.store, season.id, later)
    assert seen(season) == whole
    assert held(season) == season.store.run(folds.extent(season.keys))[0]


def test_a_file_that_reads_back_differently_is_not_taken_up(
    season: Stage, later: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(self: Depot, path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content[: len(content) // 2])

    with monkeypatch.context() as patch:
        patch.setattr(Depot, "_write_locally", half)
        with pytest.raises(ArchiveUnavailableError):
            archive_once(season.store, season.id, later)
    assert held(season) == season.store.run(folds.extent(season.keys))[0]
    assert archive_once(season.store, season.id, later), "the next one puts it right"


def _all_files(stage: Stage) -> list[ArchivedFile]:
    return [
        *stage.store.files(archives.changes_shelf(stage.keys)),
        *stage.store.files(archives.log_shelf(stage.keys)),
    ]


def _spoil(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4:400] = bytes(396)
    path.write_bytes(content)


@pytest.mark.parametrize("spoil", [Path.unlink, _spoil], ids=["missing", "damaged"])
def test_a_missing_or_damaged_file_is_named_and_nothing_else_is_harmed(
    season: Stage, archive: Archive, later: int, spoil: Callable[[Path], None]
) -> None:
    list(archive_all(season.store, season.id, later))
    for file in _all_files(season):
        path = Path(archive.depot.locate(file.path))
        intact = path.read_bytes()
        spoil(path)
        fresh = Store(season.store.client, archive=Archive(archive.depot.locate("")))
        with pytest.raises(ArchiveUnavailableError) as failure:
            fresh.run(reports.find(season.keys, "r1"))
        assert file.path in failure.value.detail
        if file.kind == "log":
            with pytest.raises(ArchiveUnavailableError):
                list(read_entries(fresh, season.keys))
        path.write_bytes(intact)
    assert season.page().total == 3
    assert Store(season.store.client, archive=archive).run(reports.find(season.keys, "r1")).status == "rated"


def test_a_process_without_an_archive_says_so(season: Stage, later: int) -> None:
    list(archive_all(season.store, season.id, later))
    with pytest.raises(ArchiveUnavailableError, match="knows no archive"):
        Store(season.store.client).run(reports.find(season.keys, "r1"))
    with pytest.raises(ArchiveUnavailableError, match="knows no archive"):
        list(read_entries(Store(season.store.client), season.keys))


def test_any_place_that_fsspec_reaches_will_do(store: Store, later: int) -> None:
    stage = Stage(Store(store.client, archive=Archive("memory://games")), keep_days=1)
    stage.join("ann", "bob")
    stage.report(*wins(*[("ann", "bob")] * 10))
    stage.fold()
    whole = list(read_entries(stage.store, stage.keys))
    assert len(list(archive_all(stage.store, stage.id, later))) == 2
    assert list(read_entries(stage.store, stage.keys)) == whole
    assert [entry.result for entry in stage.history("bob")] == [f"r{n}" for n in range(9, -1, -1)]


def test_files_are_for_their_owner_alone_and_no_unfinished_ones_stay(
    season: Stage, archive: Archive, later: int
) -> None:
    list(archive_all(season.store, season.id, later))
    root = Path(archive.depot.locate(""))
    there = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert there == {file.path for file in _all_files(season)}
    assert {(root / path).stat().st_mode & 0o777 for path in there} == {0o600}


def test_another_ladder_of_the_same_name_does_not_see_the_files(season: Stage, later: int) -> None:
    list(archive_all(season.store, season.id, later))
    season.store.client.execute_command("FLUSHALL")
    season.put(keep_days=1)
    assert list(read_entries(season.store, season.keys)) == []
    season.join("new")
    season.fold()
    (logged,) = read_entries(season.store, season.keys)
    assert logged.entry.players == ("new",)
    assert season.store.files(archives.log_shelf(LadderKeys(season.id))) == ()
