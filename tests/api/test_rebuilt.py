"""A service whose ladder goes over to other settings under it, by somebody else's command."""

import asyncio
from collections.abc import Callable

import pytest
from httpx import AsyncClient

from matchmaker.folding import fold_all
from matchmaker.rating import InitiatorK, MatchLength, OpenSkill, Performance
from matchmaker.rebuilding import apply, undo
from matchmaker.store import reports
from matchmaker.store.client import Store
from tests.api.conftest import join, problem
from tests.waiting import wait_until

pytestmark = pytest.mark.anyio

NFT = "/ladders/nft"
K60 = InitiatorK.model_validate({"k": {"provisional": 60}})


@pytest.fixture
async def played(client: AsyncClient, fold: Callable[[str], int]) -> AsyncClient:
    """ann has won a game, and bob finds that unfair; the service knows the ladder and its board."""
    await join(client, "ann", "bob", "cid")
    body = {"id": "r1", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    assert (await client.post(f"{NFT}/results", json=body)).status_code == 202
    fold("nft")
    await client.get(f"{NFT}/board")
    dispute = {"player": "bob", "felt": "too_much"}
    assert (await client.post(f"{NFT}/results/r1/dispute", json=dispute)).is_success
    return client


async def test_everything_shows_the_new_ratings_at_once(played: AsyncClient, store: Store) -> None:
    apply(store, "nft", K60, 1500.0, lambda _: None)
    board = (await played.get(f"{NFT}/board")).json()["entries"]
    assert [(row["player"], row["rating"]) for row in board] == [("ann", 1530), ("cid", 1500), ("bob", 1470)]
    result = (await played.get(f"{NFT}/results/r1")).json()
    assert [(change["delta"], change["k"]) for change in result["changes"]] == [(30, 60), (-30, 60)]
    history = (await played.get(f"{NFT}/players/bob/history")).json()["entries"]
    assert [(entry["after"], entry["k"]) for entry in history] == [(1470, 60)]
    assert (await played.get(f"{NFT}/players/ann")).json()["rating"] == 1530
    assert (await played.get(NFT)).json()["rule"]["k"]["provisional"] == 60
    (case,) = (await played.get(f"{NFT}/disputes")).json()["entries"]
    assert case["arithmetic"][0]["terms"][-1]["value"] == 30
    version = (await played.get(f"{NFT}/board")).json()["version"]
    fold_all(store, "nft")
    assert (await played.get(f"{NFT}/board")).json()["version"] != version


async def test_undone_it_is_as_before(played: AsyncClient, store: Store) -> None:
    before = [await played.get(path) for path in (f"{NFT}/results/r1", f"{NFT}/players/bob", NFT)]
    apply(store, "nft", K60, 1500.0, lambda _: None)
    await played.get(f"{NFT}/board")
    undo(store, "nft", lambda _: None)
    after = [await played.get(path) for path in (f"{NFT}/results/r1", f"{NFT}/players/bob", NFT)]
    assert [each.json() for each in after] == [each.json() for each in before]


async def test_reports_are_judged_by_the_new_rule(
    played: AsyncClient, store: Store, fold: Callable[[str], int]
) -> None:
    apply(store, "nft", Performance(), 1000.0, lambda _: None)
    details = {"initiator": {"won_by_16": 2}}
    devices = {"initiator": "phone", "opponent": "tablet"}
    body = {"initiator": "cid", "opponent": "ann", "outcome": "win", "details": details}
    for report in (
        {"id": "r2", **body},
        {"id": "r3", **body, "devices": devices},
        [{"id": "r4", **body, "devices": devices}],
    ):
        assert (await played.post(f"{NFT}/results", json=report)).status_code == 202
    fold("nft")
    assert (await played.get(f"{NFT}/players/cid")).json()["games"] == 3
    refused = await played.post(f"{NFT}/results", json={"id": "r5", **body, "details": {"length": 3}})
    assert problem(refused) == (422, "invalid")


async def test_a_battle_is_reported_under_the_rule_that_came_meanwhile(
    played: AsyncClient, store: Store
) -> None:
    battle = (await played.post(f"{NFT}/battles", json={"challenger": "cid"})).json()["id"]
    apply(store, "nft", Performance(), 1000.0, lambda _: None)
    body = {"outcome": "win", "details": {"initiator": {"won_by_16": 2}}}
    reported = await played.post(f"{NFT}/battles/{battle}/result", json=body)
    assert reported.status_code == 202


async def test_the_arithmetic_of_an_old_result_is_that_of_the_new_rule(
    played: AsyncClient, store: Store
) -> None:
    apply(store, "nft", Performance(), 1000.0, lambda _: None)
    (case,) = (await played.get(f"{NFT}/disputes")).json()["entries"]
    (ann, bob) = case["arithmetic"]
    assert (ann["before"], ann["after"], bob["after"]) == (1000, 1020, 980)


async def test_whoever_waits_for_a_rating_is_told_the_new_one(played: AsyncClient, store: Store) -> None:
    body = {"id": "r2", "initiator": "cid", "opponent": "ann", "outcome": "win"}
    waiting = asyncio.create_task(played.post(f"{NFT}/results?wait=10", json=body))
    keys = store.edition("nft").keys
    await asyncio.to_thread(wait_until, lambda: store.run(reports.count(keys)) == 2)
    await asyncio.to_thread(apply, store, "nft", K60, 1500.0, lambda _: None)
    await asyncio.to_thread(fold_all, store, "nft")
    answer = (await waiting).json()
    assert [change["k"] for change in answer["changes"]] == [60, 60]


async def test_put_says_how_a_rule_can_change(played: AsyncClient) -> None:
    refused = await played.put(NFT, json={"rule": {"name": "performance"}})
    assert problem(refused) == (409, "rule_in_use")
    assert "matchmaker replay --apply" in refused.json()["detail"]


async def test_a_battle_from_before_the_players_had_a_sigma_is_still_shown(
    played: AsyncClient, store: Store
) -> None:
    issued = (await played.post(f"{NFT}/battles", json={"challenger": "ann"})).json()
    apply(store, "nft", OpenSkill(tau=0.0), 1500.0, lambda _: None)
    shown = await played.get(f"{NFT}/battles/{issued['id']}")
    assert shown.status_code == 200
    assert shown.json()["challenger"] == issued["challenger"]
    assert 0.5 < shown.json()["expected_score"] < 0.6


async def test_a_battle_from_when_the_players_had_a_sigma_is_told_by_their_strengths(
    client: AsyncClient, store: Store
) -> None:
    await client.put("/ladders/skill", json={"rule": {"name": "openskill"}})
    for player, sigma in (("ann", 500), ("bob", 100)):
        await client.put(f"/ladders/skill/players/{player}", json={"sigma": sigma})
    battle = (await client.post("/ladders/skill/battles", json={"challenger": "ann"})).json()
    apply(store, "skill", InitiatorK(), 1500.0, lambda _: None)
    shown = (await client.get(f"/ladders/skill/battles/{battle['id']}")).json()
    assert shown["expected_score"] == battle["expected_score"] == 0.5


async def test_players_are_reviewed_by_what_the_new_rule_makes_of_old_results(
    played: AsyncClient, store: Store
) -> None:
    apply(store, "nft", MatchLength(), 1500.0, lambda _: None)
    review = await played.get(f"{NFT}/players/ann/fairplay")
    assert review.status_code == 200
