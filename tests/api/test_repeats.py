"""Reports that come once more when their ladder has gone over to another rule."""

import asyncio
from collections.abc import Callable

import pytest
from httpx import AsyncClient

from matchmaker.rating import InitiatorK
from matchmaker.rebuilding import apply
from matchmaker.store.client import Store
from tests.api.conftest import join, problem

pytestmark = pytest.mark.anyio

RESULTS = "/ladders/backgammon/results"
MATCH = {"id": "m", "initiator": "ann", "opponent": "bob", "outcome": "win", "details": {"length": 3}}


@pytest.fixture
async def battle(client: AsyncClient, fold: Callable[[str], int], store: Store) -> str:
    """Of a battle whose result, like that of MATCH, was rated before its ladder went over to initiator_k."""
    await join(client, "ann", "bob", ladder="backgammon")
    assert (await client.post(RESULTS, json=MATCH)).status_code == 202
    issued: str = (await client.post("/ladders/backgammon/battles", json={"challenger": "ann"})).json()["id"]
    report = {"outcome": "loss", "details": {"length": 5}}
    assert (await client.post(f"/ladders/backgammon/battles/{issued}/result", json=report)).is_success
    fold("backgammon")
    await asyncio.to_thread(apply, store, "backgammon", InitiatorK(), 1500.0, lambda _: None)
    fold("backgammon")
    return issued


@pytest.mark.usefixtures("battle")
async def test_a_result_that_only_the_rule_of_then_understands_is_a_duplicate(client: AsyncClient) -> None:
    response = await client.post(RESULTS, json=MATCH)
    assert (response.status_code, response.json()) == (200, {"id": "m", "status": "duplicate"})
    standing = (await client.get("/ladders/backgammon/players/ann")).json()
    assert (standing["games"], standing["k"]) == (2, 40)


async def test_so_is_the_result_of_a_battle(client: AsyncClient, battle: str) -> None:
    report = {"outcome": "loss", "details": {"length": 5}, "devices": {"initiator": "phone"}}
    response = await client.post(f"/ladders/backgammon/battles/{battle}/result", json=report)
    assert (response.status_code, response.json()["status"]) == (200, "duplicate")


@pytest.mark.usefixtures("battle")
async def test_so_is_one_in_a_list(client: AsyncClient) -> None:
    new = {**MATCH, "id": "new", "details": {}}
    answer = (await client.post(RESULTS, json=[MATCH, new, {**MATCH, "id": "odd"}])).json()
    assert (answer["accepted"], answer["duplicates"]) == (1, 1)
    assert [(each["index"], each["code"]) for each in answer["rejected"]] == [(2, "invalid")]


@pytest.mark.usefixtures("battle")
async def test_other_content_under_that_id_is_refused_as_the_rule_of_now_sees_it(client: AsyncClient) -> None:
    for other in ({"details": {"length": 4}}, {"outcome": "loss"}, {"details": {"length": "long"}}):
        assert problem(await client.post(RESULTS, json=MATCH | other)) == (422, "invalid")
    assert problem(await client.post(RESULTS, json=MATCH | {"details": {}})) == (409, "result_conflict")
