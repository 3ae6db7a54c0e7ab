"""Devices in requests: linked accounts, and blocks."""

import asyncio
from typing import Any
from urllib.parse import quote

import pytest
import redis
from httpx import AsyncClient

from api import request_watch
from api.engine import Engine
from matchmaker.log import logging_to_stderr
from tests.api.conftest import fields, join, problem

pytestmark = pytest.mark.anyio

PHONE = "phone-of-ann-7f3a"
RESULTS = "/ladders/nft/results"
BATTLES = "/ladders/nft/battles"


def at(device: str) -> str:
    return f"/devices/{quote(device, safe='')}"


async def block(client: AsyncClient, device: str = PHONE, reason: str = "trades wins") -> dict[str, Any]:
    response = await client.post(f"{at(device)}/block", json={"reason": reason})
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.json()
    return document


async def report(client: AsyncClient, result: str = "r1", **devices: str) -> Any:
    body = {"id": result, "initiator": "ann", "opponent": "bob", "outcome": "win"}
    return await client.post(RESULTS, json=body | ({"devices": devices} if devices else {}))


async def seen(client: AsyncClient, device: str = PHONE) -> list[tuple[str, str]]:
    """Ladder and player of every account that was seen on the device."""
    found = (await client.get(at(device))).json()
    return [(each["ladder"], each["player"]) for each in found["accounts"]]


async def suspended(client: AsyncClient, *players: str, ladder: str = "nft") -> set[str]:
    standings = [(await client.get(f"/ladders/{ladder}/players/{player}")).json() for player in players]
    return {standing["player"] for standing in standings if standing["status"] == "suspended"}


async def test_a_device_that_nobody_has_heard_of_has_no_accounts(client: AsyncClient) -> None:
    response = await client.get(at("new"))
    assert (response.status_code, response.json()) == (200, {"blocked": False, "block": None, "accounts": []})


async def test_joins_battle_requests_and_results_tell_who_was_seen_where(client: AsyncClient) -> None:
    await join(client, "ann", device=PHONE)
    await join(client, "bob", "eve")
    await client.post(BATTLES, json={"challenger": "bob", "device": PHONE})
    await client.put("/ladders/cards/players/ann", json={"device": PHONE})
    await report(client, initiator="other", opponent=PHONE)
    assert await seen(client) == [("nft", "ann"), ("nft", "bob"), ("cards", "ann")]
    assert await seen(client, "other") == [("nft", "ann")]


@pytest.mark.parametrize("device", ["a/b", "/", "a/blocks", "ü\n/\u0000", "x" * 256, " ", "%2F", "?#&"])
async def test_a_device_may_be_any_text(client: AsyncClient, device: str) -> None:
    await join(client, "ann", device=device)
    assert await seen(client, device) == [("nft", "ann")]
    assert (await block(client, device))["blocked"]
    assert await suspended(client, "ann") == {"ann"}
    assert not (await client.delete(f"{at(device)}/block")).json()["blocked"]
    assert await suspended(client, "ann") == set()


@pytest.mark.parametrize("device", ["", "x" * 257, 7])
async def test_what_is_no_device_is_refused(client: AsyncClient, device: object) -> None:
    await join(client, "ann", "bob")
    assert fields(await client.put("/ladders/nft/players/ann", json={"device": device})) == {"device"}
    body = {"challenger": "ann", "device": device}
    assert fields(await client.post(BATTLES, json=body)) == {"device"}
    assert fields(await report(client, initiator=device)) == {"devices.initiator"}  # type: ignore[arg-type]


async def test_accounts_on_one_device_neither_meet_nor_count_against_each_other(client: AsyncClient) -> None:
    await join(client, "ann", "bob", device=PHONE)
    assert problem(await client.post(BATTLES, json={"challenger": "ann"})) == (409, "no_opponent")
    response = await report(client)
    assert problem(response) == (409, "linked_accounts")
    assert problem(await client.get(f"{RESULTS}/r1")) == (404, "unknown_result")


