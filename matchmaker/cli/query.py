"""`matchmaker query`."""

import csv
import json
import math
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson

if TYPE_CHECKING:
    from matchmaker.questions import Answer


def query(
    question: Annotated[str, typer.Argument(metavar="SQL", help="One SELECT.")],
    ladder: Annotated[
        list[str] | None,
        typer.Option(metavar="LADDER", help="Only this ladder; may be repeated.", show_default="all"),
    ] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write CSV.")] = False,
) -> None:
    """Answer a question in SQL, over everything that was ever played: the archive and the store.

    The views are `results` (id, happened_at, initiator, opponent, outcome, expected, …), `changes` (a line
    for each player of a result: before, after, delta, k, expected) and `log` (all entries). "DESCRIBE
    results" shows the columns. It reads, and can do nothing else. It needs the extra: pip install
    'matchmaker\\[analytics]'.
    """
    from matchmaker.cli.session import open_store
    from matchmaker.questions import answering
    from matchmaker.store import ladders

    if as_json and as_csv:
        raise typer.BadParameter("JSON or CSV, not both", param_hint="--csv")
    with open_store() as store:
        every = (each for each in store.run(ladders.index()) if store.run(ladders.read(each)))
        chosen = list(dict.fromkeys(ladder or every))
        with answering(store, chosen, question) as answer:
            write = _write_json if as_json else _write_csv if as_csv else _show
            write(answer)


def _lines(answer: "Answer") -> Iterator[tuple[Any, ...]]:
    for batch in answer.batches:
        yield from batch


def _write_json(answer: "Answer") -> None:
    output.write_json([dict(zip(answer.columns, map(_plain, line), strict=True)) for line in _lines(answer)])


def _write_csv(answer: "Answer") -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(answer.columns)
    for line in _lines(answer):
        writer.writerow([_cell(value) for value in line])


def _show(answer: "Answer") -> None:
    lines = list(_lines(answer))
    numbers = [
        name
        for at, name in enumerate(answer.columns)
        if any(isinstance(line[at], int | float | Decimal) for line in lines)
    ]
    table = output.table(*answer.columns, right=numbers)
    for line in lines:
        table.add_row(*(Text(output.visible(str(_cell(value)))) for value in line))
    output.show(table)


def _plain(value: Any) -> Any:
    """The value as JSON has it."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return _plain(float(value))
        case datetime():
            return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case list() | tuple():
            return [_plain(each) for each in value]
        case dict():
            return {str(name): _plain(each) for name, each in value.items()}
        case bytes():
            return value.hex()
    return str(value)


def _cell(value: Any) -> str | int | float:
    plain = _plain(value)
    if plain is None:
        return ""
    return json.dumps(plain, ensure_ascii=False) if isinstance(plain, list | dict | bool) else plain
