"""Clients on real servers: what they answer, and how long they take to give up and to recover."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from matchmaker.store.connect import UNAVAILABLE, connect, connect_async
from matchmaker.store.embedded import EmbeddedServer, embedded_server
from matchmaker.store.round_trips import RoundTrips

pytestmark = pytest.mark.anyio


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with embedded_server(tmp_path) as server:
        yield server


@pytest.fixture
def silent_url() -> Iterator[str]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}"


def test_scripts_answer_bytes_integers_and_lists(redis_client: redis.Redis) -> None:
    answer = redis_client.eval("return {'text', 7, 1.9, false, {'nested', ''}}", 0)
    assert answer == [b"text", 7, 1, None, [b"nested", b""]]


def test_streams_are_read_as_pairs_of_id_and_fields(redis_client: redis.Redis) -> None:
    entry = redis_client.xadd("log", {"field": "value"})
    assert redis_client.xrange("log") == [(entry, {b"field": b"value"})]
    assert redis_client.xread({"log": "0"}) == [[b"log", [(entry, {b"field": b"value"})]]]


async def test_an_asyncio_client_answers_alike(clean_store: str) -> None:
    async with connect_async(clean_store) as client:
        entry = await client.xadd("log", {"field": "value"})
        assert await client.xread({"log": "0"}) == [[b"log", [(entry, {b"field": b"value"})]]]


def test_a_client_recovers_when_the_server_comes_back(server: EmbeddedServer) -> None:
    client = connect(server.url)
    client.set("key", "value")
    server.stop()
    with pytest.raises(UNAVAILABLE):
        client.get("key")
    server.start()
    assert client.get("key") == b"value"
    client.close()


async def test_an_asyncio_client_recovers_when_the_server_comes_back(server: EmbeddedServer) -> None:
    async with connect_async(server.url) as client:
        await client.set("key", "value")
        server.stop()
        with pytest.raises(UNAVAILABLE):
            await client.get("key")
        server.start()
        assert await client.get("key") == b"value"


def test_a_client_leaves_a_server_that_has_become_a_replica(tmp_path: Path) -> None:
    """The name in a URL may lead to another machine after a failover; the old one keeps its connections."""
    socket_path = tmp_path / "primary"
    with embedded_server(tmp_path / "old") as old, embedded_server(tmp_path / "new") as new:
        socket_path.symlink_to(old.url.removeprefix("unix://"))
        with connect(f"unix://{socket_path}") as client, connect(old.url) as operator:
            client.set("key", "value")
            operator.execute_command("REPLICAOF", "127.0.0.1", 1)
            with pytest.raises(redis.ReadOnlyError):
                client.set("key", "value")
            socket_path.unlink()
            socket_path.symlink_to(new.url.removeprefix("unix://"))
            client.set("key", "value")


def test_a_store_that_is_down_is_reported_within_two_seconds(tmp_path: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(UNAVAILABLE):
        connect(f"unix://{tmp_path}/nothing.sock").ping()
    assert time.monotonic() - begin < 2


async def test_a_store_that_does_not_answer_is_reported_within_two_seconds(silent_url: str) -> None:
    begin = time.monotonic()
    async with connect_async(silent_url) as client:
        with pytest.raises(UNAVAILABLE):
            await RoundTrips(client).send(("PING",))
    assert time.monotonic() - begin < 2


def test_sentinels_that_are_down_are_reported_within_two_seconds() -> None:
    begin = time.monotonic()
    with pytest.raises(UNAVAILABLE):
        connect("redis+sentinel://127.0.0.1:1,127.0.0.1:2/main").get("key")
    assert time.monotonic() - begin < 2


def test_a_cluster_that_is_down_is_reported_within_two_seconds() -> None:
    begin = time.monotonic()
    with pytest.raises(UNAVAILABLE):
        connect("redis+cluster://127.0.0.1:1,127.0.0.1:2").get("key")
    assert time.monotonic() - begin < 2
