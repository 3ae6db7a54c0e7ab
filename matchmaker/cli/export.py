"""`matchmaker export`."""

from pathlib import Path
from typing import Annotated

import typer

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId


def export(
    ladder: LadderId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="To write: .csv, .ndjson, or these with .gz.")],
    as_json: AsJson = False,
) -> None:
    """Write a ladder's results into a file, in the order in which they count.

    Results only: without settings, names, owners, and ratings from elsewhere.

    `matchmaker import` keeps their ids when it is told `--id id`.
    """
    from matchmaker.cli.progress import progress_bar
    from matchmaker.cli.session import open_store
    from matchmaker.store import reports
    from matchmaker.transfer.exporting import read_log, replacing, write_results
    from matchmaker.transfer.formats import Format

    format_ = Format.of(file)
    with open_store() as store, progress_bar() as progress:
        expected = store.run(reports.count(store.edition(ladder).keys))
        results = progress.track(read_log(store, ladder), total=expected, description="Writing")
        with replacing(file) as opened:
            written = write_results(results, opened, format_)
    if as_json:
        output.write_json({"ladder": ladder, "file": str(file), "results": written})
    else:
        print(f"{output.counted(written, 'result')} in {file}")
