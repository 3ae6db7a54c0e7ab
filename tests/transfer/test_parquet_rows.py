"""Parquet files, as other programs write them."""

import io
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from matchmaker.errors import InvalidInputError
from matchmaker.rating import Performance
from matchmaker.results import Result
from matchmaker.transfer.columns import Columns, ReadResult, read_results
from matchmaker.transfer.formats import Format
from matchmaker.transfer.rows import BadRow
from matchmaker.transfer.table import read_rows

PARQUET = Format("parquet", None)


def file_of(**columns: Any) -> io.BytesIO:
    """A file of three rows."""
    names = {"initiator": ["ann", "bob", "cid"], "opponent": ["dan"] * 3, "outcome": ["win", "draw", "loss"]}
    file = io.BytesIO()
    table = {name: cells for name, cells in (names | columns).items() if cells is not None}
    pq.write_table(pa.table(table), file)
    file.seek(0)
    return file


def read(file: io.BytesIO, columns: Columns = Columns()) -> list[Result | BadRow]:  # noqa: B008
    rows = read_rows(file, PARQUET, columns.required)
    reads = read_results(rows, columns, Performance(), "file")
    return [each.result if isinstance(each, ReadResult) else each for each in reads]


def values(name: str, columns: Columns = Columns(), **cells: Any) -> list[Any]:  # noqa: B008
    """What is read of every row."""
    return [getattr(each, name) for each in read(file_of(**cells), columns)]


@pytest.mark.parametrize(
    ("ids", "read_as"),
    [
        (pa.array([1, 2, 2**63], pa.uint64()), ["1", "2", str(2**63)]),
        (pa.array(["ann", "Žluťoučký kůň", "ann"]).dictionary_encode(), ["ann", "Žluťoučký kůň", "ann"]),
        (pa.array([" ann", "b", "c"], pa.large_string()), ["ann", "b", "c"]),
        (pa.array([UUID(int=n).bytes for n in range(3)], pa.uuid()), [str(UUID(int=n)) for n in range(3)]),
    ],
)
def test_ids_may_be_numbers_or_any_text(ids: pa.Array, read_as: list[str]) -> None:
    assert values("sides", initiator=ids) == [((name,), ("dan",)) for name in read_as]


def test_a_side_may_be_a_list_of_players() -> None:
    teams = [["ann", "bob"], ["cid"], ["eve", "fay"]]
    assert [sides[0] for sides in values("sides", initiator=teams)] == list(map(tuple, teams))


DAY = 24 * 3600 * 1000


@pytest.mark.parametrize(
    ("times", "milliseconds"),
    [
        (pa.array([0, -1, 1_001], pa.timestamp("us")), [0, -1, 1]),
        (pa.array([0, -1, None], pa.timestamp("ns", "Europe/Prague")), [0, -1, None]),
        (pa.array([0, -1, 1], pa.timestamp("s")), [0, -1000, 1000]),
        (pa.array([0, -1, 1], pa.timestamp("ms", "UTC")), [0, -1, 1]),
        (pa.array([0, -1, 1], pa.date32()), [0, -DAY, DAY]),
        (pa.array([0, -DAY, DAY], pa.date64()), [0, -DAY, DAY]),
        (["1970-01-02", "", None], [DAY, None, None]),
    ],
)
def test_times_may_be_points_in_time_dates_or_text(times: Any, milliseconds: list[int | None]) -> None:
    assert values("played_at", played_at=times) == milliseconds
    columns = Columns(played_at="when")
    assert values("played_at", columns, when=times) == milliseconds


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ([3, 1, 0], pa.array([2.5, 1.0, 7.25])),
        (pa.array([1, 0, -1], pa.int8()), [Decimal("0.5"), Decimal(0), Decimal("0.0")]),
        (["3", "1", "0"], [2, 1, 1]),
    ],
)
def test_scores_may_be_any_numbers(own: Any, other: Any) -> None:
    columns = Columns(score=("own", "other"))
    assert values("ending", columns, outcome=None, own=own, other=other) == ["win", "draw", "loss"]


@pytest.mark.parametrize(
    "details",
    [
        ['{"initiator": {"bad_moves": 2}}', "", None],
        [{"initiator": {"bad_moves": 2, "won_by_24": None}, "opponent": None}, None, {}],
    ],
)
def test_details_may_be_json_or_a_struct(details: list[Any]) -> None:
    played: list[Mapping[str, Any]] = values("details", details=details)
    assert played == [{"initiator": {"bad_moves": 2}}, {}, {}]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"opponent": ["x", None, "y"]}, "opponent: must be text"),
        ({"opponent": [1.5, 2.5, 3.5], "initiator": [1, 2, 3]}, "opponent: must be text"),
        ({"opponent": ["ann", "bob", "y"]}, "opponent: must be another player"),
        ({"outcome": ["win", "won", "loss"]}, "outcome: must be win"),
        ({"played_at": pa.array([0, 2**52, 0], pa.timestamp("s"))}, "played_at: is no point in time"),
        ({"played_at": ["", "2026-07-19 18:00:00Z", ""]}, "played_at: must be a date"),
        ({"details": ["", "[]", ""]}, "details: must be a JSON object"),
        ({"initiator": pa.array([b"ann", b"\xff", b"x"]).view(pa.string())}, "initiator: is not UTF-8"),
    ],
)
def test_a_bad_row_is_told_by_its_number(cells: dict[str, Any], reason: str) -> None:
    bad = [each for each in read(file_of(**cells)) if isinstance(each, BadRow)]
    assert (2, "row 2") in [(each.number, each.place) for each in bad]
    assert all(reason in each.reason for each in bad)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"initiator": [b"ann", b"bob", b"cid"]}, "'initiator' holds binary"),
        ({"opponent": [[b"dan"], [], None]}, "'opponent' holds list<"),
        ({"played_at": pa.array([1, 2, 3], pa.time32("s"))}, "'played_at' holds time32"),
        ({"outcome": None}, "there is no column 'outcome'; there are: 'initiator', 'opponent'"),
    ],
)
def test_columns_that_can_hold_no_cells_are_refused(cells: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason):
        read(file_of(**cells))


def test_columns_that_nobody_asks_for_may_hold_anything() -> None:
    assert len(values("id", replay=[b"\xff", None, b""], moves=[[1], [], None])) == 3


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: b"",
        lambda file: b"no Parquet file at all",
        lambda file: file[:-1],
        lambda file: file[: len(file) // 2],
        lambda file: file[:4] + bytes(120) + file[124:],
    ],
)
def test_a_damaged_file_is_told_in_one_sentence(damage: Any) -> None:
    file = damage(file_of().getvalue())
    with pytest.raises(InvalidInputError, match="no Parquet file, or a damaged one"):
        read(io.BytesIO(file))
