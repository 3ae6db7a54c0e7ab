"""The service on a cluster of three primaries with a replica each; a write counts when a replica has it."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest
from httpx import AsyncClient

from matchmaker.cli.main import main
from matchmaker.config import ENV_PREFIX, Settings
from matchmaker.store.call import script
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.keys import LadderKeys
from tests.machines.cluster import Cluster
from tests.machines.load import Load, check_all, playing, until
from tests.machines.service import ADMIN, running_apps, running_workers

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def settings(cluster: Cluster, store_url: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    directory = tmp_path_factory.mktemp("data")
    return Settings(
        store_url=cluster.url, queue_url=store_url, data_dir=directory, admin_key=ADMIN, replicas=1
    )


@pytest.fixture(scope="module", autouse=True)
def workers(settings: Settings) -> Iterator[None]:
    with running_workers(settings):
        yield


@pytest.fixture(scope="module")
async def apps(settings: Settings, anyio_backend: str) -> AsyncIterator[list[AsyncClient]]:
    async with running_apps(settings) as clients:
        yield clients


@pytest.fixture(scope="module")
def store(settings: Settings) -> Iterator[Store]:
    assert settings.store_url
    with connect(settings.store_url) as client:
        yield Store(client)


@pytest.fixture(autouse=True)
def _whole(cluster: Cluster) -> None:
    cluster.wait_until_replicated()


async def test_ladders_spread_over_the_nodes_and_share_apps_and_workers(
    cluster: Cluster, apps: list[AsyncClient], store: Store
) -> None:
    loads = [Load(apps, f"l{number}") for number in range(4)]
    async with playing(loads):
        pass
    owners = {load.ladder: cluster.owner(load.ladder) for load in loads}
    assert len({node.port for node in owners.values()}) == 3
    for ladder, node in owners.items():
        assert node.run("EXISTS", LadderKeys(ladder).log)
    assert not any(load.refusals for load in loads)
    await check_all(loads, store)


async def test_every_script_and_every_call_is_legal_in_a_cluster(
    cluster: Cluster, apps: list[AsyncClient]
) -> None:
    one, other = apps
    ladder = "/ladders/legal"
    result = {"id": "r1", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    for answer in (
        await one.put(ladder, json={"rule": {"name": "initiator_k"}}),
        await one.put(f"{ladder}/players/ann", json={"name": "Ann", "owner": "a"}),
        await other.put(f"{ladder}/players/bob", json={}),
        await other.put(f"{ladder}/players/ann", json={"name": "Anna"}),
        battle := await one.post(f"{ladder}/battles?pool=full", json={"challenger": "ann"}),
        await other.get(f"{ladder}/battles/{battle.json()['id']}"),
        await one.delete(f"{ladder}/battles/{battle.json()['id']}"),
        await one.post(f"{ladder}/results", json=[result, {**result, "id": "r2"}]),
        rated := await other.post(f"{ladder}/results?wait=10", json={**result, "id": "r3"}),
        await other.get(f"{ladder}/results/r3"),
        await one.get(f"{ladder}/players/ann/history"),
        await one.get(f"{ladder}/players/ann/neighbors"),
        await one.get(f"{ladder}/board?viewer=ann"),
        await one.get(f"{ladder}/expectation?initiator=ann&opponent=bob"),
        await one.get("/ladders"),
        await one.get("http://test/readyz"),
    ):
        assert answer.is_success, answer.text
    assert rated.json()["status"] == "rated"
    scripts = [file.name.removesuffix(".lua") for file in files("matchmaker.store").joinpath("lua").iterdir()]
    for name in set(scripts) - {"admit"}:  # which is for imports
        await until(partial(_used, cluster, name))


def _used(cluster: Cluster, script_name: str) -> bool:
    return any(node.client.script_exists(script(script_name).sha)[0] for node in cluster.nodes)


def test_the_command_line_works_on_a_cluster(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (
        ("STORE_URL", settings.store_url),
        ("QUEUE_URL", settings.queue_url),
        ("REPLICAS", "1"),
    ):
        monkeypatch.setenv(f"{ENV_PREFIX}{name}", str(value))
    rows = [f"{number % 7},{number % 5 + 7},win" for number in range(2_500)]
    (tmp_path / "in.csv").write_text("\n".join(["initiator,opponent,outcome", *rows]))

    def run(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        return capsys.readouterr().out

    run("ladder", "create", "imported", "--rule", "initiator_k")
    assert json.loads(run("import", "imported", str(tmp_path / "in.csv"), "--json"))["rated"] == 2_500
    assert json.loads(run("import", "imported", str(tmp_path / "in.csv"), "--json"))["duplicates"] == 2_500
    run("export", "imported", str(tmp_path / "out.csv"))
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 2_501
    key = json.loads(run("keys", "create", "--scope", "read", "--ladder", "imported", "--json"))["id"]
    run("keys", "revoke", key)
    rows_shown = json.loads(run("board", "imported", "--json"))["entries"]
    assert sum(row["rating"] for row in rows_shown) == 1500 * 12
    run("opponent", "imported", rows_shown[0]["player"])


async def test_a_failover_in_the_middle_of_a_load_loses_and_doubles_nothing(
    cluster: Cluster, apps: list[AsyncClient], store: Store
) -> None:
    loads = [Load(apps, f"failover-{number}") for number in range(4)]
    victim = cluster.owner(loads[0].ladder)
    async with playing(loads):
        victim.kill()
        await until(lambda: cluster.owner(loads[0].ladder) is not victim)
        victim.start()
        await asyncio.gather(*(load.goes_on() for load in loads))
    assert loads[0].refusals
    await check_all(loads, store)


async def test_a_slot_that_moves_key_by_key_in_the_middle_of_a_load_loses_and_doubles_nothing(
    cluster: Cluster, apps: list[AsyncClient], store: Store
) -> None:
    load = Load(apps, "migration")
    target = cluster.another_primary(cluster.owner(load.ladder))
    async with playing([load]):
        for left in cluster.migrate_key_by_key(load.ladder, target):
            if left == 10:
                await until(lambda: load.refusals > 10)  # the games meet a ladder in two halves
        await load.goes_on()
    await check_all([load], store)


async def test_a_slot_that_moves_at_once_in_the_middle_of_a_load_loses_and_doubles_nothing(
    cluster: Cluster, apps: list[AsyncClient], store: Store
) -> None:
    load = Load(apps, "jump")
    target = cluster.another_primary(cluster.owner(load.ladder))
    async with playing([load]):
        await asyncio.to_thread(cluster.migrate_at_once, load.ladder, target)
        await load.goes_on()
    await check_all([load], store)
