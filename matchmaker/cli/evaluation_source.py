"""Where results to be evaluated come from: a ladder, a file that holds a whole one, or a file of results."""

import contextlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer
from rich.progress import Progress

from matchmaker.cli.contenders import of_settings, varied
from matchmaker.cli.ladder_settings import Change
from matchmaker.cli.output import counted
from matchmaker.cli.tally import Tally

if TYPE_CHECKING:
    from matchmaker.dispute import Felt
    from matchmaker.evaluation.trial import Contender
    from matchmaker.ladder import Ladder
    from matchmaker.results import Entry, Result
    from matchmaker.transfer.columns import Columns, ReadResult
    from matchmaker.transfer.formats import Format
    from matchmaker.transfer.ladder_file import Content


class Source(NamedTuple):
    """Entries in the order in which they count, the rule under which they were accepted, how many disputes
    players have filed, by what they felt, and the ids of those results that one of the entries annuls."""

    entries: "Iterable[Entry]"
    origin: "Contender"
    disputes: "Mapping[Felt, int]"
    annulled: "Collection[str]" = ()


class Notes:
    """What there is to be told of the rows of a file."""

    def __init__(self, progress: Progress) -> None:
        self._console = progress.console
        self.tally = Tally(progress.console)
        self.duplicates = 0
        self.out_of_order = 0
        self._latest: int | None = None
        self._contents: dict[bytes, bytes] = {}

    def is_new(self, read: "ReadResult") -> bool:
        """Whether no row with this id came before; one with other content is told. Keeps some 200 bytes."""
        from matchmaker.store.reports import conflict
        from matchmaker.transfer.rows import BadRow

        result, row = read.result, read.row
        content = result.content_digest
        known = self._contents.setdefault(result.id_digest, content)
        if known is content:
            return True
        if known == content:
            self.duplicates += 1
        else:
            self.tally.reject([BadRow(row.number, row.line, conflict(result).detail)])
        return False

    def pass_by(self, result: "Result") -> None:
        """Looks whether the result was played before one that came earlier."""
        if result.played_at is None:
            return
        if self._latest is not None and result.played_at < self._latest:
            self.out_of_order += 1
        else:
            self._latest = result.played_at

    def tell_order(self) -> None:
        """Says so if results are out of order: a rating that knows the future foretells it well."""
        if self.out_of_order:
            late = counted(self.out_of_order, "result")
            self._console.print(
                f"{late} played before one that stands in front: they count in the order of the file",
                soft_wrap=True,
            )


@contextlib.contextmanager
def open_source(
    subject: str, columns: "Columns", changes: Sequence[Change], notes: Notes, progress: Progress
) -> Iterator[Source]:
    """The ladder of that id, or the file of that path.

    A file of results is read under the rule that the changes name, `initiator_k` unless they do. Raises
    typer.BadParameter if there are columns where there is no file of results, InvalidInputError,
    NotFoundError, OSError; and while entries are read.
    """
    from matchmaker.transfer.columns import Columns
    from matchmaker.transfer.formats import Format
    from matchmaker.transfer.ladder_file import is_ladder_file

    file = Path(subject)
    if file.name == subject and not file.suffix:
        opening, is_whole = _ladder(subject, progress), True
    else:
        format_ = Format.of(file)
        with file.open("rb") as opened:
            is_whole = format_.kind == "ndjson" and is_ladder_file(format_.reader(opened))
        opening = (
            _ladder_file(file, format_, progress)
            if is_whole
            else _results(file, format_, columns, changes, notes, progress)
        )
    if is_whole and columns != Columns():
        raise typer.BadParameter("a whole ladder has no columns to choose from", param_hint="LADDER|FILE")
    with opening as source:
        yield source


@contextlib.contextmanager
def _ladder(ladder_id: str, progress: Progress) -> Iterator[Source]:
    from matchmaker.chronicle import read_entries
    from matchmaker.cli.session import open_store
    from matchmaker.fold import annulled_results
    from matchmaker.store import disputes, folds

    with open_store() as store:
        edition = store.edition(ladder_id)
        count, last = store.run(folds.extent(edition.keys))

        def entries(purpose: str) -> Iterator["Entry"]:
            logged = (each.entry for each in read_entries(store, edition.keys, upto=last))
            yield from progress.track(logged, total=count, description=purpose)

        annulled = annulled_results(entries("Looking for annulled results"))
        filed = store.run(disputes.counts(edition.keys))
        yield Source(entries("Predicting"), of_settings(ladder_id, edition.ladder), filed, annulled)


@contextlib.contextmanager
def _ladder_file(file: Path, format_: "Format", progress: Progress) -> Iterator[Source]:
    from matchmaker.dispute import KINDS, Dispute
    from matchmaker.fold import annulled_results
    from matchmaker.store.folds import Logged
    from matchmaker.transfer.ladder_file import read_ladder

    with ExitStack() as stack:
        disputed: dict[str, Felt] = {}

        def read(purpose: str) -> tuple["Ladder", Iterator["Entry"]]:
            opened = stack.enter_context(progress.open(file, "rb", description=purpose))
            head, contents = read_ladder(format_.reader(opened), "evaluation")
            return head.ladder, entries(contents)

        def entries(contents: "Iterable[Content]") -> Iterator["Entry"]:
            for each in contents:
                if isinstance(each, Logged):
                    yield each.entry
                elif isinstance(each, Dispute):
                    disputed[each.name] = each.felt

        annulled = annulled_results(read("Looking for annulled results")[1])
        ladder, predicted = read("Predicting")
        filed = Counter(disputed.values())
        origin = of_settings(file.name.partition(".")[0], ladder)
        yield Source(predicted, origin, {felt: filed[felt] for felt in KINDS}, annulled)


@contextlib.contextmanager
def _results(
    file: Path,
    format_: "Format",
    columns: "Columns",
    changes: Sequence[Change],
    notes: Notes,
    progress: Progress,
) -> Iterator[Source]:
    from matchmaker.dispute import KINDS
    from matchmaker.ladder import LadderSettings
    from matchmaker.rating import InitiatorK
    from matchmaker.transfer.columns import ReadResult, read_results
    from matchmaker.transfer.rows import read_rows

    usual = LadderSettings(rule=InitiatorK())
    origin = varied("", of_settings("", usual), changes)

    def entries() -> Iterator["Entry"]:
        rows = read_rows(format_.reader(opened), format_, columns.required)
        for read in read_results(rows, columns, origin.rule, "row"):
            if isinstance(read, ReadResult):
                if columns.id and not notes.is_new(read):
                    continue
                notes.pass_by(read.result)
                yield read.result
            else:
                notes.tally.reject([read])

    with progress.open(file, "rb", description="Predicting") as opened:
        yield Source(entries(), origin, dict.fromkeys(KINDS, 0))
