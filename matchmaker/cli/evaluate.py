"""`matchmaker evaluate`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from matchmaker.cli import columns, evaluation_output, output
from matchmaker.cli.arguments import AsJson
from matchmaker.cli.ladder_settings import Change, parse_change
from matchmaker.cli.report_output import Html, Plot, demand_pictures

if TYPE_CHECKING:
    from rich.progress import Progress

    from matchmaker.cli.evaluation_source import Source
    from matchmaker.evaluation.fitting import Fit, Search
    from matchmaker.evaluation.trial import Contender, Evaluation


def evaluate(
    subject: Annotated[
        str, typer.Argument(metavar="LADDER|FILE", help="Id of a ladder; or a file, as `import` takes it.")
    ],
    initiator: columns.Initiator = "initiator",
    opponent: columns.Opponent = "opponent",
    outcome: columns.Outcome = None,
    score: columns.Score = None,
    result_id: columns.ResultId = None,
    played_at: columns.PlayedAt = None,
    length: columns.Length = None,
    details: columns.Details = None,
    rule: Annotated[
        str | None,
        typer.Option(help="Rating rule.", show_default="the ladder's; for a file of results initiator_k"),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A coefficient such as rule.k.provisional=32, or initial_rating; may be repeated.",
        ),
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="On the same results: another rule, the same one with NAME=VALUE,NAME=VALUE…, or a file of "
            "settings (.json), perhaps with a LABEL: in front; may be repeated.",
        ),
    ] = None,
    fit: Annotated[
        bool, typer.Option("--fit", help="Search for the coefficients that would have foreseen most.")
    ] = False,
    free: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A coefficient that --fit may move; may be repeated.",
            show_default="those that are worth it",
        ),
    ] = None,
    train: Annotated[
        float,
        typer.Option(
            min=0.05, max=0.95, metavar="SHARE", help="--fit looks at so many results; the rest are foreseen."
        ),
    ] = 0.7,
    burn_in: Annotated[
        int, typer.Option(min=0, metavar="N", help="The first N results are rated, but not scored.")
    ] = 0,
    html: Html = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Is the rating any good? Foretell every result from the ratings before it, and look what happened.

    Changes nothing. Results are folded as they would be rated, in their order. --html and --plot need the
    package matplotlib, --fit needs scipy.
    """
    from matchmaker.cli.evaluation_source import Notes, open_source
    from matchmaker.cli.progress import progress_bar
    from matchmaker.evaluation import fitting
    from matchmaker.evaluation.fitting import Search

    named = columns.named(initiator, opponent, outcome, score, result_id, played_at, length, details)
    changes: list[Change] = [("rule.name", rule)] if rule is not None else []
    changes += map(parse_change, set_ or [])
    if free and not fit:
        raise typer.BadParameter("it belongs to --fit", param_hint="--free")
    if fit:
        fitting.demand()
    demand_pictures(plot, html)
    with progress_bar() as progress:
        notes = Notes(progress)
        with open_source(subject, named, changes, notes, progress) as source:
            contenders = _contenders(source.origin, changes, compare or [])
            if fit:
                names = tuple(each.removeprefix("rule.") for each in free or [])
                search = Search(train, burn_in, names, source.annulled)
                evaluation, found = _fitted(source, contenders, search, progress)
            else:
                evaluation, found = _foretold(source, contenders, burn_in), None
    notes.tell_order()
    evaluation_output.write_files(plot, html, subject, evaluation, found, source.disputes)
    if as_json:
        output.write_json(evaluation_output.document(evaluation, found, source.disputes, notes))
    else:
        evaluation_output.show(evaluation, found, source.disputes)


def _contenders(origin: "Contender", changes: Sequence[Change], compare: Sequence[str]) -> "list[Contender]":
    from matchmaker.cli.contenders import compared, varied

    rule = dict(changes).get("rule.name", origin.rule.name)
    settings = (f"{name.removeprefix('rule.')}={value}" for name, value in changes if name != "rule.name")
    first = varied(" ".join((str(rule), *settings)), origin, changes)
    return [first, *(compared(each, first) for each in compare)]


def _foretold(source: "Source", contenders: "Sequence[Contender]", burn_in: int) -> "Evaluation":
    from matchmaker.evaluation.trial import evaluate

    return evaluate(source.entries, contenders, source.origin, burn_in=burn_in, annulled=source.annulled)


def _fitted(
    source: "Source", contenders: "list[Contender]", search: "Search", progress: "Progress"
) -> "tuple[Evaluation, Fit]":
    """The fitted rule beside the others, on those results that the search has not seen."""
    from matchmaker.evaluation.fitting import most_trials

    first, entries = contenders[0], list(source.entries)
    bar = progress.add_task("Fitting", total=most_trials(len(search.values(first.rule))))
    fit, fitted = search.run(entries, first, source.origin, told=lambda: progress.advance(bar))
    progress.remove_task(bar)
    tracked = progress.track(entries, description="Predicting")
    return _foretold(source._replace(entries=tracked), [*contenders, fitted], fit.training), fit
