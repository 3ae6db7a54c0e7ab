"""Arguments that several commands take."""

from typing import Annotated, Any

import typer

LadderId = Annotated[str, typer.Argument(metavar="LADDER", help="Id of the ladder.")]
PlayerId = Annotated[str, typer.Argument(metavar="PLAYER", help="Id of the player.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
Why = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; everybody who may read can see it.")]
NoteText = Annotated[str, typer.Option("--note", metavar="TEXT", help="Why, for other moderators.")]


def checked(kind: Any, value: Any, option: str) -> Any:
    """The value of an option, if it is of that type. Raises typer.BadParameter."""
    from pydantic import TypeAdapter, ValidationError

    from matchmaker.validation import invalid_input

    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise typer.BadParameter(invalid_input(error).detail, param_hint=option) from None
