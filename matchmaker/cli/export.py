"""`matchmaker export`."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId
from matchmaker.cli.failure import sentence

if TYPE_CHECKING:
    from matchmaker.transfer.export import Export
    from matchmaker.transfer.unfinished import Unfinished


def export(
    ladder: LadderId,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="To write: .ndjson, or that with .gz or .zst.")
    ],
    results: Annotated[
        bool,
        typer.Option("--results", help="Write the results alone, for others; as .csv or .parquet as well."),
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an export into FILE that was broken off.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a whole ladder into a file: settings, players, log. `import` makes the same ladder of it.

    While it is written, play goes on: the file holds what was accepted when the command began, or when it
    began at first, if it is resumed. Open battles are not in it.

    With --results: these alone, without settings, names, owners, and ratings from elsewhere.
    `matchmaker import` keeps their ids when it is told `--id id`.

    What is broken off leaves hidden files beside FILE. --resume goes on with them, if the ladder is still
    the same one; without it they are replaced.
    """
    from matchmaker.cli.progress import progress_bar
    from matchmaker.cli.session import open_store
    from matchmaker.transfer.export import Export
    from matchmaker.transfer.formats import Format
    from matchmaker.transfer.unfinished import Unfinished

    format_ = Format.of(file)
    if format_.kind != "ndjson" and not results:
        raise typer.BadParameter(
            "a whole ladder is written as .ndjson; --results writes its results as .csv or .parquet",
            param_hint="FILE",
        )
    with open_store() as store, progress_bar() as progress, Unfinished(file) as unfinished:
        work = Export(store, ladder, format_, unfinished, whole=not results)
        with _telling_how_to_go_on(work, unfinished):
            if resume:
                progress.console.print(output.line(_resumed(work, unfinished)), soft_wrap=True)
            else:
                work.begin()
            written = work.write(progress.track)
    if as_json:
        output.write_json({"ladder": ladder, "file": str(file), **written})
    elif results:
        print(f"{output.counted(written['results'], 'result')} in {file}")
    else:
        players = output.counted(written["players"], "player")
        print(f"{players} and a log of {written['entries']:,} in {file}")


def _resumed(work: "Export", unfinished: "Unfinished") -> str:
    reason = work.go_on()
    if reason or unfinished.mark is None:
        return f"{reason}: the export begins anew"
    return f"Going on behind {unfinished.mark.entries:,} of {work.entries:,} entries of the log"


@contextlib.contextmanager
def _telling_how_to_go_on(work: "Export", unfinished: "Unfinished") -> Iterator[None]:
    from matchmaker.errors import MatchmakerError

    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        said, left = sentence(error), unfinished.remains()
        if said is None or left is None:
            raise
        raise MatchmakerError(
            f"{said}; {left.mark.entries:,} of {work.entries:,} entries of the log are written: "
            "the same command with --resume goes on from there"
        ) from None
