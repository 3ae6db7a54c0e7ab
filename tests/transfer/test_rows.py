"""Rows as they stand in a file."""

import io

import pytest

from matchmaker.errors import InvalidInputError
from matchmaker.transfer.formats import Format
from matchmaker.transfer.rows import BadRow, Row
from matchmaker.transfer.table import read_rows

CSV = Format("csv", packing=None)
NDJSON = Format("ndjson", packing=None)


def rows(text: str | bytes, format_: Format = CSV, columns: tuple[str, ...] = ()) -> list[Row | BadRow]:
    content = text.encode() if isinstance(text, str) else text
    return list(read_rows(io.BytesIO(content), format_, list(columns)))


@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_cells_go_by_the_names_of_their_columns(bom: str) -> None:
    assert rows(f'{bom}a, b \n1,"x, ""y"""\n') == [Row(1, 2, {"a": "1", "b": 'x, "y"'})]


def test_every_kind_of_line_end_is_understood() -> None:
    assert [row.line for row in rows("a,b\r\n1,2\r\n3,4\n5,6")] == [2, 3, 4]


def test_lines_are_counted_through_empty_ones_and_long_cells() -> None:
    found = rows('a,b\n\n1,"two\nlines"\n\n3,4\n')
    assert [(row.number, row.line) for row in found] == [(1, 3), (2, 6)]


def test_a_row_with_too_few_cells_is_bad_and_the_next_is_fine() -> None:
    short, fine = rows("a,b\n1\n3,4\n")
    assert short == BadRow(1, 2, "has 1 cells, the header 2")
    assert isinstance(fine, Row)


def test_a_missing_quote_is_guessed_at() -> None:
    (bad,) = rows('a,b,c\n1,"2\n3,4\n5,6\n')
    assert bad == BadRow(1, 2, "has 2 cells, the header 3 (up to line 4: is a quote missing?)")


def test_an_enormous_cell_is_one_bad_row() -> None:
    huge, fine = rows(f"a\n{'x' * 200_000}\n1\n")
    assert isinstance(huge, BadRow)
    assert "field larger" in huge.reason
    assert fine == Row(2, 3, {"a": "1"})


def test_a_missing_column_is_named_beside_those_that_are_there() -> None:
    with pytest.raises(InvalidInputError, match=r"there is no column 'winner'; there are: 'a', 'b\\x1b'"):
        rows("a,b\x1b\n", columns=("winner",))


def test_a_column_that_is_there_twice_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="2 columns 'a'"):
        rows("a,a\n", columns=("a",))


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="empty"):
        rows("")


def test_bytes_that_are_no_utf8_harm_nothing_but_their_cell() -> None:
    (row,) = rows(b"a,b\nCura\xe7ao,2\n")
    assert isinstance(row, Row)
    assert row.cells == {"a": "Cura\udce7ao", "b": "2"}


def test_ndjson_rows_are_objects() -> None:
    assert rows('{"a": 1}\n\n  {"a": null}', NDJSON) == [Row(1, 1, {"a": 1}), Row(2, 3, {"a": None})]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "is not JSON"),
        ("[1]", "must be a JSON object"),
        ("[" * 100_000, "is not JSON"),
        ("nul", "is not JSON"),
    ],
)
def test_other_ndjson_lines_are_bad_rows(line: str, reason: str) -> None:
    bad, fine = rows(line + '\n{"a": 1}\n', NDJSON)
    assert isinstance(bad, BadRow)
    assert bad.reason.startswith(reason)
    assert fine == Row(2, 2, {"a": 1})
