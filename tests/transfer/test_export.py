"""Exports that are broken off, and gone on with."""

import gzip
from itertools import count
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import redis

from matchmaker.rating import InitiatorK
from matchmaker.rebuilding import apply
from matchmaker.results import Result
from matchmaker.store import folds
from matchmaker.store.client import Client, Store
from matchmaker.store.keys import LadderKeys
from matchmaker.transfer.export import Export
from matchmaker.transfer.formats import Format
from matchmaker.transfer.unfinished import Unfinished
from matchmaker.verification import verify
from tests.stage import Stage, wins
from tests.transfer.files import NAMES, bring_in, export_to, exported, seen, untracked
from tests.transfer.mortal import Mortal

FILES = [
    *("ladder.ndjson", "ladder.ndjson.gz", "ladder.ndjson.zst"),
    *("results.csv", "results.csv.gz", "results.ndjson", "results.ndjson.zst", "results.parquet"),
]


@pytest.fixture(autouse=True)
def _short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matchmaker.transfer.export.STRETCH", 4)
    monkeypatch.setattr("matchmaker.chronicle._BATCH", 4)


def begin(client: Client, stage: Stage, path: Path, last: int) -> bool:
    """Exports until the last of so many commands, whose answer is lost; whether it came that far."""
    try:
        export_to(path, Store(Mortal(client, last)), stage.id, whole=path.stem.startswith("ladder"))
    except redis.ConnectionError:
        return True
    return False


def go_on(stage: Stage, path: Path) -> tuple[str | None, int]:
    """Ends an export that was begun; why it had to begin anew, if so, and how many entries were written."""
    whole = path.stem.startswith("ladder")
    with Unfinished(path) as unfinished:
        export = Export(Store(stage.store.client), stage.id, Format.of(path), unfinished, whole=whole)
        reason = export.go_on()
        done = unfinished.mark.entries if unfinished.mark else 0
        export.write(untracked)
    return reason, done


def break_off_behind_a_mark(stage: Stage, path: Path) -> None:
    """Leaves something that can be gone on with."""
    for last in count(1):
        assert begin(stage.store.client, stage, path, last)
        if (path.with_name(f".{path.name}.part")).exists():
            return


@pytest.mark.parametrize("name", FILES)
def test_an_export_that_was_broken_off_anywhere_ends_with_the_same_file(
    season: Stage, tmp_path: Path, name: str
) -> None:
    whole = tmp_path / "at-once" / name
    whole.parent.mkdir()
    export_to(whole, season.store, season.id, whole=name.startswith("ladder"))
    path, resumed = tmp_path / name, set()
    for last in count(1):
        if not begin(season.store.client, season, path, last):
            break
        resumed.add(go_on(season, path)[1])
        assert path.read_bytes() == whole.read_bytes()
        assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["at-once", name])
        path.unlink()
    assert {0, 4, 8, 12, 16, 20, 24} <= resumed


@pytest.mark.parametrize("name", ["results.csv", "results.parquet"])
def test_what_was_annulled_or_played_meanwhile_does_not_change_the_results(
    season: Stage, tmp_path: Path, name: str
) -> None:
    whole, path = tmp_path / f"whole-{name}", tmp_path / name
    export_to(whole, season.store, season.id, whole=False)
    break_off_behind_a_mark(season, path)
    for result in ("r1", "late1"):
        season.annul(result)
    season.report(*wins(("ann", "bob"), prefix="new"))
    assert go_on(season, path)[0] is None
    assert path.read_bytes() == whole.read_bytes()


def test_a_ladder_that_was_played_on_meanwhile_is_as_it_was(season: Stage, tmp_path: Path) -> None:
    before, entries = seen(season.store, season.id, NAMES)[:2], exported(season.store, season.id)
    path = tmp_path / "ladder.ndjson.gz"
    break_off_behind_a_mark(season, path)
    season.join("eve")
    season.report(*wins(("eve", "ann"), ("eve", "bob"), prefix="new"))
    season.annul("r2")
    season.suspend("ann")
    season.fold()
    assert go_on(season, path)[0] is None
    bring_in(season.store, "copy", gzip.decompress(path.read_bytes()))
    assert seen(season.store, "copy", NAMES)[:2] == before
    assert not verify(season.store, "copy", lambda _: None).differences
    assert season.store.run(folds.extent(LadderKeys("copy")))[0] == entries.count(b'{"log"')


