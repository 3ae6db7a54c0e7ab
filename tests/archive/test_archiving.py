"""Entries on their way into the archive: nothing is lost, nothing is there twice, and all looks as before."""

import pytest

from matchmaker.archive import Archive
from matchmaker.archiving import archive_all, archive_once
from matchmaker.errors import MatchmakerError
from matchmaker.moderation import Adjust
from matchmaker.results import Result
from matchmaker.store import folds, moderation, reports
from matchmaker.store.client import Store
from matchmaker.store.reports import Receipt
from matchmaker.timestamps import DAY_MS
from tests.archive.views import held, seen
from tests.stage import Stage, wins


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
