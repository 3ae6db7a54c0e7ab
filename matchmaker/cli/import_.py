"""`matchmaker import`."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from matchmaker.cli import columns, output
from matchmaker.cli.arguments import AsJson, LadderId
from matchmaker.cli.failure import sentence

if TYPE_CHECKING:
    from matchmaker.transfer.columns import ReadResult
    from matchmaker.transfer.formats import Format
    from matchmaker.transfer.rows import BadRow

_DIGEST_LENGTH = 16


def import_(
    ladder: LadderId,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Results: .csv, .ndjson, or these with .gz, .zst; .parquet. Or a whole ladder: .ndjson.",
        ),
    ],
    initiator: columns.Initiator = "initiator",
    opponent: columns.Opponent = "opponent",
    outcome: columns.Outcome = None,
    score: columns.Score = None,
    result_id: columns.ResultId = None,
    played_at: columns.PlayedAt = None,
    length: columns.Length = None,
    details: columns.Details = None,
    strict: Annotated[bool, typer.Option("--strict", help="Write nothing if any row is bad.")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring results from a file into a ladder, and rate them; or a whole ladder as `export` wrote it.

    The options say which column holds what. Unknown players join; bad rows are told and skipped.

    To import a file again adds only what is missing: so an import that was broken off resumes.

    A whole ladder takes no options. It comes in completely or not at all, under an id that holds no players.
    It resumes as well, if it is the same file, 30 seconds after it was killed or lost the store.
    """
    from matchmaker.cli.progress import progress_bar
    from matchmaker.cli.session import open_store
    from matchmaker.cli.tally import Tally
    from matchmaker.errors import InvalidInputError, MatchmakerError, StoreUnavailableError
    from matchmaker.store.connect import UNAVAILABLE
    from matchmaker.transfer.columns import Columns, read_results
    from matchmaker.transfer.formats import Format, content_digest
    from matchmaker.transfer.importing import find_bad_rows, import_results
    from matchmaker.transfer.table import read_rows

    named = columns.named(initiator, opponent, outcome, score, result_id, played_at, length, details)
    format_ = Format.of_source(file)
    if format_.kind == "ndjson" and _holds_ladder(file, format_):
        if strict or named != Columns():
            raise typer.BadParameter(
                "a whole ladder is imported as it is, without options", param_hint="FILE"
            )
        _restore(ladder, file, format_, as_json)
        return
    with progress_bar() as progress, ExitStack() as stack:
        # Before there is a store: a file that can't be read makes none.
        with progress.open(file, "rb", description="Reading") as opened:
            digest = content_digest(format_.reader(opened))[:_DIGEST_LENGTH]
        store = stack.enter_context(open_store(may_create=True))
        rule = store.edition(ladder).ladder.rule
        tally = Tally(progress.console)

        def read(purpose: str) -> "Iterator[ReadResult | BadRow]":
            with progress.open(file, "rb", description=purpose) as opened:
                rows = read_rows(format_.reader(opened), format_, named.required)
                yield from read_results(rows, named, rule, digest)

        if strict:
            for bad in find_bad_rows(store, ladder, read("Checking"), own_ids=result_id is not None):
                tally.reject(bad)
            if tally.rejected:
                bad_rows = "1 row is" if tally.rejected == 1 else f"{tally.rejected:,} rows are"
                raise InvalidInputError(f"{bad_rows} bad; nothing was imported")
        try:
            for step in import_results(store, ladder, read("Rating")):
                tally.add(step)
        except (KeyboardInterrupt, StoreUnavailableError, *UNAVAILABLE) as error:
            raise MatchmakerError(
                f"{sentence(error)}; what has been rated so far stays, run it again for the rest"
            ) from None
    tally.show(as_json)
    if tally.rejected and not tally.rated + tally.duplicates:
        raise InvalidInputError("no row is a result that this ladder can take")


def _holds_ladder(file: Path, format_: "Format") -> bool:
    from matchmaker.transfer.ladder_file import is_ladder_file

    with file.open("rb") as opened:
        return is_ladder_file(format_.reader(opened))


def _restore(ladder: str, file: Path, format_: "Format", as_json: bool) -> None:
    from matchmaker import __version__
    from matchmaker.cli.progress import progress_bar
    from matchmaker.cli.session import open_store
    from matchmaker.errors import StoreUnavailableError
    from matchmaker.store.connect import UNAVAILABLE
    from matchmaker.store.restores import LEASE_MS
    from matchmaker.transfer.backup import restore
    from matchmaker.transfer.formats import content_digest
    from matchmaker.transfer.ladder_file import read_ladder

    began = time.monotonic()
    with open_store(may_create=True) as store, progress_bar() as progress:
        with progress.open(file, "rb", description="Reading") as opened:
            fingerprint = f"{__version__} {content_digest(opened)}"
        with progress.open(file, "rb", description="Restoring") as opened:
            try:
                restored = restore(store, *read_ladder(format_.reader(opened), ladder), fingerprint)
            except UNAVAILABLE as error:
                raise StoreUnavailableError(
                    f"the store does not answer: {error}; what has come in stays, run it again (after "
                    f"{LEASE_MS // 1000} seconds) for the rest"
                ) from None
    counts = asdict(restored)
    speed = (restored.results - restored.resumed) / (time.monotonic() - began)
    if as_json:
        output.write_json({"ladder": ladder, **counts, "results_per_second": speed})
    else:
        lines = (*counts.items(), ("results/s", round(speed)))
        output.show(output.pairs((label, output.number(count)) for label, count in lines))
