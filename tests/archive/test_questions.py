"""Questions in SQL: over archive and store alike, and unable to do anything else."""

from pathlib import Path
from typing import Any

import pytest

from matchmaker.archive import Archive
from matchmaker.archiving import archive_all, archive_once
from matchmaker.errors import ArchiveUnavailableError, InvalidInputError, NotFoundError
from matchmaker.fold import Change
from matchmaker.questions import answering
from matchmaker.store import archives, reports
from matchmaker.store.client import Store
from tests.archive.conftest import NAMES
from tests.stage import Stage, wins

EVERYTHING = (
    "SELECT * FROM log ORDER BY log_id",
    "SELECT * FROM changes ORDER BY log_id, player",
    "SELECT * FROM results ORDER BY id",
)


def ask(stage: Stage, question: str, *others: str) -> list[dict[str, Any]]:
    with answering(stage.store, [stage.id, *others], question) as answer:
        return [dict(zip(answer.columns, line, strict=True)) for batch in answer.batches for line in batch]


@pytest.mark.parametrize("question", EVERYTHING)
def test_the_answer_is_the_same_wherever_entries_are(season: Stage, later: int, question: str) -> None:
    before = ask(season, question)
    assert before
    archive_once(season.store, season.id, later, 7)
    assert ask(season, question) == before
    for _ in range(3):
        archive_once(season.store, season.id, later, 4)
    assert ask(season, question) == before
    list(archive_all(season.store, season.id, later))
    assert ask(season, question) == before


def test_changes_are_what_the_store_says_bit_for_bit(season: Stage) -> None:
    for result in ("r1", "draw", "team"):
        found = season.store.run(reports.find(season.keys, result))
        assert found.changes
        told = {line["player"]: line for line in ask(season, f"FROM changes WHERE result = '{result}'")}
        assert told.keys() == {change.player for change in found.changes}
        for change in found.changes:
            _check(told[change.player], change)
            side = found.logged.result.place(change.player)
            assert told[change.player]["side"] == side + 1
            assert told[change.player]["outcome"] == found.logged.result.outcomes[side]


def _check(line: dict[str, Any], change: Change) -> None:
    assert (line["before"], line["after"]) == (change.before, change.after)
    assert (line["delta"], line["k"], line["expected"]) == (
        change.move.delta,
        change.move.k,
        change.move.expected,
    )


def test_an_adjustment_is_a_change_without_a_result(season: Stage) -> None:
    (line,) = ask(season, "FROM changes WHERE kind = 'adjust'")
    assert (line["player"], line["result"], line["k"], line["outcome"]) == ("ann", None, None, None)
    assert line["delta"] == -7.25


def test_a_rule_without_k_has_none_here(store: Store) -> None:
    stage = Stage(store, rule={"name": "openskill"})
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    stage.fold()
    assert [line["k"] for line in ask(stage, "FROM changes")] == [None, None]


def test_results_say_who_met_and_what_came_of_it(season: Stage) -> None:
    lines = {line["id"]: line for line in ask(season, "FROM results")}
    assert len(lines) == 16
    duel, team = lines["r1"], lines["team"]
    assert (duel["initiator"], duel["opponent"], duel["outcome"], duel["rated"]) == (
        "bob",
        "guest",
        "win",
        True,
    )
    changes = season.store.run(reports.find(season.keys, "r1")).changes
    assert changes
    assert (duel["initiator_before"], duel["opponent_delta"]) == (changes[0].before, changes[1].move.delta)
    assert (team["initiator"], team["opponent"]) == (None, None)
    assert team["sides"] == [["guest", "ann"], ["bob", "Žluťoučký kůň"]]
    assert [name for name, line in lines.items() if line["annulled"]] == ["r0"]


def test_changes_say_whether_their_result_is_annulled(season: Stage) -> None:
    found = {(line["kind"], line["result"]) for line in ask(season, "FROM changes WHERE annulled")}
    assert found == {("result", "r0")}
    assert len(ask(season, "FROM changes WHERE NOT annulled AND kind = 'adjust'")) == 1


def test_a_result_that_waits_to_be_rated_is_there_without_changes(season: Stage) -> None:
    season.report(*wins(("ann", "bob"), prefix="waiting"))
    (line,) = ask(season, "FROM results WHERE NOT rated")
    assert (line["id"], line["expected"]) == ("waiting0", None)


def test_several_ladders_are_told_apart(season: Stage) -> None:
    other = Stage(season.store)
    other.join(*NAMES)
    other.report(*wins(("ann", "bob")))
    other.fold()
    counts = ask(season, "SELECT ladder, count(*) AS n FROM results GROUP BY ladder", other.id)
    assert {line["ladder"]: line["n"] for line in counts} == {season.id: 16, other.id: 1}


FORBIDDEN = (
    "COPY (SELECT 1) TO '{path}'",
    "COPY log TO '{path}' (FORMAT parquet)",
    "SELECT * FROM read_text('{path}')",
    "SELECT * FROM read_csv('{path}')",
    "SELECT * FROM read_parquet('{path}')",
    "SELECT * FROM '{path}'",
    "SELECT * FROM glob('/*')",
    "ATTACH '{path}'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "DROP VIEW log",
    "CREATE TABLE t AS SELECT 1",
    "SELECT 1; SELECT 2",
    "SELECT 1; COPY (SELECT 1) TO '{path}'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{path}'",
    "PRAGMA database_list",
    "EXPORT DATABASE '{path}'",
    "SELECT * FROM store",
    "SELECT nothing FROM results",
    "SELEKT",
    "",
)


@pytest.mark.parametrize("question", FORBIDDEN)
def test_nothing_but_the_views_can_be_read_and_nothing_written(
    season: Stage, later: int, tmp_path: Path, question: str
) -> None:
    list(archive_all(season.store, season.id, later))
    assert season.store.archive
    (file,) = season.store.files(archives.log_shelf(season.keys))
    path = Path(season.store.archive.depot.locate(file.path))
    before = path.read_bytes()
    for place in (path, tmp_path / "new"):
        with pytest.raises(InvalidInputError):
            ask(season, question.format(path=place))
    assert path.read_bytes() == before
    assert not (tmp_path / "new").exists()


def test_an_unknown_ladder_is_not_there(season: Stage) -> None:
    with pytest.raises(NotFoundError):
        ask(season, "FROM log", "nobody")


def test_a_missing_file_is_named(season: Stage, later: int, archive: Archive) -> None:
    list(archive_all(season.store, season.id, later))
    (file,) = season.store.files(archives.log_shelf(season.keys))
    archive.depot.remove(file.path)
    with pytest.raises(ArchiveUnavailableError, match="is missing"):
        ask(season, "FROM log")


def test_another_place_than_this_machine_will_do(store: Store, later: int) -> None:
    stage = Stage(Store(store.client, archive=Archive("memory://questions")), keep_days=1)
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob"), ("bob", "ann")))
    stage.fold()
    list(archive_all(stage.store, stage.id, later))
    assert [line["id"] for line in ask(stage, "FROM results ORDER BY id")] == ["r0", "r1"]
