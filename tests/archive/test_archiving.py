"""Entries on their way into the archive: nothing is lost, nothing is there twice, and all looks as before."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from matchmaker.archive import Archive, ArchivedFile
from matchmaker.archive.depot import Depot
from matchmaker.archiving import archive_all, archive_once
from matchmaker.chronicle import read_entries, read_rows
from matchmaker.errors import ArchiveUnavailableError, MatchmakerError
from matchmaker.fold import fold
from matchmaker.moderation import Adjust
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result
from matchmaker.reviewing import look_at
from matchmaker.store import archives, changes, folds, moderation, reports
from matchmaker.store.call import script
from matchmaker.store.client import Client, Store
from matchmaker.store.keys import LadderKeys
from matchmaker.store.reports import Receipt
from matchmaker.timestamps import DAY_MS
from tests.archive.conftest import NAMES
from tests.repeating import Repeating
from tests.replay.takeover import Mortal
from tests.stage import NOW, Stage, wins

RESULTS = [*(f"r{n}" for n in range(12)), "draw", "team", "late0", "late1"]


def seen(stage: Stage) -> list[Any]:
    """All that anybody can see of what stands in the log."""
    store, keys = stage.store, stage.keys
    return [
        list(read_entries(store, keys)),
        list(read_entries(store, keys, upto=store.run(folds.cursor(keys)))),
        [row for rows in read_rows(store, archives.changes_shelf(keys)) for row in rows],
        [store.run(reports.find(keys, result)) for result in RESULTS],
        [store.run(changes.history(keys, name, 1_000)) for name in NAMES],
        [store.run(moderation.measures(keys, name, 1_000)) for name in NAMES],
        [store.follow(stage.id, partial(look_at, player=name, now=NOW)) for name in NAMES],
        store.run(folds.extent(keys)),
        stage.page(),
    ]


def held(stage: Stage) -> int:
    """Entries that the store still has."""
    return int(stage.store.client.execute_command("XLEN", stage.keys.log))


def test_all_looks_as_before_when_everything_is_archived(season: Stage, later: int) -> None:
    before = seen(season)
    files = list(archive_all(season.store, season.id, later))
    assert [file.kind for file in files] == ["changes", "log"]
    assert held(season) == 1
    assert seen(season) == before


@pytest.mark.parametrize("rows", [1, 2, 3, 7])
def test_all_looks_as_before_after_every_file(season: Stage, later: int, rows: int) -> None:
    before = seen(season)
    while archive_once(season.store, season.id, later, rows):
        assert seen(season) == before
    assert held(season) == 1


def test_only_what_is_older_than_the_ladder_keeps_is_archived(season: Stage, later: int) -> None:
    assert archive_once(season.store, season.id, later - 2 * DAY_MS) is None
    season.put(keep_days=3)
    assert archive_once(season.store, season.id, later) is None
    season.put()
    assert archive_once(season.store, season.id, later + 10_000 * DAY_MS) is None


def test_settings_that_somebody_else_has_changed_count(season: Stage, archive: Archive, later: int) -> None:
    elsewhere = Store(season.store.client, archive=archive)
    season.put()
    assert archive_once(elsewhere, season.id, later) is None
    season.put(keep_days=1)
    assert archive_once(elsewhere, season.id, later)


def test_what_is_not_folded_stays(season: Stage, later: int) -> None:
    season.report(*wins(("ann", "bob"), prefix="waiting"))
    list(archive_all(season.store, season.id, later))
    assert held(season) == 2
    season.fold()
    assert season.store.run(reports.find(season.keys, "waiting0")).status == "rated"


def test_a_ladder_of_which_nothing_is_folded_has_nothing_to_archive(store: Store, later: int) -> None:
    stage = Stage(store, keep_days=1)
    stage.join("ann")
    assert archive_once(store, stage.id, later) is None


def test_an_archived_result_is_still_a_duplicate_or_a_conflict(season: Stage, later: int) -> None:
    list(archive_all(season.store, season.id, later))
    again, other = Result.duel("r1", "bob", "guest", "win", {}), Result.duel("r2", "guest", "ann", "loss", {})
    receipt, refusal = season.report(again, other)
    assert isinstance(receipt, Receipt)
    assert receipt.duplicate
    assert isinstance(refusal, MatchmakerError)
    assert refusal.code == "result_conflict"
    assert season.store.run(reports.witness(season.keys, [receipt]))


def test_an_archived_result_can_be_annulled(season: Stage, later: int) -> None:
    before = season.standing("ann")
    change = season.store.run(reports.find(season.keys, "late0")).changes
    assert change
    list(archive_all(season.store, season.id, later))
    season.annul("late0")
    season.fold()
    assert season.standing("ann").rating == before.rating - change[0].move.delta
    assert season.store.run(reports.find(season.keys, "late0")).status == "annulled"
    assert season.history("ann")[1].annulment


def test_an_archived_adjustment_with_an_id_still_counts_once(season: Stage, later: int) -> None:
    adjust = Adjust("bob", "shift", 5.0, "cli", "bonus", "may")
    first = season.on(lambda edition: moderation.take(edition, adjust))
    season.report(*wins(("ann", "bob"), prefix="last"))
    season.fold()
    list(archive_all(season.store, season.id, later))
    again = season.on(lambda edition: moderation.take(edition, adjust))
    assert (again.taken, again.log_id) == (False, first.log_id)
    assert again.log_id
    assert season.store.run(moderation.witness(season.keys, again.log_id))


def test_an_entry_that_the_log_never_had_is_not_taken_for_archived(season: Stage, later: int) -> None:
    list(archive_all(season.store, season.id, later))
    _, last = season.store.run(folds.extent(season.keys))
    beyond = f"{int(last.partition('-')[0]) + 1}-0"
    assert not season.store.run(moderation.witness(season.keys, beyond))
    assert season.store.run(moderation.witness(season.keys, last))


class KilledError(BaseException):
    """The process is gone."""


STEPS: list[tuple[type, str]] = [
    (Depot, "write"),
    (Depot, "_write_locally"),
    (Depot, "_holds"),
    (Path, "replace"),
]


@pytest.mark.parametrize(("owner", "step"), STEPS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_whoever_is_killed_at_any_step_loses_nothing(
    season: Stage, later: int, monkeypatch: pytest.MonkeyPatch, owner: type, step: str, when: str
) -> None:
    before, original = seen(season), getattr(owner, step)

    def killed(*words: Any) -> Any:
        if when == "after":
            original(*words)
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(owner, step, killed)
        with pytest.raises(KilledError):
            archive_once(season.store, season.id, later)
    assert held(season) == season.store.run(folds.extent(season.keys))[0]
    assert seen(season) == before
    list(archive_all(season.store, season.id, later))
    assert held(season) == 1
    assert seen(season) == before


class Interrupted:
    """Passes everything on to `client`; around the first taking up of a file it calls `interruption`."""

    def __init__(self, client: Client, interruption: Callable[[], object], *, before: bool) -> None:
        self._client = client
        self._interruption: Callable[[], object] | None = interruption
        self._before = before

    def execute_command(self, *words: Any) -> Any:
        mine = script("shelve").sha in words and self._interruption
        if not mine:
            return self._client.execute_command(*words)
        interruption, self._interruption = self._interruption, None
        assert interruption
        if self._before:
            interruption()
        reply = self._client.execute_command(*words)
        if not self._before:
            interruption()
        return reply


@pytest.mark.parametrize("before", [True, False])
def test_whoever_is_killed_around_the_cut_loses_nothing(
    season: Stage, archive: Archive, later: int, before: bool
) -> None:
    def die() -> None:
        raise KilledError

    whole = seen(season)
    victim = Store(Interrupted(season.store.client, die, before=before), archive=archive)
    with pytest.raises(KilledError):
        archive_once(victim, season.id, later)
    assert seen(season) == whole
    list(archive_all(season.store, season.id, later))
    assert held(season) == 1
    assert seen(season) == whole


@pytest.mark.parametrize("rows", [1, 5, 1000])
def test_of_two_jobs_at_once_the_second_does_no_harm(
    season: Stage, archive: Archive, later: int, rows: int
) -> None:
    whole = seen(season)
    faster = partial(archive_once, season.store, season.id, later, rows)
    slow = Store(Interrupted(season.store.client, faster, before=True), archive=archive)
    while archive_once(slow, season.id, later, 4):
        assert seen(season) == whole
    assert held(season) == 1


def test_files_whose_answers_are_lost_count_all_the_same(season: Stage, archive: Archive, later: int) -> None:
    before = seen(season)
    repeating = Store(Repeating(season.store.client), archive=archive)
    told = list(archive_all(repeating, season.id, later))
    shelves = archives.changes_shelf(season.keys), archives.log_shelf(season.keys)
    assert told == [file for shelf in shelves for file in season.store.files(shelf)]
    assert seen(season) == before


def test_a_ladder_that_keeps_everything_again_meanwhile_is_not_cut(
    season: Stage, archive: Archive, later: int
) -> None:
    slow = Store(Interrupted(season.store.client, season.put, before=True), archive=archive)
    assert archive_once(slow, season.id, later) is None
    assert held(season) == season.store.run(folds.extent(season.keys))[0]


def test_results_that_are_reported_and_folded_meanwhile_all_count(season: Stage, later: int) -> None:
    def report_and_fold(numbers: range) -> None:
        own = Stage.__new__(Stage)
        own.__dict__ |= season.__dict__
        for number in numbers:
            own.report(Result.duel(f"busy{number}", "ann", "bob", "win", {}))
            own.fold()

    players = [Thread(target=report_and_fold, args=(range(n, 150, 3),)) for n in range(3)]
    for player in players:
        player.start()
    archived = 0
    while any(player.is_alive() for player in players):
        archived += archive_once(season.store, season.id, later, 20) is not None
    list(archive_all(season.store, season.id, later))
    entries = [each.entry for each in read_entries(season.store, season.keys)]
    reported = [each.id for each in entries if isinstance(each, Result) and each.id.startswith("busy")]
    assert sorted(reported) == sorted(f"busy{n}" for n in range(150))
    states: dict[str, PlayerState] = {}
    fold(states, entries, season.store.edition(season.id).ladder.rule)
    assert {name: season.standing(name).rating for name in NAMES} == {
        name: states[name].rating for name in NAMES
    }
    assert archived
    assert held(season) == 1


def test_who_reads_a_log_that_grows_all_the_time_comes_to_an_end(season: Stage) -> None:
    def report(command: int) -> None:
        assert command < 20, "this has no end"
        season.report(*wins(("ann", "bob"), prefix=f"grows{command}-"))

    entries = list(read_entries(Store(Mortal(season.store.client, report)), season.keys))
    assert entries == list(read_entries(season.store, season.keys))[: len(entries)]


def test_who_reads_the_log_while_it_is_archived_sees_every_entry_once(
    season: Stage, later: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = list(read_entries(season.store, season.keys))
    monkeypatch.setattr("matchmaker.chronicle._BATCH", 2)

    def archiving() -> Iterator[Any]:
        for logged in read_entries(Store(season.store.client, archive=season.store.archive), season.keys):
            archive_once(season.store, season.id, later, 3)
            yield logged

    assert list(archiving()) == whole
    assert held(season) == 1


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
