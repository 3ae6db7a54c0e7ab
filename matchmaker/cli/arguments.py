"""Arguments that several commands take."""

from typing import Annotated

import typer

LadderId = Annotated[str, typer.Argument(metavar="LADDER", help="Id of the ladder.")]
PlayerId = Annotated[str, typer.Argument(metavar="PLAYER", help="Id of the player.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
