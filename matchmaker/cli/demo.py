"""`matchmaker demo`."""

import contextlib
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

_DIRECTORY = "demo"
_POLL_SECONDS = 0.05
_LAST_BATTLES_SECONDS = 3.0


def demo(
    ladder: Annotated[str, typer.Option(help="Ladder to fight on.")] = "nft",
    fighters: Annotated[int, typer.Option(min=2, max=10_000, help="Fighters to simulate.")] = 300,
    battles: Annotated[
        int | None, typer.Option(min=1, help="End after so many.", show_default="endless")
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            help="Service to fight on.", show_default="one of its own, whose data is in <data directory>/demo"
        ),
    ] = None,
    key: Annotated[
        str | None, typer.Option(help="Key with the scope report.", show_default="the admin key")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed makes other fighters.")] = 1,
) -> None:
    """Let simulated fighters with hidden strengths fight, and watch the board find out their order.

    They request opponents and report results through the HTTP API as any game does. Without --url they fight
    on a service that is started for them, with data of its own: they disturb nobody.
    """
    import asyncio

    from matchmaker.admin_key import KEY_FILE, admin_key
    from matchmaker.config import load_settings

    settings = load_settings()
    with ExitStack() as stack:
        if url is None:
            settings = _own(settings)
            url = stack.enter_context(_service(settings))
        elif key is None and settings.admin_key is None and not (settings.data_dir / KEY_FILE).exists():
            raise typer.BadParameter(f"there is no admin key in {settings.data_dir}", param_hint="--key")
        asyncio.run(_fight(url, key or admin_key(settings), ladder, fighters, battles, seed))


def _own(settings: "Settings") -> "Settings":
    """The same with an embedded store in a directory of its own."""
    directory = settings.data_dir.absolute() / _DIRECTORY
    return settings.model_copy(update={"data_dir": directory, "store_url": None, "queue_url": None})


@contextlib.contextmanager
def _service(settings: "Settings") -> "Iterator[str]":
    """URL of a service of our own, with these settings."""
    from matchmaker.config import environment
    from matchmaker.listener import CannotListenError, base_url, is_ready, listen
    from matchmaker.process import spawn

    address = base_url(settings.host, settings.port)
    try:
        listen(settings.host, settings.port).close()  # or else somebody else's service would look ready
    except CannotListenError as error:
        if not is_ready(settings.host, settings.port):
            raise
        raise CannotListenError(
            f"{error.detail}; a service answers there: `matchmaker demo --url {address}` fights on that one"
        ) from None
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    process = spawn(
        (sys.executable, "-P", "-m", "matchmaker", "up"), env=environment(settings), cwd=settings.data_dir
    )
    try:
        while not is_ready(settings.host, settings.port):
            if process.poll() is not None:
                raise typer.Exit(1)  # it has said why
            time.sleep(_POLL_SECONDS)
        yield address
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