def test_what_is_left_of_a_ladder_with_other_settings_is_of_no_use(
    season: Stage, tmp_path: Path, redis_client: redis.Redis
) -> None:
    path = tmp_path / "ladder.ndjson"
    break_off_behind_a_mark(season, path)
    season.put(title="Another")
    assert go_on(season, path) == ("The ladder has other settings or another log since", 0)
    assert path.read_bytes() == exported(Store(redis_client), season.id)


def test_what_is_left_of_a_ladder_that_was_lost_is_of_no_use(
    season: Stage, tmp_path: Path, redis_client: redis.Redis
) -> None:
    early = exported(season.store, season.id)
    season.report(*wins(("ann", "bob"), prefix="lost"))
    path = tmp_path / "results.parquet"
    break_off_behind_a_mark(season, path)
    revision = season.store.edition(season.id).revision
    redis_client.delete(*redis_client.scan_iter(f"mm:{{{season.id}}}:*"))
    bring_in(Store(redis_client), season.id, early)
    redis_client.hset(season.keys.ladder, "revision", revision)
    season.report(*wins(("ann", "bob"), prefix="new"))
    assert go_on(season, path) == ("The ladder has other settings or another log since", 0)


def test_what_is_left_of_another_export_is_not_taken(season: Stage, tmp_path: Path) -> None:
    path, other = tmp_path / "ladder.ndjson", Stage(season.store)
    break_off_behind_a_mark(season, path)
    assert go_on(other, path) == ("What is left there is another export's", 0)
    assert path.read_bytes() == exported(season.store, other.id)


def test_without_asking_an_export_begins_anew(season: Stage, tmp_path: Path) -> None:
    path = tmp_path / "ladder.ndjson"
    break_off_behind_a_mark(season, path)
    season.report(*wins(("ann", "bob"), prefix="new"))
    export_to(path, season.store, season.id)
    assert path.read_bytes() == exported(season.store, season.id)
    assert list(tmp_path.iterdir()) == [path]


def test_results_of_an_earlier_rule_are_written_as_the_rule_of_now_reads_them(
    stage: Stage, tmp_path: Path
) -> None:
    stage.put(rule={"name": "performance"})
    stage.join("ann", "bob")
    stage.report(Result.duel("old", "ann", "bob", "win", {"initiator": {"bad_moves": 1}}))
    stage.fold()
    apply(stage.store, stage.id, InitiatorK(), 1500.0, lambda _: None)
    stage.report(*wins(("bob", "ann"), prefix="new"))
    export_to(tmp_path / "results.csv", stage.store, stage.id, whole=False)
    rows = (tmp_path / "results.csv").read_text().splitlines()
    assert rows[1:] == ["old,ann,bob,win,,", "new0,bob,ann,win,,"]


def test_an_empty_ladder_has_a_head_in_every_format(store: Store, tmp_path: Path) -> None:
    stage = Stage(store)
    for name in FILES:
        export_to(tmp_path / name, store, stage.id, whole=name.startswith("ladder"))
    assert (tmp_path / "results.csv").read_text() == "id,initiator,opponent,outcome,details,played_at\n"
    assert pq.read_table(tmp_path / "results.parquet").num_rows == 0
    bring_in(store, "copy", (tmp_path / "ladder.ndjson").read_bytes())


def test_export_import_export_gives_the_same_file(season: Stage) -> None:
    file = exported(season.store, season.id)
    bring_in(season.store, "copy", file)
    again = exported(season.store, "copy")
    assert again == file.replace(f'"id": "{season.id}"'.encode(), b'"id": "copy"')
