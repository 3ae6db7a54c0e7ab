"""`matchmaker import` of files that nobody would write on purpose."""

import csv
import io
import json
import unicodedata
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from matchmaker.ladder import Ladder
from matchmaker.store import boards, ladders, reports
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from matchmaker.transfer.formats import Format
from tests.cli.conftest import Ended, Program
from tests.transfer.files import results_of

COLUMNS = ("id", "initiator", "opponent", "outcome", "played_at", "details")
_PLAYERS = ("ann", "bob", " cid ", "Женя", "e\u0301", "a:b{nft}")
_FINE = st.builds(
    lambda number, pair, outcome, played_at, details: dict(
        zip(COLUMNS, (f"r{number}", *pair, outcome, played_at, details), strict=True)
    ),
    st.integers(1, 6),
    st.permutations(_PLAYERS).map(lambda players: players[:2]),
    st.sampled_from(["win", "draw", "loss", " WIN "]),
    st.sampled_from(["", "2026-07-19", "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59Z"]),
    st.sampled_from(["", "{}", "null"]),
)
_TEXT = st.text(max_size=12) | st.sampled_from(
    [
        "",
        "\0",
        "\u2028",
        "\x85",
        "\ufeff",
        "\ud800",
        "x" * 140_000,
        "[" * 9_999,
        "1e999",
        "-1",
        "0001-01-01T00:00Z",
    ]
)
_JSON: st.SearchStrategy[Any] = (
    _TEXT | st.none() | st.booleans() | st.integers() | st.floats() | st.just({}) | st.just([{}])
)


