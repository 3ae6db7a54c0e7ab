"""`matchmaker demo`."""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from matchmaker.cli import output

if TYPE_CHECKING:
    from matchmaker.config import Settings
    from matchmaker.demo.arena import Measure

_POLL_SECONDS = 0.05
_LAST_BATTLES_SECONDS = 3.0


def demo(
    ladder: Annotated[str, typer.Option(help="Ladder to fight on.")] = "nft",
    fighters: Annotated[int, typer.Option(min=2, max=10_000, help="Fighters to simulate.")] = 300,
    battles: Annotated[
        int | None, typer.Option(min=1, help="End after so many.", show_default="endless")
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="Service to fight on.", show_default="one is started, as by `up`")
    ] = None,
    key: Annotated[
        str | None, typer.Option(help="Key with the scope report.", show_default="the admin key")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed makes other fighters.")] = 1,
) -> None:
    """Let simulated fighters with hidden strengths fight, and watch the board find out their order.

    They request opponents and report results through the HTTP API as any game does.
    """
    import asyncio

    from matchmaker.admin_key import admin_key
    from matchmaker.config import load_settings

    settings = load_settings()
    with ExitStack() as stack:
        if url is None:
            url = stack.enter_context(_service(settings))
        asyncio.run(_fight(url, key or admin_key(settings), ladder, fighters, battles, seed))


@contextlib.contextmanager
def _service(settings: "Settings") -> "Iterator[str]":
    """URL of a service of our own."""
    from matchmaker.listener import base_url, is_ready, listen
    from matchmaker.process import spawn

    listen(settings.host, settings.port).close()  # or else somebody else's service would look ready
    process = spawn((sys.executable, "-P", "-m", "matchmaker", "up"), env=os.environ)
    try:
        while not is_ready(settings.host, settings.port):
            if process.poll() is not None:
                raise typer.Exit(1)  # it has said why
            time.sleep(_POLL_SECONDS)
        yield base_url(settings.host, settings.port)
    finally:
        process.terminate()
        process.wait()


async def _fight(url: str, key: str, ladder: str, count: int, battles: int | None, seed: int) -> None:
    import asyncio

    import httpx

    from matchmaker.demo.arena import Arena
    from matchmaker.demo.client import Client
    from matchmaker.demo.fighters import draw_fighters

    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=15.0) as http:
        arena = Arena(Client(http, ladder), draw_fighters(count, seed), seed=seed, battles=battles)
        stop = asyncio.Event()
        run = asyncio.create_task(arena.run(stop, _tell))

        def end() -> None:
            stop.set()
            loop.call_later(_LAST_BATTLES_SECONDS, run.cancel)

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, end)
        with contextlib.suppress(asyncio.CancelledError):
            await run


def _tell(measure: "Measure") -> None:
    print(
        f"{measure.battles:>8,} battles {measure.per_second:>6,.0f}/s   "
        f"rank correlation {measure.correlation:+.3f}   "
        f"leader {output.visible(measure.leader)} ({measure.leader_rating:.0f})",
        flush=True,
    )
