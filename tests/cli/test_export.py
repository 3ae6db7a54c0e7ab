"""`matchmaker export`."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.embedded import embedded_server
from tests import processes
from tests.cli.conftest import HEADER, Program
from tests.stage import Stage, wins
from tests.transfer.files import export_to, results_of
from tests.waiting import wait_until

MANY = 25_000


def test_exported_results_give_the_same_ratings_elsewhere(
    program: Program, results: Path, tmp_path: Path
) -> None:
    program("import", "nft", str(results))
    program("ladder", "create", "copy", "--rule", "initiator_k")
    file = tmp_path / "export.ndjson.gz"
    assert program("export", "nft", str(file), "--results", "--json").json["results"] == 2
    assert program("import", "copy", str(file), "--json").json["rated"] == 2
    boards_ = [program("board", each, "--json").json["entries"] for each in ("nft", "copy")]
    ratings = [[(row["player"], row["rating"]) for row in entries] for entries in boards_]
    assert ratings[0] == ratings[1]
    assert program("import", "nft", str(file), "--id", "id", "--json").json["duplicates"] == 2


def test_exported_results_keep_their_ids_when_asked_to(
    program: Program, store: Store, results: Path, tmp_path: Path
) -> None:
    program("import", "nft", str(results))
    program("ladder", "create", "copy", "--rule", "initiator_k")
    file = tmp_path / "export.csv"
    program("export", "nft", str(file), "--results")
    program("import", "copy", str(file), "--id", "id")
    nft, copy = ([each.id for each in results_of(store, ladder)] for ladder in ("nft", "copy"))
    assert nft == copy


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing/results.csv", "missing: No such file or directory"),
        ("results.csv", "results.csv: Is a directory"),
        ("results.txt", "must end in .csv"),
    ],
)
def test_an_export_that_cannot_be_written_names_what_was_typed(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("results.csv").mkdir()
    ended = program("export", "nft", name, "--results")
    assert ended.code == 1
    assert reason in ended.err
    assert ".part" not in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


@pytest.mark.parametrize(("rows", "told"), [(1, "1 result in "), (2, "2 results in ")])
def test_an_export_tells_how_much_it_wrote(
    program: Program, results: Path, tmp_path: Path, rows: int, told: str
) -> None:
    results.write_text(HEADER + "ann,bob,win\n" * rows)
    program("import", "nft", str(results))
    assert program("export", "nft", str(tmp_path / "export.csv"), "--results").out.startswith(told)


@pytest.fixture
def long(store: Store) -> Stage:
    return long_ladder(store)


def long_ladder(store: Store) -> Stage:
    """A ladder of MANY results between 50 players."""
    stage, names = Stage(store), [f"p{n}" for n in range(50)]
    stage.join(*names)
    pairs = [(names[n % 50], names[(n + 1) % 50]) for n in range(MANY)]
    for at in range(0, MANY, 1_000):
        stage.report(*wins(*pairs[at : at + 1_000], prefix=f"{at}-"))
    stage.fold()
    return stage


@contextlib.contextmanager
def begun(stage: Stage, file: Path, *options: str) -> Iterator["subprocess.Popen[str]"]:
    """An export into the file that has come to a mark."""
    journal = file.with_name(f".{file.name}.journal")
    command = ("export", stage.id, str(file), *options)
    with processes.program(
        *command, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 1, timeout=30)
        yield process


@pytest.mark.parametrize(
    ("name", "options"), [("ladder.ndjson.zst", ()), ("results.parquet", ("--results",))]
)
def test_a_killed_export_is_gone_on_with(
    program: Program, long: Stage, tmp_path: Path, name: str, options: tuple[str, ...]
) -> None:
    file, at_once = tmp_path / name, tmp_path / f"at-once-{name}"
    with begun(long, file, *options) as process:
        process.kill()
        process.wait()
    assert not file.exists()
    ended = program("export", long.id, str(file), "--resume", *options)
    assert (ended.code, ended.err.split(" of ")[0][:16]) == (0, "Going on behind ")
    export_to(at_once, long.store, long.id, whole=not options)
    assert file.read_bytes() == at_once.read_bytes()
    assert {each.name for each in tmp_path.iterdir()} == {name, at_once.name}


def test_an_export_that_is_interrupted_says_how_to_go_on(
    program: Program, long: Stage, tmp_path: Path
) -> None:
    file = tmp_path / "ladder.ndjson.gz"
    with begun(long, file) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (1, "")
    assert err.startswith("matchmaker: interrupted; ")
    assert err.endswith("the same command with --resume goes on from there\n")
    assert program("export", long.id, str(file), "--json").json["entries"] == MANY + 50


def test_a_lost_store_ends_an_export_with_a_line_that_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with embedded_server(tmp_path / "data") as server, connect(server.url) as client:
        assert isinstance(client, redis.Redis)
        stage = long_ladder(Store(client))
        monkeypatch.setenv("MATCHMAKER_STORE_URL", server.url)
        with begun(stage, tmp_path / "ladder.ndjson") as process:
            client.shutdown(nosave=True)
            out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("matchmaker: the store does not answer: ")
    assert err.endswith("the same command with --resume goes on from there\n")


def test_there_may_be_nothing_to_go_on_with(program: Program, tmp_path: Path) -> None:
    ended = program("export", "nft", str(tmp_path / "ladder.ndjson"), "--resume")
    assert (ended.code, ended.err) == (0, "There is nothing to go on with: the export begins anew\n")


@pytest.mark.parametrize("name", ["ladder.parquet", "ladder.csv"])
def test_a_whole_ladder_is_written_as_lines_of_json_only(program: Program, tmp_path: Path, name: str) -> None:
    ended = program("export", "nft", str(tmp_path / name))
    assert ended.code == 2
    assert "--results writes its results as .csv or .parquet" in ended.err
