"""The store is gone, or hangs: what a real server says meanwhile, and afterwards."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from time import monotonic

import pytest
from httpx import AsyncClient, Response

from api.app import create_app
from matchmaker.apikeys import make
from matchmaker.config import Settings
from matchmaker.store import apikeys
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.embedded import EmbeddedServer, embedded_server
from matchmaker.store.presets import create_presets
from tests.api.conftest import ADMIN, problem
from tests.api.serving import serving

pytestmark = pytest.mark.anyio

RESULT = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}
CALLS: tuple[tuple[str, str, object], ...] = (
    ("GET", "/v1/ladders", None),
    ("PUT", "/v1/ladders/new", {"rule": {"name": "initiator_k"}}),
    ("GET", "/v1/ladders/nft", None),
    ("PUT", "/v1/ladders/nft/players/ann", {}),
    ("GET", "/v1/ladders/nft/players/ann", None),
    ("GET", "/v1/ladders/nft/players/ann/history", None),
    ("GET", "/v1/ladders/nft/players/ann/neighbors", None),
    ("POST", "/v1/ladders/nft/battles", {"challenger": "ann"}),
    ("GET", "/v1/ladders/nft/battles/b", None),
    ("DELETE", "/v1/ladders/nft/battles/b", None),
    ("POST", "/v1/ladders/nft/battles/b/result?wait=10", {"outcome": "win"}),
    ("POST", "/v1/ladders/nft/results?wait=10", RESULT),
    ("POST", "/v1/ladders/nft/results", [RESULT]),
    ("GET", "/v1/ladders/nft/results/r", None),
    ("GET", "/v1/ladders/nft/board", None),
    ("GET", "/v1/ladders/nft/board/live", None),
    ("GET", "/v1/ladders/nft/expectation?initiator=ann&opponent=bob", None),
    ("GET", "/readyz", None),
)
Outage = Callable[[EmbeddedServer], AbstractContextManager[None]]


@contextmanager
def hanging(server: EmbeddedServer) -> Iterator[None]:
    """Connections are taken, but nothing is answered."""
    assert server.pid is not None
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


@contextmanager
def stopped(server: EmbeddedServer) -> Iterator[None]:
    """Connections are refused."""
    server.stop()
    yield
    server.start()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[EmbeddedServer]:
    with embedded_server(tmp_path / "store") as server:
        yield server


@pytest.fixture
async def client(server: EmbeddedServer, tmp_path: Path) -> AsyncIterator[AsyncClient]:
    """Of a server on a real port, with a key that everybody knows of in the store only."""
    key, text = make(b"k" * 30, scope="admin", ladders=(), label="", created_at=0)
    blocking = connect(server.url)
    create_presets(Store(blocking))
    Store(blocking).run(apikeys.create(key))
    blocking.close()
    settings = Settings(store_url=server.url, data_dir=tmp_path, admin_key=ADMIN)
    async with serving(create_app(settings)) as url, AsyncClient(base_url=url, timeout=20) as client:
        client.headers["Authorization"] = f"Bearer {text}"
        yield client


async def timed(client: AsyncClient, method: str, path: str, body: object) -> tuple[Response, float]:
    start = monotonic()
    return await client.request(method, path, json=body), monotonic() - start


@pytest.mark.parametrize("outage", [hanging, stopped])
@pytest.mark.parametrize("bearer", [True, False], ids=["key", "admin key"])
async def test_every_endpoint_says_so_within_two_seconds_and_recovers_by_itself(
    server: EmbeddedServer, client: AsyncClient, outage: Outage, bearer: bool
) -> None:
    if not bearer:
        client.headers["Authorization"] = f"Bearer {ADMIN}"
    for path in ("/readyz", "/v1/ladders/nft/board"):
        assert (await client.get(path)).status_code == 200
    with outage(server):
        answers = await asyncio.gather(*(timed(client, *call) for call in CALLS))
        for (response, seconds), call in zip(answers, CALLS, strict=True):
            assert problem(response) == (503, "store_unavailable"), call
            assert response.headers["retry-after"] == "1"
            assert seconds < 2, call
        assert (await client.get("/healthz")).status_code == 200
        assert "matchmaker_store_up 0.0" in (await client.get("/metrics")).text
    assert (await client.get("/readyz")).status_code == 200
    assert (await client.get("/v1/ladders/nft/board")).status_code == 200


async def test_those_who_wait_for_a_connection_hear_it_in_time_as_well(
    server: EmbeddedServer, client: AsyncClient
) -> None:
    board = "/v1/ladders/nft/board"
    request = f"GET {board} HTTP/1.1\r\nHost: test\r\n\r\n".encode()
    await client.get(board)
    host, port = client.base_url.host, client.base_url.port
    connections = [await asyncio.open_connection(host, port) for _ in range(100)]
    with hanging(server):
        start = monotonic()
        for _, writer in connections:
            writer.write(request)
        lines = [await reader.readline() for reader, _ in connections]
        assert monotonic() - start < 2
        assert set(lines) == {b"HTTP/1.1 503 Service Unavailable\r\n"}
    for _, writer in connections:
        writer.close()
    assert (await client.get(board)).status_code == 200
