"""What is certain when a request is answered: nothing more, on disk, or on replicas."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

import pytest
import redis
from httpx import AsyncClient, Response

from api.durability import Durability
from matchmaker.config import Settings
from matchmaker.errors import StoreUnavailableError
from matchmaker.folding import fold_all
from matchmaker.reviewing import review_player
from matchmaker.store import fences, flags, reports
from matchmaker.store.client import Store
from matchmaker.store.connect import connect, connect_async
from matchmaker.store.fences import Fence
from matchmaker.store.keys import LadderKeys
from tests.api.conftest import problem
from tests.machines.server import Server, wait_for
from tests.machines.service import ADMIN, running_apps
from tests.waiting import wait_until

pytestmark = pytest.mark.anyio

NFT = "/ladders/nft"
WIN = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose every write is on disk before it is answered."""
    directory = tmp_path_factory.mktemp("disk") / "data"
    with Server(directory, "appendonly yes", "appendfsync always", "repl-diskless-sync-delay 0") as server:
        wait_for(server)
        yield server


@pytest.fixture
def server(disk: Server) -> Iterator[Server]:
    yield disk
    disk.run("CONFIG SET", "appendonly", "yes", "appendfsync", "always")
    disk.run("FLUSHALL")


@pytest.fixture
def settings(server: Server, tmp_path: Path) -> Settings:
    return Settings(store_url=server.url, data_dir=tmp_path, admin_key=ADMIN)


@pytest.fixture
async def relaxed(settings: Settings) -> AsyncIterator[AsyncClient]:
    """A client of an app that waits for nothing. Ann and bob are in the ladder."""
    async with running_apps(settings, 1) as (client,):
        await client.put(NFT, json={"rule": {"name": "initiator_k"}})
        for player in ("ann", "bob"):
            await client.put(f"{NFT}/players/{player}", json={})
        yield client


@pytest.fixture
async def strict(settings: Settings, relaxed: AsyncClient) -> AsyncIterator[AsyncClient]:
    """A client of an app that waits until the disk has it."""
    async with running_apps(settings.model_copy(update={"durability": "fsync"}), 1) as (client,):
        yield client


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fences, "WAIT_SECONDS", 0.1)


def refused(response: Response) -> str:
    """The detail of an answer that says that the request must be repeated."""
    assert problem(response) == (503, "store_unavailable"), response.text
    assert response.headers["retry-after"] == "1"
    return str(response.json()["detail"])


async def test_a_long_list_of_which_each_side_was_on_another_device_takes_few_connections(
    strict: AsyncClient, server: Server
) -> None:
    results = [
        WIN | {"id": f"r{number}", "devices": {"initiator": f"a{number}", "opponent": f"b{number}"}}
        for number in range(250)
    ]
    before = server.client.info("stats")["total_connections_received"]
    answer = await strict.post(f"{NFT}/results", json=results)
    assert (answer.status_code, answer.json()["accepted"]) == (202, 250), answer.text
    assert server.client.info("stats")["total_connections_received"] - before < 100


async def test_by_default_nothing_is_waited_for(relaxed: AsyncClient, server: Server) -> None:
    before = [server.calls(command) for command in ("wait", "waitaof")]
    assert (await relaxed.post(f"{NFT}/results", json=WIN)).status_code == 202
    assert [server.calls(command) for command in ("wait", "waitaof")] == before
    assert not server.run("EXISTS", LadderKeys("nft").fence)


async def test_many_reports_share_few_confirmations_of_the_disk(strict: AsyncClient, server: Server) -> None:
    before = server.calls("waitaof")
    reports = ({**WIN, "id": f"r{number}"} for number in range(100))
    answers = await asyncio.gather(*(strict.post(f"{NFT}/results", json=each) for each in reports))
    assert {answer.status_code for answer in answers} == {202}
    assert 1 <= server.calls("waitaof") - before <= 30


@pytest.mark.parametrize("mode", ["relaxed", "strict"])
async def test_what_was_answered_is_there_after_the_server_was_killed(
    relaxed: AsyncClient, strict: AsyncClient, server: Server, mode: str
) -> None:
    client = {"relaxed": relaxed, "strict": strict}[mode]
    assert (await client.post(f"{NFT}/results", json=WIN)).status_code == 202
    server.kill()
    server.start()
    wait_for(server)
    assert (await client.get(f"{NFT}/results/r")).json()["status"] == "accepted"


async def test_a_server_that_syncs_once_a_second_is_refused_since_it_confirms_too_early(
    strict: AsyncClient, server: Server
) -> None:
    server.run("CONFIG SET", "appendfsync", "everysec")
    assert "needs always" in refused(await strict.post(f"{NFT}/results", json=WIN))
    server.run("CONFIG SET", "appendfsync", "always")
    assert (await strict.post(f"{NFT}/results", json=WIN)).json()["status"] == "duplicate"


async def test_a_server_without_a_file_is_refused(strict: AsyncClient, server: Server) -> None:
    server.run("CONFIG SET", "appendonly", "no")
    assert "cannot tell what is on disk" in refused(await strict.post(f"{NFT}/results", json=WIN))


