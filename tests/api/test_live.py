"""The live board, on a real HTTP server."""

import asyncio
import json
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import redis
import uvicorn
from httpx import AsyncClient

from api import live_board
from api.app import create_app
from matchmaker.config import Settings
from matchmaker.folding import fold_all
from matchmaker.listener import is_ready
from matchmaker.presets import PRESETS
from matchmaker.rating import InitiatorK
from matchmaker.rebuilding import apply
from matchmaker.store import ladders
from matchmaker.store.client import Store
from tests.api.conftest import ADMIN, join, problem
from tests.waiting import wait_until

pytestmark = pytest.mark.anyio

LIVE = "/ladders/nft/board/live"


class Viewer:
    """Reads the events of one stream."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines

    async def line(self) -> str:
        async with asyncio.timeout(10):
            return await anext(self._lines)

    async def end(self) -> None:
        """Reads until the stream ends."""
        async with asyncio.timeout(10):
            async for _ in self._lines:
                pass

    async def event(self) -> tuple[str, Any]:
        """The next event, comments left out."""
        fields: dict[str, str] = {}
        while True:
            line = await self.line()
            name, _, value = line.partition(": ")
            if line and name:
                fields[name] = value
            elif "data" in fields:
                body = json.loads(fields["data"])
                assert fields["id"] == body["version"]
                return fields["event"], body


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
async def client(settings: Settings, store: Store, port: int) -> AsyncIterator[AsyncClient]:
    """A client of a server on a real port, with the admin key."""
    for ladder in PRESETS:
        store.run(ladders.announce(ladder.id))
        store.run(ladders.put(ladder))
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=port, log_level="warning", ws="none"))
    serving = asyncio.create_task(server.serve())
    await asyncio.to_thread(wait_until, lambda: server.started)
    async with AsyncClient(base_url=f"http://127.0.0.1:{port}/v1") as client:
        client.headers["Authorization"] = f"Bearer {ADMIN}"
        yield client
    server.should_exit = True
    await serving


@asynccontextmanager
async def watching(client: AsyncClient, path: str = LIVE) -> AsyncIterator[Viewer]:
    async with client.stream("GET", path) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Viewer(response.aiter_lines())


@pytest.fixture
def win(client: AsyncClient, store: Store) -> Callable[[str], Any]:
    """Reports a result that ann wins, and has it rated."""

    async def win(result: str) -> None:
        body = {"id": result, "initiator": "ann", "opponent": "bob", "outcome": "win"}
        assert (await client.post("/ladders/nft/results", json=body)).status_code == 202
        await asyncio.to_thread(fold_all, store, "nft")

    return win


async def test_a_viewer_is_sent_the_board_at_once_and_then_what_changes(
    client: AsyncClient, win: Callable[[str], Any]
) -> None:
    await join(client, "ann", "bob", "cid")
    async with watching(client) as viewer:
        board = (await client.get("/ladders/nft/board")).json()
        assert await viewer.event() == ("board", board)
        await win("r1")
        name, body = await viewer.event()
        while body["version"] == board["version"]:
            name, body = await viewer.event()
        assert name == "changes"
        ratings = {row["player"]: row["rating"] for row in body["entries"]}
        assert (ratings["ann"], ratings["bob"]) == (1520, 1480)
        assert body["version"] == (await client.get("/ladders/nft/board")).json()["version"]


async def test_a_new_name_reaches_the_viewers(client: AsyncClient, store: Store) -> None:
    await join(client, "ann")
    fold_all(store, "nft")
    async with watching(client) as viewer:
        await viewer.event()
        await join(client, "ann", name="Anna")
        await asyncio.to_thread(fold_all, store, "nft")
        _, body = await viewer.event()
        assert [row["name"] for row in body["entries"]] == ["Anna"]


async def test_new_tiers_reach_the_viewers(client: AsyncClient, store: Store) -> None:
    await join(client, "ann")
    fold_all(store, "nft")
    async with watching(client) as viewer:
        await viewer.event()
        ladder = (await client.get("/ladders/nft")).json() | {"tiers": [{"name": "All", "from": 0}]}
        assert (await client.put("/ladders/nft", json=ladder)).status_code == 200
        await asyncio.to_thread(fold_all, store, "nft")
        _, body = await viewer.event()
        assert [row["tier"] for row in body["entries"]] == ["All"]


async def test_viewers_are_sent_what_a_rebuilt_board_has_else(
    client: AsyncClient, win: Callable[[str], Any], store: Store
) -> None:
    await join(client, "ann", "bob", "cid")
    await win("r1")
    async with watching(client) as viewer:
        await viewer.event()
        rule = InitiatorK.model_validate({"k": {"provisional": 60}})
        await asyncio.to_thread(apply, store, "nft", rule, 1500.0, lambda _: None)
        await asyncio.to_thread(fold_all, store, "nft")
        _, body = await viewer.event()
        assert {row["player"]: row["rating"] for row in body["entries"]} == {"ann": 1530, "bob": 1470}


async def test_a_viewer_below_the_top_is_told_its_own_standing_when_that_changes(
    client: AsyncClient, win: Callable[[str], Any]
) -> None:
    await join(client, "zoe", rating=2000)
    await join(client, "ann", "bob")
    async with watching(client, f"{LIVE}?limit=1&viewer=bob") as viewer:
        _, board = await viewer.event()
        assert [row["player"] for row in board["entries"]] == ["zoe"]
        assert (board["viewer"]["rank"], board["viewer"]["rating"]) == (2, 1500)
        await win("r1")
        _, body = await viewer.event()
        assert (body["entries"], body["viewer"]["rank"], body["viewer"]["rating"]) == ([], 3, 1480)


async def test_whoever_comes_back_is_sent_the_whole_board_again(
    client: AsyncClient, win: Callable[[str], Any]
) -> None:
    await join(client, "ann", "bob")
    async with watching(client) as viewer:
        _, before = await viewer.event()
    await win("r1")
    client.headers["Last-Event-ID"] = before["version"]
    async with watching(client) as viewer:
        name, body = await viewer.event()
        assert (name, body["entries"][0]["rating"]) == ("board", 1520)


async def test_an_idle_stream_is_kept_alive_by_comments(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_board, "KEEPALIVE_SECONDS", 0.05)
    async with watching(client) as viewer:
        await viewer.event()
        while not (await viewer.line()).startswith(":"):
            pass


async def test_a_slow_viewer_does_not_delay_the_others_and_catches_up(
    client: AsyncClient, win: Callable[[str], Any], port: int
) -> None:
    await join(client, "ann", "bob")
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=256)
    writer.write(f"GET /v1{LIVE} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    async with watching(client) as quick:
        _, body = await quick.event()
        for number in range(40):
            await win(f"r{number}")
        expected = (await client.get("/ladders/nft/board")).json()["version"]
        while body["version"] != expected:
            _, body = await quick.event()
    seen = b""
    async with asyncio.timeout(10):
        while f"id: {expected}".encode() not in seen:
            seen += await reader.read(4096)
    writer.close()
    await writer.wait_closed()


async def test_viewers_outlast_a_store_that_is_away(
    client: AsyncClient, win: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    await join(client, "ann", "bob")
    async with watching(client) as viewer:
        await viewer.event()
        failures = iter([redis.ConnectionError("away")] * 3)
        look = live_board.LiveBoard._look

        async def fail_first(self: live_board.LiveBoard) -> bool:
            for failure in failures:
                raise failure
            return await look(self)

        monkeypatch.setattr(live_board.LiveBoard, "_look", fail_first)
        await win("r1")
        _, body = await viewer.event()
        assert body["entries"][0]["rating"] == 1520


async def test_nobody_watching_costs_nothing(client: AsyncClient) -> None:
    async with watching(client) as viewer:
        await viewer.event()
        watched = await client.get(f"http://127.0.0.1:{client.base_url.port}/metrics")
        assert 'matchmaker_viewers{ladder="nft"} 1.0' in watched.text
    async with asyncio.timeout(10):
        while (
            'matchmaker_viewers{ladder="nft"} 0.0'
            not in (await client.get(f"http://127.0.0.1:{client.base_url.port}/metrics")).text
        ):
            pass


async def test_an_unknown_ladder_has_no_stream(client: AsyncClient) -> None:
    assert problem(await client.get("/ladders/nowhere/board/live")) == (404, "unknown_ladder")
    assert problem(await client.get(f"{LIVE}?limit=0")) == (422, "invalid")


async def test_streams_end_when_the_server_is_asked_to_stop(
    settings: Settings, store: Store, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.run(ladders.announce("nft"))
    store.run(ladders.put(PRESETS[0]))
    environment = {
        "MATCHMAKER_STORE_URL": str(settings.store_url),
        "MATCHMAKER_ADMIN_KEY": ADMIN,
        "MATCHMAKER_PORT": str(port),
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "matchmaker", "api", env=environment)
    try:
        async with AsyncClient(base_url=f"http://127.0.0.1:{port}/v1") as client:
            await asyncio.to_thread(wait_until, partial(is_ready, "127.0.0.1", port), timeout=30)
            async with watching(client) as viewer:
                await viewer.event()
                process.send_signal(signal.SIGTERM)
                await viewer.end()
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
