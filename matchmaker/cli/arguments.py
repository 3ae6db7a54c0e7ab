"""Arguments that several commands take."""

from typing import Annotated

import typer

LadderId = Annotated[str, typer.Argument(metavar="LADDER", help="Id of the ladder.")]
PlayerId = Annotated[str, typer.Argument(metavar="PLAYER", help="Id of the player.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
NoteText = Annotated[str, typer.Option("--note", help="Why, for others to read.")]

COMMAND_LINE = "command line"
"""Who has done it, where a request over HTTP has the id of a key."""


def checked_note(text: str) -> str:
    """The note, if it may be kept. Raises typer.BadParameter."""
    from pydantic import TypeAdapter, ValidationError

    from matchmaker.identifiers import Note
    from matchmaker.validation import invalid_input

    try:
        return TypeAdapter[str](Note).validate_python(text)
    except ValidationError as error:
        raise typer.BadParameter(invalid_input(error).detail, param_hint="--note") from None