async def test_nothing_that_writes_is_answered_before_it_is_confirmed(
    relaxed: AsyncClient, settings: Settings, impatient: None
) -> None:
    battle = (await relaxed.post(f"{NFT}/battles", json={"challenger": "ann"})).json()["id"]
    async with running_apps(settings.model_copy(update={"replicas": 1}), 1) as (client,):
        for answer in (
            await client.put("/ladders/new", json={"rule": {"name": "initiator_k"}}),
            await client.put(f"{NFT}/players/eve", json={}),
            await client.put(f"{NFT}/players/ann", json={"name": "Ann"}),
            await client.post(f"{NFT}/players/ann/adjust?wait=0", json={"shift": 1, "reason": "to see"}),
            await client.patch(f"{NFT}/players/eve", json={"status": "suspended", "reason": "to see"}),
            await client.post(f"{NFT}/battles", json={"challenger": "ann"}),
            await client.post(f"{NFT}/battles", json={"challenger": "bob"}),
            await client.post(f"{NFT}/battles/{battle}/result", json={"outcome": "win"}),
            await client.post(f"{NFT}/results", json=WIN),
            await client.post(f"{NFT}/results", json=[WIN, {**WIN, "id": "s"}]),
            await client.post(f"{NFT}/results?wait=1", json=WIN),
            await client.post(f"{NFT}/results/r/annul?wait=0", json={"reason": "to see"}),
            await client.put(f"{NFT}/players/bob", json={"device": "phone"}),
            await client.post("/devices/phone/block", json={"reason": "to see"}),
            await client.delete("/devices/phone/block"),
        ):
            assert "0 of 1 replicas" in refused(answer)
        other = (await relaxed.post(f"{NFT}/battles", json={"challenger": "bob"})).json()["id"]
        assert "0 of 1 replicas" in refused(await client.delete(f"{NFT}/battles/{other}"))
        assert (await client.get(f"{NFT}/results/s")).is_success
        assert (await client.post(f"{NFT}/results", json=[])).is_success
        assert problem(await client.post(f"{NFT}/results", json={**WIN, "opponent": "zed"})) == (
            409,
            "result_conflict",
        )


async def test_disputes_and_dismissals_are_not_answered_before_they_are_confirmed(
    relaxed: AsyncClient, settings: Settings, server: Server, impatient: None
) -> None:
    for player in ("ann", "bob"):
        await relaxed.put(f"{NFT}/players/{player}", json={"owner": "one"})
    await relaxed.put(NFT, json={"rule": {"name": "initiator_k"}, "linked_accounts": "flag"})
    await relaxed.post(f"{NFT}/results", json=WIN)
    await asyncio.to_thread(_fold_and_review, server.url)
    dispute = {"player": "ann", "felt": "too_little"}
    closing = {"player": "ann", "verdict": "dismissed", "note": "?"}
    async with running_apps(settings.model_copy(update={"replicas": 1}), 1) as (client,):
        for path, body in (
            (f"{NFT}/results/r/dispute", dispute),
            (f"{NFT}/results/r/dispute/close", closing),
            (f"{NFT}/players/ann/fairplay/linked_accounts/dismiss", {"note": "?"}),
        ):
            assert "0 of 1 replicas" in refused(await client.post(path, json=body))
            assert "0 of 1 replicas" in refused(await client.post(path, json=body)), "and again"
    assert (await relaxed.post(f"{NFT}/results/r/dispute", json=dispute)).json()["status"] == "dismissed"


def _fold_and_review(url: str) -> None:
    with connect(url) as client:
        store = Store(client)
        fold_all(store, "nft")
        for player, seen in store.run(flags.to_review(store.edition("nft").keys, 10)).items():
            store.follow("nft", partial(review_player, player=player, seen=seen, now=0))


async def test_a_result_that_a_replica_has_not_confirmed_is_repeated_and_counts_once(
    settings: Settings, relaxed: AsyncClient, server: Server, tmp_path: Path, impatient: None
) -> None:
    with Server(tmp_path / "replica", f"replicaof 127.0.0.1 {server.port}") as replica:
        wait_until(lambda: server.run("SET", "any", "") and server.run("WAIT", 1, 100) == 1)
        async with running_apps(settings.model_copy(update={"replicas": 1}), 1) as (client,):
            assert (await client.post(f"{NFT}/results", json=WIN)).status_code == 202
            replica.freeze()
            assert "0 of 1 replicas" in refused(await client.post(f"{NFT}/results", json={**WIN, "id": "s"}))
            replica.thaw()
            assert (await client.post(f"{NFT}/results", json={**WIN, "id": "s"})).json() == {
                "id": "s",
                "status": "duplicate",
            }
    assert server.run("HLEN", LadderKeys("nft").ids) == 2


async def test_a_write_that_a_failover_has_lost_is_not_confirmed(server: Server) -> None:
    keys = LadderKeys("nft")
    durability = Durability(connect_async(server.url), Fence(fsync=True, replicas=0))
    with pytest.raises(StoreUnavailableError, match="lost this again"):
        await durability.kept(keys.fence, reports.find(keys, "lost").then(bool))
    await durability.close()


async def test_a_server_that_hangs_is_given_up_within_two_seconds(server: Server) -> None:
    keys = LadderKeys("nft")
    durability = Durability(connect_async(server.url), Fence(fsync=True, replicas=0))
    server.freeze()
    begin = time.monotonic()
    first = asyncio.create_task(durability.kept(keys.fence, reports.find(keys, "r").then(bool)))
    await asyncio.sleep(0)  # the second one comes while the first is under way
    second = durability.kept(keys.fence, reports.find(keys, "r").then(bool))
    outcomes = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [redis.TimeoutError] * 2
    assert time.monotonic() - begin < 2
    server.thaw()
    await durability.close()
