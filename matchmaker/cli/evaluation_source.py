"""Where results to be evaluated come from: a ladder, a file that holds a whole one, or a file of results."""

import contextlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
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
    from matchmaker.eras import Accepted
    from matchmaker.evaluation.trial import Contender
    from matchmaker.results import Entry, Result
    from matchmaker.store.folds import Logged
    from matchmaker.transfer.columns import Columns, ReadResult
    from matchmaker.transfer.formats import Format
    from matchmaker.transfer.ladder_file import Content, Head


class Source(NamedTuple):
    """Entries in the order in which they count, the rule under which they were accepted, how many disputes
    players have filed, by what they felt, and the ids of those results that one of the entries annuls."""

    entries: "Iterable[Accepted]"
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


def open_source(
    subject: str, columns: "Columns", changes: Sequence[Change], notes: Notes, progress: Progress
) -> AbstractContextManager[Source]:
    """The ladder of that id, or the file of that path.

    A file of results is read under the rule that the changes name, `initiator_k` unless they do. Raises as
    `open_file`, and NotFoundError.
    """
    from matchmaker.ladder import LadderSettings
    from matchmaker.rating import InitiatorK

    file = Path(subject)
    if file.name == subject and not file.suffix:
        _demand_no(columns)
        return _ladder(subject, progress)
    usual = of_settings("", LadderSettings(rule=InitiatorK()))
    return open_file(file, columns, varied("", usual, changes), notes, progress, "Predicting")


def open_file(
    file: Path,
    columns: "Columns",
    usual: "Contender",
    notes: Notes,
    progress: Progress,
    purpose: str,
) -> AbstractContextManager[Source]:
    """A file that holds a whole ladder, or results, which are read under the `usual` rule.

    Raises typer.BadParameter if there are columns where there is no file of results, InvalidInputError,
    OSError; and while entries are read.
    """
    from matchmaker.transfer.formats import Format
    from matchmaker.transfer.ladder_file import is_ladder_file

    format_ = Format.of_source(file)
    with file.open("rb") as opened:
        is_whole = format_.kind == "ndjson" and is_ladder_file(format_.reader(opened))
    if is_whole:
        _demand_no(columns)
        return _ladder_file(file, format_, progress, purpose)
    return _results(file, format_, columns, usual, notes, progress, purpose)


def _demand_no(columns: "Columns") -> None:
    from matchmaker.transfer.columns import Columns

    if columns != Columns():
        raise typer.BadParameter("a whole ladder has no columns to choose from")


@contextlib.contextmanager
def _ladder(ladder_id: str, progress: Progress) -> Iterator[Source]:
    from matchmaker.chronicle import look_up, read_entries
    from matchmaker.cli.session import open_store
    from matchmaker.eras import dated
    from matchmaker.fold import annulled_results
    from matchmaker.store import disputes

    with open_store() as store:
        edition, _, count, last = look_up(store, ladder_id)

        def logged(purpose: str) -> Iterator["Logged"]:
            entries = read_entries(store, edition.keys, upto=last)
            yield from progress.track(entries, total=count, description=purpose)

        annulled = annulled_results(each.entry for each in logged("Looking for annulled results"))
        predicted = (dated(edition.eras, *each) for each in logged("Predicting"))
        filed = store.run(disputes.counts(edition.keys))
        yield Source(predicted, of_settings(ladder_id, edition.ladder), filed, annulled)


@contextlib.contextmanager
def _ladder_file(file: Path, format_: "Format", progress: Progress, purpose: str) -> Iterator[Source]:
    from matchmaker.dispute import KINDS, Dispute
    from matchmaker.eras import dated
    from matchmaker.fold import annulled_results
    from matchmaker.store.folds import Logged
    from matchmaker.transfer.ladder_file import read_ladder

    with ExitStack() as stack:
        disputed: dict[str, Felt] = {}

        def read(purpose: str) -> tuple["Head", Iterator["Logged"]]:
            opened = stack.enter_context(progress.open(file, "rb", description=purpose))
            head, contents = read_ladder(format_.reader(opened), "evaluation")
            return head, logged(contents)

        def logged(contents: "Iterable[Content]") -> Iterator["Logged"]:
            for each in contents:
                if isinstance(each, Logged):
                    yield each
                elif isinstance(each, Dispute):
                    disputed[each.name] = each.felt

        annulled = annulled_results(each.entry for each in read("Looking for annulled results")[1])
        head, entries = read(purpose)
        filed = Counter(disputed.values())
        origin = of_settings(file.name.partition(".")[0], head.ladder)
        accepted = (dated(head.eras, *each) for each in entries)
        yield Source(accepted, origin, {felt: filed[felt] for felt in KINDS}, annulled)


@contextlib.contextmanager
def _results(
    file: Path,
    format_: "Format",
    columns: "Columns",
    usual: "Contender",
    notes: Notes,
    progress: Progress,
    purpose: str,
) -> Iterator[Source]:
    from matchmaker.dispute import KINDS
    from matchmaker.transfer.columns import ReadResult, read_results
    from matchmaker.transfer.table import read_rows

    def entries() -> Iterator["Entry"]:
        rows = read_rows(format_.reader(opened), format_, columns.required)
        for read in read_results(rows, columns, usual.rule, "row"):
            if isinstance(read, ReadResult):
                if columns.id and not notes.is_new(read):
                    continue
                notes.pass_by(read.result)
                yield read.result
            else:
                notes.tally.reject([read])

    with progress.open(file, "rb", description=purpose) as opened:
        yield Source(entries(), usual, dict.fromkeys(KINDS, 0))
