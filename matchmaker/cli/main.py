"""The program `matchmaker`: its commands, and how its failures are told.

A command is a function, or a `typer.Typer` with several, in a module of its own, and is entered below. Such a
module imports what is heavy inside its functions, so that `--help` is quick.
"""

import inspect
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from matchmaker import __version__
from matchmaker.cli.api import api
from matchmaker.cli.archive import archive
from matchmaker.cli.board import board
from matchmaker.cli.demo import demo
from matchmaker.cli.device import device
from matchmaker.cli.dispute import dispute
from matchmaker.cli.doctor import doctor
from matchmaker.cli.evaluate import evaluate
from matchmaker.cli.export import export
from matchmaker.cli.failure import sentence
from matchmaker.cli.fairplay import dismiss, fairplay
from matchmaker.cli.gammon import gammon
from matchmaker.cli.import_ import import_
from matchmaker.cli.keys import keys
from matchmaker.cli.ladder import ladder
from matchmaker.cli.moderation import adjust, annul, reinstate, suspend
from matchmaker.cli.opponent import opponent
from matchmaker.cli.query import query
from matchmaker.cli.replay import replay
from matchmaker.cli.standing import standing
from matchmaker.cli.up import up
from matchmaker.cli.worker import worker

_TYPER_INTERRUPTED = 130  # what it makes of a Ctrl-C

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        print(f"matchmaker {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Matchmaking, ratings and live leaderboards for ranked battles."""


app.command()(up)
app.command()(api)
app.command()(worker)
app.command()(demo)
app.add_typer(ladder, name="ladder")
app.command("import")(import_)
app.command()(export)
app.command()(archive)
app.command()(query)
app.command()(evaluate)
app.command()(replay)
app.command()(board)
app.command()(standing)
app.command()(opponent)
app.command()(gammon)
app.command()(annul)
app.command()(adjust)
app.command()(suspend)
app.command()(reinstate)
app.command()(fairplay)
app.command()(dismiss)
app.add_typer(dispute, name="dispute")
app.add_typer(keys, name="keys")
app.add_typer(device, name="device")
app.command()(doctor)


def _reflow(commands: typer.Typer) -> None:
    """Break the lines of all these commands' help where the screen ends, not where a docstring does."""
    for command in commands.registered_commands:
        paragraphs = (inspect.getdoc(command.callback) or "").split("\n\n")
        command.help = "\n\n".join(" ".join(each.split()) for each in paragraphs)
    for group in commands.registered_groups:
        if group.typer_instance:
            _reflow(group.typer_instance)


_reflow(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and exits: 0 done, 1 failed, 2 wrong usage; a failure is one line on stderr."""
    try:
        code = app(arguments, prog_name="matchmaker", standalone_mode=False)
        if code == _TYPER_INTERRUPTED:
            raise KeyboardInterrupt
    except typer.TyperException as error:
        if not error.format_message():  # a group of commands without one of them: its help has been shown
            sys.exit(error.exit_code)
        _fail(_usage(error), error.exit_code)
    except (Exception, KeyboardInterrupt) as error:
        message = sentence(error)
        if message is None:
            raise
        _fail(message, 1)
    sys.exit(code or 0)


def _usage(error: typer.TyperException) -> str:
    """What is wrong with the command line, and which help says more."""
    context: typer.Context | None = getattr(error, "ctx", None)
    command = context.command_path if context else "matchmaker"
    return f"{error.format_message().replace('Value error, ', '')} ({command} --help says more)"


def _fail(message: str, code: int) -> NoReturn:
    line = " ".join(message.split())
    print(f"matchmaker: {line}", file=sys.stderr)
    sys.exit(code)
