"""How commands show what they found: JSON for programs, tables for people."""

import json
import unicodedata
from collections.abc import Iterable
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

_LONGEST_NAME: Final = 48  # cells of the terminal
_PIPE_WIDTH: Final = 400
_JOINERS: Final = "\u200c\u200d"
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_ISOLATE: Final = "\u2068{}\u2069"


def write_json(value: Any) -> None:
    """Writes one JSON document to stdout."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def as_answered(found: Any) -> Any:
    """A record in the form in which the HTTP API answers it."""
    from pydantic import TypeAdapter

    return TypeAdapter(type(found)).dump_python(found, mode="json")


def name(text: str) -> Text:
    """A name that somebody else chose: it is shown as it is, and can do nothing to the terminal.

    Characters that can't be seen are left out, an overlong name is cut, and one that runs from right to left
    is isolated, or the numbers behind it would change places.
    """
    seen = visible(text)
    if cell_len(seen) > _LONGEST_NAME:
        seen = set_cell_size(seen, _LONGEST_NAME - 1).rstrip() + "…"
    if any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in seen):
        seen = _ISOLATE.format(seen)
    return Text(seen)


def line(text: str) -> Text:
    """What somebody else wrote, in full, without what can't be seen."""
    return Text(visible(text))


def visible(text: str) -> str:
    """The text without control characters and others that can't be seen."""
    return "".join(
        character
        for character in text
        if character in _JOINERS or unicodedata.category(character) not in _INVISIBLE
    )


def rating(points: float) -> Text:
    """Rating points, rounded for people."""
    return Text(f"{points:.1f}")


def number(count: int) -> Text:
    """A count, with commas between its thousands."""
    return Text(f"{count:,}")


def counted(count: int, noun: str) -> str:
    """A count and what is counted: `1 player`, `2 players`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def table(*columns: str, right: Iterable[str] = ()) -> Table:
    """An empty table; the columns in `right` hold numbers."""
    empty = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        empty.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return empty


def pairs(lines: Iterable[tuple[str, Text]]) -> Table:
    """Labels and values, one pair a line."""
    grid = Table.grid(padding=(0, 2))
    for label, value in lines:
        grid.add_row(Text(label, style="dim"), value)
    return grid


def show(content: Table | Text) -> None:
    """Writes it to stdout; into a pipe, as wide as it is."""
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(content)
        return
    console.width = _PIPE_WIDTH
    with console.capture() as captured:
        console.print(content)
    print(*map(str.rstrip, captured.get().splitlines()), sep="\n")
