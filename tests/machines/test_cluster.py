"""The service on a cluster of three primaries with a replica each; a write counts when a replica has it."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

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

Program = Callable[..., Any]


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


@pytest.fixture
def program(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    """Runs `matchmaker` with these arguments; what it says, with --json decoded."""
    for name in ("store_url", "queue_url", "replicas", "data_dir"):
        monkeypatch.setenv(f"{ENV_PREFIX}{name.upper()}", str(getattr(settings, name)))

    def run(*words: str) -> Any:
        with pytest.raises(SystemExit) as ended:
            main(words)
        said = capsys.readouterr()
        assert ended.value.code == 0, said.err
        return json.loads(said.out) if "--json" in words else said.out

    return run


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
    await check_all(loads, store)


async def test_every_script_and_every_call_is_legal_in_a_cluster(
    cluster: Cluster, apps: list[AsyncClient], program: Program, tmp_path: Path
) -> None:
    await _call_everything(*apps)
    await asyncio.to_thread(_command_everything, program, tmp_path)
    key = await asyncio.to_thread(program, "keys", "create", "--scope", "read", "--json")
    bearer = {"Authorization": f"Bearer {key['key']}"}
    assert (await apps[0].get("/ladders", headers=bearer)).is_success
    await asyncio.to_thread(program, "keys", "revoke", key["id"])
    for file in files("matchmaker.store").joinpath("lua").iterdir():
        await until(partial(_used, cluster, file.name.removesuffix(".lua")))


async def _call_everything(one: AsyncClient, other: AsyncClient) -> None:
    ladder = "/ladders/legal"
    result = {"id": "r1", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    reason = {"reason": "to see whether it is legal"}
    closing = {"player": "ann", "verdict": "dismissed", "note": "?"}
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
        annulled := await one.post(f"{ladder}/results/r3/annul?wait=10", json=reason),
        await other.post(f"{ladder}/players/ann/adjust?wait=10", json={"shift": 5, **reason}),
        await one.patch(f"{ladder}/players/ann", json={"status": "suspended", **reason}),
        await other.patch(f"{ladder}/players/ann", json={"status": "active", **reason}),
        await one.get(f"{ladder}/players/ann/history"),
        await one.get(f"{ladder}/players/ann/neighbors"),
        await one.get(f"{ladder}/board?viewer=ann"),
        await one.get(f"{ladder}/expectation?initiator=ann&opponent=bob"),
        await one.put(f"{ladder}/players/eve", json={"device": "phone"}),
        await other.put("/ladders/legal-too", json={"rule": {"name": "initiator_k"}}),
        await other.put("/ladders/legal-too/players/eve", json={"device": "phone"}),
        await one.post("/devices/phone/block", json={"reason": "Wins are traded on it."}),
        await other.post(f"{ladder}/results", json={**result, "id": "d1", "devices": {"opponent": "phone"}}),
        blocked := await one.get(f"{ladder}/players/bob"),
        await other.delete("/devices/phone/block"),
        freed := await one.get("/ladders/legal-too/players/eve"),
        await one.get("/ladders"),
        await one.get("http://test/readyz"),
        await one.get("http://test/metrics"),
        await one.put(ladder, json={"rule": {"name": "initiator_k"}, "linked_accounts": "flag"}),
        await one.put(f"{ladder}/players/bob", json={"owner": "a"}),
        await one.post(f"{ladder}/results?wait=10", json={**result, "id": "r4"}),
        await one.post(f"{ladder}/results/r1/dispute", json={"player": "ann", "felt": "too_little"}),
        await other.get(f"{ladder}/disputes"),
        await one.post(f"{ladder}/results/r1/dispute/close", json=closing),
        await other.get(f"{ladder}/players/ann/fairplay"),
    ):
        assert answer.is_success, answer.text
    async with asyncio.timeout(20):
        while (await other.get(f"{ladder}/fairplay")).json()["total"] < 2:  # noqa: ASYNC110  # as in until
            await asyncio.sleep(0.05)
    flag = f"{ladder}/players/ann/fairplay/linked_accounts"
    assert (await one.post(f"{flag}/dismiss", json={"note": "?"})).is_success
    assert (rated.json()["status"], annulled.json()["status"]) == ("rated", "annulled")
    assert (blocked.json()["status"], freed.json()["status"]) == ("suspended", "active")


def _command_everything(program: Program, directory: Path) -> None:
    rows = [f"{number % 7},{number % 5 + 7},win" for number in range(2_500)]
    results, whole, half = (str(directory / name) for name in ("in.csv", "whole.ndjson", "half.ndjson"))
    Path(results).write_text("\n".join(["initiator,opponent,outcome", *rows]))
    program("ladder", "create", "imported", "--rule", "initiator_k")
    assert program("import", "imported", results, "--json")["rated"] == 2_500
    assert program("import", "imported", results, "--json")["duplicates"] == 2_500
    board = program("board", "imported", "--json")["entries"]
    assert sum(row["rating"] for row in board) == 1500 * 12
    program("export", "imported", whole)
    program("import", "restored", whole)
    assert program("board", "restored", "--json")["entries"] == board
    Path(half).write_text("\n".join(Path(whole).read_text().splitlines()[:-1]))
    with pytest.raises(AssertionError, match="too early"):
        program("import", "broken", half)
    assert program("replay", "restored", "--json")["identical"]
    for options in (("--set", "rule.k.provisional=32", "--apply"), ("--undo",), ("--forget",)):
        program("replay", "restored", *options, "--json")
    assert program("board", "restored", "--json")["entries"] == board
    Path(results).write_text("initiator,opponent,outcome\n0,7,draw\n")
    program("import", "restored", results)
    with pytest.raises(AssertionError, match="knows no draws"):
        program("replay", "restored", "--rule", "match_length", "--apply")
    program("export", "legal", whole)
    program("import", "judged", whole)
    assert program("dispute", "list", "judged", "--status", "dismissed", "--json")["total"] == 1
    program("opponent", "imported", board[0]["player"])
    program("export", "imported", whole)
    _age(Path(whole))
    program("import", "old", whole)
    program("ladder", "create", "old", "--rule", "initiator_k", "--set", "keep_days=1", "--replace")
    assert program("archive", "old", "--json")["files"]
    program("export", "old", whole)
    program("import", "young", whole)
    assert program("board", "young", "--json")["entries"] == board
    program("doctor")
    assert not program("device", "show", "phone", "--json")["blocked"]


def _age(file: Path) -> None:
    """Everything in this file of a whole ladder happened a hundred days earlier."""

    def earlier(log_id: re.Match[str]) -> str:
        return f'"{int(log_id[1]) - 100 * 24 * 3600 * 1000}-{log_id[2]}"'

    file.write_text(re.sub(r'"(\d{13})-(\d+)"', earlier, file.read_text()))


def _used(cluster: Cluster, script_name: str) -> bool:
    return any(node.client.script_exists(script(script_name).sha)[0] for node in cluster.nodes)


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
