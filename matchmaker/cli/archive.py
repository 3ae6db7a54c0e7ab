"""`matchmaker archive`."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId

if TYPE_CHECKING:
    from matchmaker.archive import ArchivedFile
    from matchmaker.store.client import Store


def archive(
    ladder: LadderId,
    list_: Annotated[
        bool, typer.Option("--list", help="Move nothing; show what the archive has of the ladder.")
    ] = False,
    keep_days: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="DAYS",
            help="For once, instead of the ladder's: 0 moves all that is rated.",
            show_default="the ladder's",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Move what is older than the ladder's `keep_days` from the store into the archive, now.

    The archive is a directory of Parquet files, or whatever MATCHMAKER_ARCHIVE_URL names. Workers do the same
    by themselves every MATCHMAKER_ARCHIVE_INTERVAL seconds. Nobody sees a difference: results, histories and
    exports read both.

    An entry is as old as its acceptance, however long ago an imported result was played.
    """
    from matchmaker.cli.session import open_store
    from matchmaker.store.archives import changes_shelf, length, log_shelf
    from matchmaker.store.keys import LadderKeys

    with open_store() as store:
        keeps = store.edition(ladder).ladder.keep_days if keep_days is None else keep_days
        if not list_:
            if keeps is None:
                raise typer.BadParameter(
                    f"ladder {ladder!r} has no keep_days: it keeps everything in the store, unless "
                    "--keep-days is given",
                    param_hint="LADDER",
                )
            moved = _archive(store, ladder, keeps)
        keys = LadderKeys(ladder)
        shelves = log_shelf(keys), changes_shelf(keys)
        files = [file for shelf in shelves for file in store.files(shelf)]
        in_store = store.run(length(shelves[0]))
    if as_json:
        document: dict[str, Any] = {"ladder": ladder, "keep_days": keeps, "in_store": in_store}
        if not list_:
            document["moved"] = moved
        output.write_json(document | {"files": [asdict(file) for file in files]})
    elif list_:
        output.show(_table(files, in_store))
    else:
        print(f"Entries moved: {moved:,}; still in the store: {in_store:,} (keep_days: {keeps})")


def _archive(store: "Store", ladder: str, keep_days: int) -> int:
    """The number of entries of the log that were moved."""
    from matchmaker.archiving import archive_all
    from matchmaker.cli.progress import progress_bar
    from matchmaker.store.archives import changes_shelf, length, log_shelf
    from matchmaker.store.keys import LadderKeys

    now, keys, moved = time.time_ns() // 1_000_000, LadderKeys(ladder), 0
    most = sum(store.run(length(shelf)) for shelf in (log_shelf(keys), changes_shelf(keys)))
    with progress_bar() as progress:
        task = progress.add_task("Archiving", total=most)
        for file in archive_all(store, ladder, now, keep_days):
            moved += file.rows if file.kind == "log" else 0
            progress.advance(task, file.rows)
    return moved


def _table(files: Sequence["ArchivedFile"], in_store: int) -> Table:
    """A line for each data set and month."""
    from matchmaker.archive import month
    from matchmaker.results import milliseconds
    from matchmaker.timestamps import format_timestamp

    table = output.table(
        "", "Month", "Files", "Rows", "Bytes", "From", "To", right=("Files", "Rows", "Bytes")
    )
    for (kind, when), group in groupby(files, lambda file: (file.kind, month(file.first))):
        some = list(group)
        table.add_row(
            *(
                Text(kind),
                Text(when),
                output.number(len(some)),
                output.number(sum(file.rows for file in some)),
            ),
            output.number(sum(file.size for file in some)),
            *(Text(format_timestamp(milliseconds(each))) for each in (some[0].first, some[-1].last)),
        )
    table.add_row(Text("log"), Text("in the store"), Text(""), output.number(in_store))
    return table