def _rows(cells: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Rows that are fine, and some with a cell that need not be."""
    spoilt = st.builds(
        lambda row, column, cell: {**row, column: cell}, _FINE, st.sampled_from(COLUMNS), cells
    )
    return st.lists(_FINE | spoilt, max_size=12) | st.lists(_FINE, min_size=1, max_size=12)


_NAMES_OF_FILES = [
    f"results.{kind}{packing}" for kind in ("csv", "ndjson") for packing in ("", ".gz", ".zst")
]
_COLUMN_OPTIONS = (
    "--id=id",
    "--played-at=played_at",
    "--length=details",
    "--score=id,outcome",
    "--details=x",
)
_OPTIONS = st.sampled_from([[], ["--id=id"], ["--strict"], ["--id=id", "--strict"]]) | st.lists(
    st.sampled_from(_COLUMN_OPTIONS), unique=True
)
_SHRAPNEL = st.binary(max_size=4) | st.sampled_from(
    [
        b"\0",
        b'"',
        b'""',
        b"\r",
        b"\n",
        b",",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"{",
        b"\\ud800",
        b"9" * 5000,
    ]
)


@st.composite
def _damages(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """A few cuts and splinters, at places given as shares of the whole."""
    hits = draw(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 8), _SHRAPNEL), max_size=3))
    kept = draw(st.just(1.0) | st.floats(0, 1))

    def damage(content: bytes) -> bytes:
        for place, removed, splinter in hits:
            at = int(place * len(content))
            content = content[:at] + splinter + content[at + removed :]
        return content[: int(kept * len(content))]

    return damage


def _as_csv(rows: list[dict[str, str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


def _as_ndjson(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _written(rows: list[dict[str, str]], file: Path) -> bytes:
    """The rows in the format that the file's name tells."""
    format_, packed = Format.of(file), io.BytesIO()
    content = _as_csv(rows) if format_.kind == "csv" else _as_ndjson(rows)
    if format_.packing is None:
        return content
    with format_.writer(packed) as writer:
        writer.write(content)
    return packed.getvalue()


class Trial:
    """Fresh ladders, each of which takes one file."""

    def __init__(self, program: Program, store: Store, directory: Path) -> None:
        self._program, self._store, self._directory = program, store, directory
        self._numbers = count(1)

    def file(self, name: str) -> Path:
        return self._directory / name

    def run(self, file: Path, *options: str) -> tuple[str, Ended]:
        """Imports the file into a ladder of its own; checks what holds for every import."""
        ladder = f"trial-{next(self._numbers)}"
        self._store.run(ladders.put(Ladder.model_validate({"id": ladder, "rule": {"name": "initiator_k"}})))
        ended = self._program("import", ladder, str(file), "--json", *options)
        assert ended.code in (0, 1), ended.err
        event(f"ended {ended.code}, rated {ended.code == 0 and ended.json['rated'] > 0}")
        if ended.code == 1:
            assert self.results(ladder) == 0, "a failed import has written results"
            assert self.players(ladder) == set(), "a failed import has let players in"
        else:
            self._check_counts(ladder, ended.json, file, options)
        return ladder, ended

    def _check_counts(
        self, ladder: str, counts: dict[str, Any], file: Path, options: tuple[str, ...]
    ) -> None:
        assert counts["rows"] == counts["rated"] + counts["duplicates"] + counts["rejected"]
        assert self.results(ladder) == counts["rated"]
        assert self.players(ladder) == {
            player for each in results_of(self._store, ladder) for player in each.players
        }
        assert "--strict" not in options or counts["rejected"] == 0
        again = self._program("import", ladder, str(file), "--json", *options).json
        taken = counts["rated"] + counts["duplicates"]
        assert (again["rated"], again["duplicates"], again["rejected"]) == (0, taken, counts["rejected"])

    def results(self, ladder: str) -> int:
        return self._store.run(reports.count(LadderKeys(ladder)))

    def players(self, ladder: str) -> set[str]:
        page = self._store.on(ladder, lambda edition: boards.page(edition, 0, 1000))
        assert sum(row.rating for row in page.entries) == 1500 * page.total
        assert sum(row.games for row in page.entries) == 2 * self.results(ladder)
        return {row.player for row in page.entries}


@pytest.fixture
def trial(program: Program, store: Store, tmp_path: Path) -> Trial:
    return Trial(program, store, tmp_path)


def _could_name(rows: list[dict[str, Any]]) -> set[str]:
    cells = (row.get(column) for row in rows for column in ("initiator", "opponent"))
    return {unicodedata.normalize("NFC", str(cell)).strip() for cell in cells}


@given(rows=_rows(_TEXT), options=_OPTIONS)
def test_every_row_of_a_csv_file_is_counted_and_nobody_else_joins(
    trial: Trial, rows: list[dict[str, str]], options: list[str]
) -> None:
    file = trial.file("results.csv")
    file.write_bytes(_as_csv(rows))
    ladder, ended = trial.run(file, *options)
    if ended.code == 0:
        assert ended.json["rows"] == len(rows)
    assert trial.players(ladder) <= _could_name(rows)


@given(rows=_rows(_JSON), options=_OPTIONS)
def test_every_row_of_an_ndjson_file_is_counted_and_nobody_else_joins(
    trial: Trial, rows: list[dict[str, Any]], options: list[str]
) -> None:
    file = trial.file("results.ndjson")
    file.write_bytes(_as_ndjson(rows))
    ladder, ended = trial.run(file, *options)
    if ended.code == 0:
        assert ended.json["rows"] == len(rows)
    assert trial.players(ladder) <= _could_name(rows)


@given(rows=_rows(_TEXT), name=st.sampled_from(_NAMES_OF_FILES), damage=_damages(), options=_OPTIONS)
def test_a_damaged_file_is_read_or_refused_as_a_whole(
    trial: Trial, rows: list[dict[str, str]], name: str, damage: Callable[[bytes], bytes], options: list[str]
) -> None:
    file = trial.file(name)
    file.write_bytes(damage(_written(rows, file)))
    trial.run(file, *options)


@given(content=st.binary(max_size=200), name=st.sampled_from(_NAMES_OF_FILES), options=_OPTIONS)
def test_any_bytes_are_read_or_refused_as_a_whole(
    trial: Trial, content: bytes, name: str, options: list[str]
) -> None:
    file = trial.file(name)
    file.write_bytes(content)
    trial.run(file, *options)
