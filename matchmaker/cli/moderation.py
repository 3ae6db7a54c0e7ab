"""`matchmaker annul`, `adjust`, `suspend` and `reinstate`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId, PlayerId, Why, checked
from matchmaker.cli.standing import show_standing

if TYPE_CHECKING:
    from matchmaker.moderation import Measure
    from matchmaker.standing import Standing
    from matchmaker.store.client import Store
    from matchmaker.store.moderation import Ruling
    from matchmaker.store.reports import Report


def annul(
    ladder: LadderId,
    result: Annotated[str, typer.Argument(metavar="RESULT", help="Id of the result.")],
    reason: Why,
    as_json: AsJson = False,
) -> None:
    """Take back what a result has changed, on both sides. Other results keep what they were rated."""
    from matchmaker.cli.session import open_store
    from matchmaker.identifiers import Reason
    from matchmaker.moderation import BY_COMMAND_LINE, Annul
    from matchmaker.store import moderation, reports

    annulment = Annul(result, BY_COMMAND_LINE, checked(Reason, reason, "--reason"))
    with open_store() as store:
        # Before as well: what the archive cannot show at the moment, the fold could not take back.
        store.run(reports.find(store.edition(ladder).keys, result))
        ruling = store.on(ladder, lambda edition: moderation.annul(edition, annulment))
        _carry_out(store, ladder, ruling)
        found = store.run(reports.find(store.edition(ladder).keys, result))
    if as_json:
        output.write_json(_document(found))
    else:
        output.show(output.pairs(_lines(found)))


def adjust(
    ladder: LadderId,
    player: PlayerId,
    reason: Why,
    rating: Annotated[
        float | None, typer.Option(metavar="POINTS", help="What the rating is from now on.")
    ] = None,
    shift: Annotated[float | None, typer.Option(metavar="POINTS", help="By how much it changes.")] = None,
    as_json: AsJson = False,
) -> None:
    """Set or shift a player's rating, to what the ladder's rule can hold."""
    from matchmaker.identifiers import Reason
    from matchmaker.moderation import BY_COMMAND_LINE, Adjust
    from matchmaker.rating.rule import Points

    why = checked(Reason, reason, "--reason")
    if shift is not None and rating is None:
        measure = Adjust(player, "shift", checked(Points, shift, "--shift"), BY_COMMAND_LINE, why)
    elif rating is not None and shift is None:
        measure = Adjust(player, "set", checked(Points, rating, "--rating"), BY_COMMAND_LINE, why)
    else:
        raise typer.BadParameter("must be given, one of the two", param_hint=["--rating", "--shift"])
    show_standing(_take(ladder, measure), as_json=as_json)


def suspend(ladder: LadderId, player: PlayerId, reason: Why, as_json: AsJson = False) -> None:
    """Take a player off the board and out of every pool; the rating is kept."""
    from matchmaker.identifiers import Reason
    from matchmaker.moderation import BY_COMMAND_LINE, Suspend

    measure = Suspend(player, BY_COMMAND_LINE, checked(Reason, reason, "--reason"))
    show_standing(_take(ladder, measure), as_json=as_json)


def reinstate(ladder: LadderId, player: PlayerId, reason: Why, as_json: AsJson = False) -> None:
    """Give a suspended player its place back."""
    from matchmaker.identifiers import Reason
    from matchmaker.moderation import BY_COMMAND_LINE, Reinstate

    measure = Reinstate(player, BY_COMMAND_LINE, checked(Reason, reason, "--reason"))
    show_standing(_take(ladder, measure), as_json=as_json)


def _take(ladder: str, measure: "Measure") -> "Standing":
    from matchmaker.cli.session import open_store
    from matchmaker.store import moderation, players

    with open_store() as store:
        ruling = store.on(ladder, lambda edition: moderation.take(edition, measure))
        _carry_out(store, ladder, ruling)
        return store.on(ladder, lambda edition: players.standing(edition, measure.player))


def _carry_out(store: "Store", ladder: str, ruling: "Ruling") -> None:
    """Returns when it is folded, and as safe as the settings demand."""
    from matchmaker.folding import fold_all, fold_to_rest
    from matchmaker.store import moderation

    if ruling.call:
        fold_to_rest(store, ladder)
    else:
        fold_all(store, ladder)
    if ruling.log_id is not None:
        keys = store.edition(ladder).keys
        store.confirm(keys.fence, moderation.witness(keys, ruling.log_id))


def _document(found: "Report") -> dict[str, Any]:
    """As the HTTP API answers it."""
    from matchmaker.timestamps import format_timestamp

    changes, annulment = found.changes, found.annulment
    assert changes is not None
    assert annulment is not None
    return {
        "id": found.logged.result.id,
        "status": found.status,
        "changes": [each.told for each in changes],
        "annulment": {
            "by": annulment.by,
            "reason": annulment.reason,
            "at": format_timestamp(annulment.at),
        },
    }


def _lines(found: "Report") -> list[tuple[str, Text]]:
    changes, annulment = found.changes, found.annulment
    assert changes is not None
    assert annulment is not None
    return [
        ("result", output.name(found.logged.result.id)),
        ("status", Text(found.status)),
        ("by", output.name(annulment.by)),
        ("reason", Text(output.visible(annulment.reason))),
        *(
            ("taken back", Text.assemble(output.name(each.player), f" {-each.move.delta:+.1f}"))
            for each in changes
        ),
    ]