async def test_a_battle_request_from_the_device_of_another_does_not_draw_that_one(
    client: AsyncClient,
) -> None:
    await join(client, "ann", device=PHONE)
    await join(client, "bob")
    response = await client.post(BATTLES, json={"challenger": "bob", "device": PHONE})
    assert problem(response) == (409, "no_opponent")


async def test_a_result_on_one_device_is_refused_and_the_device_remembered(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    assert problem(await report(client, initiator=PHONE, opponent=PHONE)) == (409, "linked_accounts")
    assert problem(await report(client)) == (409, "linked_accounts")


async def test_in_a_list_each_result_is_judged_with_its_devices(client: AsyncClient) -> None:
    await join(client, "ann", "bob", "eve", "joe")
    one = {"id": "one", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    two = {"id": "two", "initiator": "eve", "opponent": "joe", "outcome": "win"}
    same, others = {"initiator": PHONE, "opponent": PHONE}, {"initiator": "1", "opponent": "2"}
    response = await client.post(RESULTS, json=[one | {"devices": same}, two | {"devices": others}])
    assert (response.status_code, response.json()["accepted"]) == (202, 1)
    assert [(each["index"], each["code"]) for each in response.json()["rejected"]] == [(0, "linked_accounts")]
    assert await seen(client, "2") == [("nft", "joe")]


async def test_devices_are_no_part_of_what_happened(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    assert (await report(client, initiator="1", opponent="2")).status_code == 202
    assert (await report(client)).json()["status"] == "duplicate"
    again = await report(client, initiator=PHONE, opponent=PHONE)
    assert (again.status_code, again.json()["status"]) == (200, "duplicate")


async def test_a_battle_counts_even_if_its_report_shows_that_the_two_are_linked(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    battle = (await client.post(BATTLES, json={"challenger": "ann"})).json()["id"]
    devices = {"initiator": PHONE, "opponent": PHONE}
    response = await client.post(f"{BATTLES}/{battle}/result", json={"outcome": "win", "devices": devices})
    assert response.status_code == 202
    assert await seen(client) == [("nft", "ann"), ("nft", "bob")]


async def test_a_match_that_a_linked_account_left_does_not_count(client: AsyncClient) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    body = {"id": "m1", "initiator": "ann", "opponent": "bob", "leaver": "bob", "length": 3}
    body["devices"] = {"initiator": PHONE, "opponent": PHONE}
    response = await client.post("/ladders/backgammon/abandonments", json=body)
    assert problem(response) == (409, "linked_accounts")


async def test_whoever_is_not_in_the_ladder_is_seen_nowhere(client: AsyncClient) -> None:
    await join(client, "ann")
    assert problem(await report(client, initiator="1", opponent=PHONE)) == (404, "unknown_player")
    response = await client.post(BATTLES, json={"challenger": "bob", "device": PHONE})
    assert problem(response) == (404, "unknown_player")
    assert await seen(client) == []


async def test_a_malformed_result_tells_nothing_of_devices(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    result = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win", "details": {"length": 3}}
    body = result | {"devices": {"initiator": PHONE}}
    assert problem(await client.post(RESULTS, json=body)) == (422, "invalid")
    assert (await client.post(RESULTS, json=[body])).json()["rejected"][0]["code"] == "invalid"
    assert await seen(client) == []


async def test_a_block_says_by_whom_why_and_when_and_stands(client: AsyncClient) -> None:
    await join(client, "ann", device=PHONE)
    blocked = await block(client)
    assert blocked["blocked"]
    assert (blocked["block"]["by"], blocked["block"]["reason"]) == ("admin", "trades wins")
    assert await block(client, reason="another") == blocked
    assert (await client.get(at(PHONE))).json() == blocked


async def test_unblocking_can_be_repeated(client: AsyncClient) -> None:
    await join(client, "ann", device=PHONE)
    await block(client)
    first, again = [await client.delete(f"{at(PHONE)}/block") for _ in range(2)]
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert (first.status_code, first.json()["block"]) == (200, None)


async def test_a_blocked_device_suspends_who_was_seen_on_it_and_who_comes_from_it_later(
    client: AsyncClient,
) -> None:
    await join(client, "ann", device=PHONE)
    await join(client, "bob", "eve", "joe")
    await join(client, "ann", ladder="cards", device=PHONE)
    await block(client)
    assert await suspended(client, "ann", "bob", "eve") == {"ann"}
    assert await suspended(client, "ann", ladder="cards") == {"ann"}
    joined = await client.put("/ladders/nft/players/new", json={"device": PHONE})
    assert (joined.status_code, joined.json()["status"], joined.json()["rank"]) == (201, "suspended", None)
    response = await client.post(BATTLES, json={"challenger": "bob", "device": PHONE})
    assert problem(response) == (409, "suspended")
    body = {"id": "r", "initiator": "eve", "opponent": "joe", "outcome": "win"}
    await client.post(RESULTS, json=body | {"devices": {"opponent": PHONE}})
    everybody = ("ann", "bob", "eve", "joe", "new")
    assert await suspended(client, *everybody) == {"ann", "bob", "joe", "new"}
    await client.delete(f"{at(PHONE)}/block")
    assert await suspended(client, *everybody) == set()
    assert await suspended(client, "ann", ladder="cards") == set()


async def test_nobody_slips_through_by_joining_while_the_device_is_being_blocked(
    client: AsyncClient,
) -> None:
    players = [f"p{n:02}" for n in range(30)]
    joins = [client.put(f"/ladders/nft/players/{player}", json={"device": PHONE}) for player in players]
    blocking = client.post(f"{at(PHONE)}/block", json={"reason": "a farm of accounts"})
    await asyncio.gather(*joins[:15], blocking, *joins[15:])
    assert await suspended(client, *players) == set(players)


async def test_only_an_admin_of_everything_looks_at_devices(client: AsyncClient, public: AsyncClient) -> None:
    public.headers.pop("Authorization")
    assert problem(await public.get(at(PHONE))) == (401, "unauthorized")
    assert problem(await public.post(f"{at(PHONE)}/block", json={"reason": "x"})) == (401, "unauthorized")
    assert problem(await public.delete(f"{at(PHONE)}/block")) == (401, "unauthorized")


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "a\u0000b"}, {"reason": "x" * 501}])
async def test_a_block_needs_a_reason(client: AsyncClient, body: dict[str, str]) -> None:
    assert fields(await client.post(f"{at(PHONE)}/block", json=body)) == {"reason"}


def _contents(client: redis.Redis) -> bytes:
    """All that the server keeps, as far as it is text."""
    kept: list[Any] = []
    for key in client.scan_iter():
        kept.append(key)
        match client.type(key):
            case b"hash":
                kept.append(client.hgetall(key))
            case b"string":
                kept.append(client.get(key))
            case b"stream":
                kept.append(client.xrange(key))
    return repr(kept).encode()


async def test_neither_the_store_nor_the_log_ever_holds_a_device(
    client: AsyncClient,
    redis_client: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(request_watch, "SLOW_SECONDS", 0.0)
    with logging_to_stderr("json", []):
        await join(client, "ann", "bob", device=PHONE)
        await client.post(BATTLES, json={"challenger": "ann", "device": PHONE})
        await report(client, initiator=PHONE, opponent=PHONE)
        await block(client)
        await client.get(at(PHONE))
        await client.get(f"{at(PHONE)}/nowhere")
        await client.put(at(PHONE), json={})
        monkeypatch.setattr(Engine, "now", lambda self: 1 / 0)
        await client.put("/ladders/nft/players/ann", json={"device": PHONE})
        await client.post(f"{at(PHONE)}/block", json={"reason": "x"})
    written = capsys.readouterr().err
    assert "answered 500" in written
    assert "/v1/devices/{device}/block" in written
    assert PHONE not in written
    contents = _contents(redis_client)
    assert b"trades wins" in contents
    assert PHONE.encode() not in contents


async def test_two_secrets_make_strangers_of_one_device_and_a_warning_says_so(
    client: AsyncClient, redis_client: redis.Redis, capsys: pytest.CaptureFixture[str]
) -> None:
    redis_client.set("mm:device-key", "another")
    with logging_to_stderr("text", []):
        await join(client, "ann", "bob", device=PHONE)
    assert capsys.readouterr().err.count("MATCHMAKER_DEVICE_KEY") == 1
