"""Options that say which column of a file of results holds what."""

import csv
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from matchmaker.transfer.columns import Columns

Initiator = Annotated[str, typer.Option(metavar="COL", help="Who asked for the battle.")]
Opponent = Annotated[str, typer.Option(metavar="COL", help="The other player.")]
Outcome = Annotated[
    str | None,
    typer.Option(metavar="COL", help="win, draw or loss of the initiator.", show_default="outcome"),
]
Score = Annotated[
    str | None,
    typer.Option(metavar="COL,COL", help="Instead of an outcome: points of both sides; more points win."),
]
ResultId = Annotated[
    str | None,
    typer.Option("--id", metavar="COL", help="Id of the result.", show_default="made from file and row"),
]
PlayedAt = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Date, or time in RFC 3339.", show_default="played_at, if there is"),
]
Length = Annotated[str | None, typer.Option(metavar="COL", help="Length of the match.")]
Details = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Details of the result, in JSON.", show_default="details, if there is"),
]


def named(
    initiator: str,
    opponent: str,
    outcome: str | None,
    score: str | None,
    result_id: str | None,
    played_at: str | None,
    length: str | None,
    details: str | None,
) -> "Columns":
    """The columns that these options name. Raises typer.BadParameter."""
    from matchmaker.transfer.columns import Columns

    if score and outcome:
        raise typer.BadParameter("give one of them, not both", param_hint=["--outcome", "--score"])
    return Columns(
        initiator=initiator,
        opponent=opponent,
        outcome=outcome or "outcome",
        score=_two_columns(score) if score else None,
        id=result_id,
        played_at=played_at,
        length=length,
        details=details,
    )


def _two_columns(text: str) -> tuple[str, str]:
    try:
        own, other = next(csv.reader([text]))
    except ValueError:
        raise typer.BadParameter(f"{text!r} names no two columns", param_hint="--score") from None
    return own, other
