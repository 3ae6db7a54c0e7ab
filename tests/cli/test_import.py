"""`matchmaker import` and `export`."""

import contextlib
import gzip
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from matchmaker.store import boards, reports
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from tests import processes
from tests.cli.conftest import HEADER, Program
from tests.waiting import wait_until

FOOTBALL = Path(__file__).parents[3] / "shared" / "data" / "international_results.csv"
MANY = 15_000


def test_rows_are_counted_by_what_became_of_them(program: Program, results: Path) -> None:
    counts = program("import", "nft", str(results), "--json").json
    assert counts.pop("results_per_second") > 0
    assert counts == {"rows": 3, "rated": 2, "duplicates": 0, "rejected": 1}
    counts = program("import", "nft", str(results), "--json").json
    assert counts == {"rows": 3, "rated": 0, "duplicates": 2, "rejected": 1, "results_per_second": 0}


def test_people_see_the_same_counts(program: Program, results: Path) -> None:
    lines = program("import", "nft", str(results)).out.splitlines()
    assert [line.split()[0] for line in lines] == ["rows", "rated", "duplicates", "rejected", "results/s"]


def test_a_bad_row_is_told_by_its_line(program: Program, results: Path) -> None:
    told = program("import", "nft", str(results)).err
    assert told == "line 3: opponent: must be another player than the initiator\n"


def test_many_bad_rows_are_told_on_one_screen(program: Program, results: Path) -> None:
    results.write_text(HEADER + "ann,bob,win\n" + "ann,ann,win\n" * 1000)
    ended = program("import", "nft", str(results), "--json")
    assert ended.json["rejected"] == 1000
    assert len(ended.err.splitlines()) == 21


def test_strict_writes_nothing_when_a_row_is_bad(program: Program, store: Store, results: Path) -> None:
    ended = program("import", "nft", str(results), "--strict")
    assert ended.code == 1
    assert ended.err.splitlines() == [
        "line 3: opponent: must be another player than the initiator",
        "matchmaker: 1 row is bad; nothing was imported",
    ]
    assert store.on("nft", lambda edition: boards.page(edition, 0, 10)).total == 0


def test_strict_imports_what_is_fine(program: Program, results: Path) -> None:
    results.write_text(HEADER + "ann,bob,win\n")
    assert program("import", "nft", str(results), "--strict", "--json").json["rated"] == 1


def test_strict_finds_an_id_with_other_content(program: Program, results: Path) -> None:
    results.write_text("id," + HEADER + "a,ann,bob,win\na,ann,bob,loss\n")
    ended = program("import", "nft", str(results), "--strict", "--id", "id")
    assert ended.code == 1
    assert ended.err.startswith("line 3: ")


def test_a_file_of_nothing_but_bad_rows_fails(program: Program, results: Path) -> None:
    results.write_text(HEADER + "ann,ann,win\n")
    assert program("import", "nft", str(results)).code == 1


def test_a_file_without_rows_is_fine(program: Program, results: Path) -> None:
    results.write_text(HEADER)
    assert program("import", "nft", str(results), "--json").json["rows"] == 0


def test_a_file_stays_the_same_when_it_is_packed(program: Program, results: Path) -> None:
    program("import", "nft", str(results))
    packed = results.with_suffix(".csv.gz")
    packed.write_bytes(gzip.compress(results.read_bytes()))
    assert program("import", "nft", str(packed), "--json").json["duplicates"] == 2


def test_lengths_go_with_matches(program: Program, results: Path) -> None:
    results.write_text('{"initiator": "ann", "opponent": "bob", "outcome": "win", "points": 5}\n')
    file = results.rename(results.with_suffix(".ndjson"))
    assert program("import", "backgammon", str(file), "--length", "points", "--json").json["rated"] == 1
    assert program("standing", "backgammon", "ann", "--json").json["experience"] == 5


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        (HEADER, ("--score", "home,away"), "there is no column 'home'; there are: 'initiator', "),
        (HEADER, ("--initiator", "x\x1b[31m"), "there is no column 'x\\x1b[31m'"),
        ("", (), "the file is empty"),
    ],
)
def test_a_file_that_does_not_fit_fails(
    program: Program, results: Path, content: str, options: tuple[str, ...], reason: str
) -> None:
    results.write_text(content)
    ended = program("import", "nft", str(results), *options)
    assert ended.code == 1
    assert reason in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    "options", [("--score", "a"), ("--score", "a,b,c"), ("--score", "a,b", "--outcome", "c")]
)
def test_a_score_is_two_columns_and_no_outcome(
    program: Program, results: Path, options: tuple[str, ...]
) -> None:
    assert program("import", "nft", str(results), *options).code == 2


def test_what_is_no_file_of_results_fails(program: Program, tmp_path: Path) -> None:
    assert program("import", "nft", str(tmp_path / "missing.csv")).code == 1
    assert program("import", "nft", str(tmp_path)).code == 1


@pytest.mark.parametrize("command", [("import", "nft"), ("evaluate",)])
@pytest.mark.parametrize("name", ["results.csv", "ladder.ndjson"])
def test_a_pipe_is_refused_because_it_cannot_be_read_twice(
    program: Program, tmp_path: Path, command: tuple[str, ...], name: str
) -> None:
    os.mkfifo(tmp_path / name)
    ended = program(*command, str(tmp_path / name))
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "save it first" in ended.err


