"""Ladders that are rebuilt when most of their log is in the archive."""

from typing import Any

from matchmaker.archiving import archive_all
from matchmaker.rating import OpenSkill
from matchmaker.store import changes, reports
from matchmaker.verification import verify
from tests.archive.conftest import NAMES
from tests.replay.takeover import rebuild, take_back
from tests.stage import Stage, wins


def _rated(stage: Stage) -> list[Any]:
    """What the fold has made of everything."""
    results = [*(f"r{number}" for number in range(12)), "draw", "team", "late0", "late1"]
    return [
        stage.ratings(),
        [stage.store.run(reports.find(stage.keys, result)).changes for result in results],
        [stage.store.run(changes.history(stage.keys, name, 1_000)) for name in NAMES],
    ]


def test_what_is_archived_is_rated_anew_and_comes_back(season: Stage, later: int) -> None:
    store, before = season.store, _rated(season)
    archived = [file.path for file in archive_all(store, season.id, later)]
    rebuild(season, OpenSkill())
    assert not verify(store, season.id, lambda _: None).differences
    after = _rated(season)
    assert after[0] != before[0]
    anew = [file.path for file in archive_all(store, season.id, later)]
    assert [path for path in archived if "generation=0" in path]
    assert [path for path in anew if "generation=1" in path]
    assert _rated(season) == after
    take_back(season)
    assert _rated(season) == before
    season.annul("r1")
    season.report(*wins(("ann", "bob"), prefix="new"))
    season.fold()
    assert not verify(store, season.id, lambda _: None).differences
    take_back(season)
    assert not verify(store, season.id, lambda _: None).differences
    assert store.run(reports.find(season.keys, "r1")).status == "annulled"
