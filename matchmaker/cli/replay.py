"""`matchmaker replay`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from matchmaker.cli import columns, replay_output, takeover
from matchmaker.cli.arguments import AsJson, LadderId
from matchmaker.cli.ladder_settings import parse_change
from matchmaker.cli.report_output import Html, Plot, demand_pictures
from matchmaker.cli.what_if import Wish, compare_with, verify


def replay(
    ladder: LadderId,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A coefficient such as rule.k.provisional=32, or initial_rating; may be repeated.",
        ),
    ] = None,
    rule: Annotated[
        str | None, typer.Option(metavar="RULE|FILE", help="Another rule, or a file of settings (.json).")
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Rate what is in a file, as `import` takes it, not the ladder's log.",
        ),
    ] = None,
    initiator: columns.Initiator = "initiator",
    opponent: columns.Opponent = "opponent",
    outcome: columns.Outcome = None,
    score: columns.Score = None,
    result_id: columns.ResultId = None,
    played_at: columns.PlayedAt = None,
    length: columns.Length = None,
    details: columns.Details = None,
    html: Html = None,
    plot: Plot = None,
    apply: Annotated[
        bool,
        typer.Option("--apply", help="Rate all that was ever played so, and let the ladder go on with it."),
    ] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Let the ladder go on as if there had been no --apply.")
    ] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Free what is kept for --undo.")] = False,
    as_json: AsJson = False,
) -> None:
    """What if? Rate the same results under other settings, beside the ladder as it is.

    Changes nothing. Without other settings it checks that the ladder is what its log makes of it, rank and
    rating, bit for bit: if it is not, the exit code is 1.

    With --apply the ladder is rebuilt while play goes on, and goes over in one moment; nothing is lost. What
    was live before is kept, and --undo brings it back, with what was played since.

    --html and --plot need the package matplotlib.
    """
    named = columns.named(initiator, opponent, outcome, score, result_id, played_at, length, details)
    wish = Wish(rule, [parse_change(each) for each in set_ or []])
    acts = {"--apply": apply, "--undo": undo, "--forget": forget}
    _check_options(wish, from_, [name for name, given in acts.items() if given], html or plot)
    demand_pictures(plot, html)
    if apply:
        takeover.apply(ladder, wish, as_json)
    elif undo:
        takeover.undo(ladder, as_json)
    elif forget:
        takeover.forget(ladder, as_json)
    elif wish or from_:
        comparison = compare_with(ladder, wish, from_, named)
        replay_output.write_files(plot, html, ladder, comparison)
        replay_output.show(comparison, as_json)
    else:
        verify(ladder, as_json)


def _check_options(wish: Wish, file: Path | None, acts: Sequence[str], picture: Path | None) -> None:
    """Raises typer.BadParameter for options that make no sense together."""
    refusal = None
    if len(acts) > 1:
        refusal = f"it can't be combined with {acts[1]}"
    elif acts and file:
        refusal = "what is in a file can't take a ladder's place"
    elif acts and picture:
        refusal = "look at the pictures first, without it"
    elif acts and acts[0] != "--apply" and wish:
        refusal = "it takes no settings"
    if refusal:
        raise typer.BadParameter(refusal, param_hint=acts[0])
    if picture and not acts and not wish:
        raise typer.BadParameter("there is nothing to draw without other settings", param_hint="--html")