def test_a_bad_row_of_a_file_without_lines_is_told_by_its_number(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "results.parquet"
    cells = {"initiator": [1, 2, 3], "opponent": [2, 2, 1], "outcome": ["win", "win", "loss"]}
    pq.write_table(pa.table(cells), file)
    ended = program("import", "nft", str(file), "--json")
    assert (ended.json["rated"], ended.json["rejected"]) == (2, 1)
    assert ended.err == "row 2: opponent: must be another player than the initiator\n"
    assert program("evaluate", str(file), "--json").json["results"] == 2


def test_an_unknown_ladder_fails(program: Program, results: Path) -> None:
    assert program("import", "chess", str(results)).code == 1


@pytest.mark.parametrize("name", ["ladder.ndjson", "ladder.ndjson.gz", "ladder.ndjson.zst"])
def test_a_whole_ladder_comes_back_the_same(
    program: Program, results: Path, tmp_path: Path, name: str
) -> None:
    program("import", "nft", str(results))
    file = tmp_path / name
    assert program("export", "nft", str(file), "--json").json == {
        **{"ladder": "nft", "file": str(file), "entries": 5, "players": 3},
    }
    restored = program("import", "copy", str(file), "--json").json
    assert (restored["ladder"], restored["entries"], restored["results"], restored["players"]) == (
        *("copy", 5, 2, 3),
    )
    for command in (("board",), ("standing",)):
        nft, copy = (
            program(*command, ladder, *(["ann"] if command == ("standing",) else []), "--json").json
            for ladder in ("nft", "copy")
        )
        assert nft == copy | ({"ladder": "nft"} if "ladder" in copy else {})
    assert program("import", "copy", str(results), "--json").json["duplicates"] == 2


def test_a_ladder_with_players_is_refused_in_one_line(
    program: Program, results: Path, tmp_path: Path
) -> None:
    program("import", "nft", str(results))
    file = tmp_path / "ladder.ndjson"
    program("export", "nft", str(file))
    ended = program("import", "nft", str(file))
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        "matchmaker: Ladder 'nft' has players; a whole ladder is brought into a new one only.\n"
    )


def test_a_whole_ladder_takes_no_columns(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "ladder.ndjson"
    program("export", "nft", str(file))
    assert program("import", "copy", str(file), "--id", "id").code == 2
    assert program("import", "copy", str(file), "--strict").code == 2


def test_a_cut_file_leaves_no_ladder(program: Program, results: Path, tmp_path: Path) -> None:
    program("import", "nft", str(results))
    file = tmp_path / "ladder.ndjson.zst"
    program("export", "nft", str(file))
    file.write_bytes(file.read_bytes()[:-9])
    ended = program("import", "copy", str(file))
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert program("ladder", "show", "copy").code == 1


@pytest.mark.skipif(not FOOTBALL.exists(), reason="the football results are not beside the repository")
def test_football_ends_with_spain_first(program: Program, store: Store) -> None:
    columns = ("--initiator", "home_team", "--opponent", "away_team", "--score", "home_score,away_score")
    counts = program("import", "nft", str(FOOTBALL), *columns, "--played-at", "date", "--json").json
    assert (counts["rows"], counts["rated"], counts["rejected"]) == (49_520, 49_520, 0)
    board = store.on("nft", lambda edition: boards.page(edition, 0, 1000))
    assert (board.total, board.entries[0].player) == (337, "Spain")
    assert sum(row.rating for row in board.entries) == 1500 * 337


@pytest.fixture
def many_results(results: Path) -> Path:
    """A file that takes a while, of MANY results between 50 players."""
    results.write_text(HEADER + "".join(f"p{n % 50},p{(n + 1) % 50},win\n" for n in range(MANY)))
    return results


@contextlib.contextmanager
def begun(store: Store, file: Path) -> Iterator["subprocess.Popen[str]"]:
    """An import of the file that has brought some results in."""
    with processes.program(
        "import", "nft", str(file), env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        wait_until(lambda: store.run(reports.count(LadderKeys("nft"))), timeout=20)
        yield process


def test_a_killed_import_is_made_up_for_by_the_next(
    program: Program, store: Store, many_results: Path
) -> None:
    with begun(store, many_results) as process:
        process.kill()
        process.wait()
    before = store.run(reports.count(LadderKeys("nft")))
    assert 0 < before < MANY
    counts = program("import", "nft", str(many_results), "--json").json
    assert (counts["rated"], counts["duplicates"]) == (MANY - before, before)
    board = store.on("nft", lambda edition: boards.page(edition, 0, 1000))
    assert sum(row.games for row in board.entries) == 2 * MANY
    assert sum(row.rating for row in board.entries) == 1500 * 50


@pytest.mark.usefixtures("program")
def test_ctrl_c_ends_an_import_with_a_line_that_says_how_to_go_on(store: Store, many_results: Path) -> None:
    with begun(store, many_results) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (1, "")
    assert err == "matchmaker: interrupted; what has been rated so far stays, run it again for the rest\n"
