"""Looking at what other settings would have made of a ladder, and whether it is what its log makes of it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import typer

from matchmaker.cli import replay_output
from matchmaker.cli.ladder_settings import Change

if TYPE_CHECKING:
    from rich.progress import Progress

    from matchmaker.chronicle import Extent
    from matchmaker.evaluation.trial import Contender
    from matchmaker.replay.comparison import Comparison
    from matchmaker.replay.rerun import Rerun
    from matchmaker.store.client import Store
    from matchmaker.store.folds import Logged
    from matchmaker.transfer.columns import Columns

_DIFFERENT: Final = 1
"""Exit code for a ladder that is not what its log makes of it."""


class Wish(NamedTuple):
    """What is to be changed: a rule (or a file of settings), and single settings."""

    rule: str | None
    changes: Sequence[Change]

    def __bool__(self) -> bool:
        return bool(self.rule or self.changes)

    def of(self, present: "Contender") -> "Contender":
        """The settings after the changes. Raises InvalidInputError, OSError, typer.BadParameter."""
        from matchmaker.cli.contenders import compared, varied

        changed = compared(self.rule, present) if self.rule else present
        names = [changed.label] if self.rule else []
        names += [f"{name.removeprefix('rule.')}={value}" for name, value in self.changes]
        return varied(" ".join(names), changed, self.changes)


def compare_with(ladder: str, wish: Wish, file: Path | None, named: "Columns") -> "Comparison":
    """The ladder as it is, beside what it would be: with its own results, or with those in a file.

    Raises NotFoundError, InvalidInputError, OSError, typer.BadParameter.
    """
    from matchmaker.chronicle import look_up
    from matchmaker.cli.contenders import of_settings
    from matchmaker.cli.evaluation_source import Notes, open_file
    from matchmaker.cli.progress import progress_bar
    from matchmaker.cli.session import open_store
    from matchmaker.replay.comparison import compare
    from matchmaker.replay.rerun import Rerun

    with progress_bar() as progress, open_store() as store:
        extent = look_up(store, ladder)
        settings = extent.edition.ladder
        present = of_settings(f"{ladder} as it is", settings)
        contenders = (present, wish.of(present))
        if file:
            with open_file(file, named, present, Notes(progress), progress, "Rating") as source:
                rerun = Rerun(contenders, source.origin, source.annulled)
                rerun.take_all(source.entries)
        else:
            rerun = _of_log(store, extent, contenders, progress)
    return compare(*rerun.runs, results=rerun.results, off_board=rerun.off_board, tiers=settings.tiers)


def _of_log(
    store: "Store", extent: "Extent", contenders: "tuple[Contender, Contender]", progress: "Progress"
) -> "Rerun":
    """Everything in the log that is rated by now."""
    from matchmaker.chronicle import read_entries
    from matchmaker.eras import dated
    from matchmaker.fold import annulled_results
    from matchmaker.replay.rerun import Rerun

    edition, cursor, count, _ = extent

    def logged(purpose: str) -> "Iterator[Logged]":
        entries = read_entries(store, edition.keys, upto=cursor)
        yield from progress.track(entries, total=count, description=purpose)

    annulled = annulled_results(each.entry for each in logged("Looking for annulled results"))
    rerun = Rerun(contenders, contenders[0], annulled)
    rerun.take_all(dated(edition.eras, *each) for each in logged("Rating"))
    return rerun


def verify(ladder: str, as_json: bool) -> None:
    """Says whether the ladder is what its log makes of it. Raises typer.Exit if not."""
    from matchmaker import verification
    from matchmaker.chronicle import look_up
    from matchmaker.cli.progress import progress_bar
    from matchmaker.cli.session import open_store

    with progress_bar() as progress, open_store() as store:
        bar = progress.add_task("Rating", total=look_up(store, ladder).entries)
        verdict = verification.verify(store, ladder, lambda entries: progress.advance(bar, entries))
    replay_output.show_verdict(verdict, as_json)
    if verdict.differences:
        raise typer.Exit(_DIFFERENT)
