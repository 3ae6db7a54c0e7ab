"""Tables hold their shape, whatever players call themselves."""

import unicodedata

import pytest
from rich.cells import cell_len

from matchmaker.cli import output

HOSTILE = [
    "[bold red]ann[/]",
    "\x1b[31mred\x1b[0m",
    "a\tb\r\nc\x07",
    "日本語の名前",
    "👩‍👩‍👧‍👦 family",
    "e\u0301\u0301\u0301",
    "שלום 123",
    "\u202egnol",
    "z" * 128,
    "長" * 128,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_leaves_the_columns_where_they_are(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = output.table("Name", "Rating", right=("Rating",))
    for each in (name, "bob"):
        table.add_row(output.name(each), output.rating(1500))
    output.show(table)
    *_, hostile, plain = capsys.readouterr().out.splitlines()
    assert hostile.endswith("1500.0")
    assert cell_len(hostile) == cell_len(plain)


def test_markup_in_a_name_is_text() -> None:
    assert output.name("[bold]ann[/]").plain == "[bold]ann[/]"


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_reaches_the_terminal_that_is_no_text(name: str) -> None:
    shown = output.visible(name)
    assert not {"Cc", "Cs"} & {unicodedata.category(character) for character in shown}
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(shown)


def test_a_right_to_left_name_is_isolated_from_the_numbers_behind_it() -> None:
    assert output.name("שלום").plain == "\u2068שלום\u2069"
