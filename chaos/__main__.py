"""`python -m chaos`: attacks a service of its own, audits it, and says what was found."""

import asyncio
import logging
import shutil
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from chaos.attack import Plan, attack
from matchmaker.cli import output
from matchmaker.config import Durability


def main(
    seconds: Annotated[float, typer.Option(min=1, help="How long clients report.")] = Plan.seconds,
    kills: Annotated[int, typer.Option(min=0, help="Processes to kill meanwhile.")] = Plan.kills,
    clients: Annotated[int, typer.Option(min=1, help="Clients that report.")] = Plan.clients,
    seed: Annotated[int, typer.Option(help="Another seed makes another run.")] = Plan.seed,
    durability: Annotated[
        Durability, typer.Option(help="MATCHMAKER_DURABILITY of the service.")
    ] = Plan.durability,
) -> None:
    """Kill workers, API and valkey-server at random while clients report results; audit the service then.

    Exit code 1 if anything is wrong; the service's directory is kept in that case.
    """
    logging.getLogger("rq").setLevel(logging.ERROR)  # it warns of every job whose worker was killed
    directory = Path(tempfile.mkdtemp(prefix="matchmaker-chaos-"))
    print(f"{clients} clients, {kills} kills in {seconds:g} s, seed {seed} …\n", flush=True)
    report = asyncio.run(attack(Plan(seconds, kills, clients, seed=seed, durability=durability), directory))
    for table in (report.summary(), report.recovery()):
        output.show(table)
        print()
    if faults := report.faults():
        for fault in faults:
            output.show(Text(fault))
        print(f"\nThe service's directory is kept: {directory}")
        raise typer.Exit(1)
    shutil.rmtree(directory)


if __name__ == "__main__":
    typer.run(main)
