"""Archiving that is killed, done twice, or done while play goes on."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from matchmaker.archive import Archive
from matchmaker.archive.depot import Depot
from matchmaker.archiving import archive_all, archive_once
from matchmaker.chronicle import read_entries
from matchmaker.fold import fold
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result
from matchmaker.store import archives, folds
from matchmaker.store.call import script
from matchmaker.store.client import Client, Store
from tests.archive.conftest import NAMES
from tests.archive.views import held, seen
from tests.repeating import Repeating
from tests.replay.takeover import Mortal
from tests.stage import Stage, wins


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
