"""`matchmaker export`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId

if TYPE_CHECKING:
    from matchmaker.store.client import Store
    from matchmaker.transfer.formats import Format


def export(
    ladder: LadderId,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="To write: .ndjson, or that with .gz or .zst.")
    ],
    results: Annotated[
        bool, typer.Option("--results", help="Write the results alone, for others; .csv as well.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a whole ladder into a file: settings, players, log. `import` makes the same ladder of it.

    While it is written, play goes on: the file holds what was accepted when the command began.
    Open battles are not in it.

    With --results: these alone, without settings, names, owners, and ratings from elsewhere.
    `matchmaker import` keeps their ids when it is told `--id id`.
    """
    from matchmaker.cli.session import open_store
    from matchmaker.transfer.formats import Format

    format_ = Format.of(file)
    if format_.kind == "csv" and not results:
        raise typer.BadParameter(
            "a whole ladder is written as .ndjson; --results writes its results as .csv", param_hint="FILE"
        )
    with open_store() as store:
        write = _write_results if results else _write_ladder
        written = write(store, ladder, file, format_)
    if as_json:
        output.write_json({"ladder": ladder, "file": str(file), **written})
    elif results:
        print(f"{output.counted(written['results'], 'result')} in {file}")
    else:
        players = output.counted(written["players"], "player")
        print(f"{players} and a log of {written['entries']:,} in {file}")


def _write_results(store: "Store", ladder: str, file: Path, format_: "Format") -> dict[str, int]:
    from matchmaker.cli.progress import progress_bar
    from matchmaker.store import reports
    from matchmaker.transfer.exporting import read_log, replacing, write_results

    with progress_bar() as progress:
        edition = store.edition(ladder)
        expected = store.run(reports.count(edition.keys))
        results = progress.track(read_log(store, ladder), total=expected, description="Writing")
        with replacing(file) as opened:
            free_for_all = edition.ladder.rule.free_for_all
            return {"results": write_results(results, opened, format_, free_for_all=free_for_all)}


def _write_ladder(store: "Store", ladder: str, file: Path, format_: "Format") -> dict[str, int]:
    from matchmaker.chronicle import look_up, read_entries
    from matchmaker.cli.progress import progress_bar
    from matchmaker.store import cases, members
    from matchmaker.transfer.exporting import packing, replacing
    from matchmaker.transfer.ladder_file import Head, write_ladder

    edition, cursor, count, last = look_up(store, ladder)
    with progress_bar() as progress, replacing(file) as opened, packing(opened, format_) as text:
        entries = progress.track(
            read_entries(store, edition.keys, upto=last), total=count, description="Writing"
        )
        head = Head(edition.ladder, cursor, edition.eras)
        players, done = members.all_members(store, edition.keys), cases.all_cases(store, edition.keys)
        return write_ladder(text, head, entries, players, done)
