"""`matchmaker gammon`."""

from typing import Annotated, Final, Literal

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson

_SEATS: Final = ("initiator", "opponent")


def gammon(
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="An XGID, or a position id of GNU Backgammon.")
    ],
    on_roll: Annotated[
        Literal["initiator", "opponent"] | None,
        typer.Option(help="Whose turn it is; an XGID says so itself (1: initiator)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """How likely it is, in a position of backgammon, that either side loses a gammon."""
    from matchmaker.backgammon import engine, notation

    read = notation.read(position, on_roll)
    engine.demand()
    chances = {seat: engine.gammon_probability(read, seat) for seat in _SEATS}
    if as_json:
        output.write_json(
            {
                "position": notation.xgid(read),
                "position_id": notation.position_id(read),
                "on_roll": read.on_roll,
                "gammon_probability": chances,
            }
        )
        return
    lines = [
        ("position", Text(notation.xgid(read))),
        ("position id", Text(notation.position_id(read))),
        ("on roll", Text(read.on_roll)),
        *((f"{seat} loses a gammon", Text(f"{chance:.4f}")) for seat, chance in chances.items()),
    ]
    output.show(output.pairs(lines))
