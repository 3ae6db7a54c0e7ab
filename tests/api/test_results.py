import asyncio
from collections.abc import Callable

import pytest
from httpx import AsyncClient

from matchmaker.folding import fold_batch
from matchmaker.ladder import Ladder
from matchmaker.rating import MatchLength
from matchmaker.store import ladders
from matchmaker.store.client import Store
from tests.api.conftest import fields, join, problem

pytestmark = pytest.mark.anyio

NFT, CARDS, BACKGAMMON = (f"/ladders/{ladder}/results" for ladder in ("nft", "cards", "backgammon"))
WIN = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}


async def test_a_result_is_accepted_then_rated_and_tells_what_it_changed(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob")
    response = await client.post(NFT, json=WIN)
    assert (response.status_code, response.json()) == (202, {"id": "r", "status": "accepted"})
    reported = {key: value for key, value in WIN.items() if key != "id"}
    before = (await client.get(f"{NFT}/r")).json()
    assert before == {"id": "r", "status": "accepted", "details": {}, "at": before["at"]} | reported
    fold("nft")
    assert (await client.get(f"{NFT}/r")).json() == before | {
        "status": "rated",
        "changes": [
            {"player": "ann", "before": 1500, "after": 1520, "delta": 20, "k": 40, "expected": 0.5},
            {"player": "bob", "before": 1500, "after": 1480, "delta": -20, "k": 40, "expected": 0.5},
        ],
    }


async def test_whoever_waits_is_told_as_soon_as_the_result_is_rated(
    client: AsyncClient, store: Store
) -> None:
    await join(client, "ann", "bob")
    waiting = asyncio.create_task(client.post(f"{NFT}?wait=10", json=WIN))
    while not waiting.done():
        await asyncio.to_thread(fold_batch, store, "nft")
    response = waiting.result()
    assert (response.status_code, response.json()["status"]) == (200, "rated")
    assert [each["after"] for each in response.json()["changes"]] == [1520, 1480]


async def test_a_wait_that_is_too_short_ends_in_accepted(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    response = await client.post(f"{NFT}?wait=0.01", json=WIN)
    assert (response.status_code, response.json()) == (202, {"id": "r", "status": "accepted"})


async def test_the_same_result_again_is_a_duplicate(client: AsyncClient, fold: Callable[[str], int]) -> None:
    await join(client, "ann", "bob")
    await client.post(NFT, json=WIN)
    same = WIN | {"details": None}
    response = await client.post(NFT, json=same)
    assert (response.status_code, response.json()) == (200, {"id": "r", "status": "duplicate"})
    fold("nft")
    response = await client.post(f"{NFT}?wait=1", json=same)
    assert response.json()["status"] == "duplicate"
    assert [each["after"] for each in response.json()["changes"]] == [1520, 1480]


@pytest.mark.parametrize(
    "other",
    [{"outcome": "loss"}, {"opponent": "cid"}, {"played_at": "2026-01-01T00:00:00Z"}],
)
async def test_the_same_id_with_other_content_is_a_conflict(
    client: AsyncClient, fold: Callable[[str], int], other: dict[str, str]
) -> None:
    await join(client, "ann", "bob", "cid")
    await client.post(NFT, json=WIN)
    assert problem(await client.post(NFT, json=WIN | other)) == (409, "result_conflict")
    fold("nft")
    assert (await client.get("/ladders/nft/players/ann")).json()["games"] == 1


async def test_four_posts_of_one_result_at_once_count_once(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob")
    responses = await asyncio.gather(*(client.post(NFT, json=WIN) for _ in range(4)))
    assert sorted(response.status_code for response in responses) == [200, 200, 200, 202]
    fold("nft")
    assert (await client.get("/ladders/nft/players/ann")).json()["games"] == 1


async def test_first_results_of_one_player_racing_each_other_all_count(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", *(f"p{number}" for number in range(20)))
    await asyncio.gather(
        *(client.post(NFT, json=WIN | {"id": f"r{number}", "opponent": f"p{number}"}) for number in range(20))
    )
    fold("nft")
    standing = (await client.get("/ladders/nft/players/ann")).json()
    assert (standing["games"], standing["wins"]) == (20, 20)


async def test_nobody_outside_the_ladder_has_results(client: AsyncClient) -> None:
    await join(client, "ann")
    assert problem(await client.post(NFT, json=WIN)) == (404, "unknown_player")
    assert problem(await client.get(f"{NFT}/r")) == (404, "unknown_result")


async def test_each_result_of_a_list_is_judged_by_itself(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob")
    response = await client.post(
        NFT,
        json=[
            WIN,
            WIN,
            WIN | {"outcome": "loss"},
            WIN | {"id": "s", "opponent": "zed"},
            {"id": "t"},
            WIN | {"id": "u", "details": {"x": 1}},
            "text",
            WIN | {"id": "v"},
        ],
    )
    body = response.json()
    assert (response.status_code, body["accepted"], body["duplicates"]) == (202, 2, 1)
    assert [(each["index"], each["code"]) for each in body["rejected"]] == [
        (2, "result_conflict"),
        (3, "unknown_player"),
        (4, "invalid"),
        (5, "invalid"),
        (6, "invalid"),
    ]
    assert "initiator: is missing" in body["rejected"][2]["detail"]
    fold("nft")
    assert (await client.get("/ladders/nft/players/ann")).json()["games"] == 2


async def test_a_list_is_judged_under_the_settings_of_the_moment(client: AsyncClient, store: Store) -> None:
    await join(client, "ann", "bob")
    store.run(ladders.put(Ladder(id="nft", rule=MatchLength())))  # as another replica would
    response = await client.post(NFT, json=[WIN])
    assert (response.json()["accepted"], response.json()["rejected"][0]["code"]) == (0, "invalid")


async def test_a_list_holds_at_most_a_thousand_results(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    results = [WIN | {"id": f"r{number}"} for number in range(1001)]
    assert fields(await client.post(NFT, json=results)) == {"body"}
    assert (await client.post(NFT, json=results[:1000])).json()["accepted"] == 1000
    assert (await client.post(NFT, json=[])).json() == {"accepted": 0, "duplicates": 0, "rejected": []}


async def test_the_card_game_weighs_how_one_played(client: AsyncClient, fold: Callable[[str], int]) -> None:
    await join(client, "ann", "bob", ladder="cards")
    details = {"initiator": {"won_by_16": 2, "bad_moves": 3}, "opponent": {"bad_moves": 1}}
    await client.post(CARDS, json=WIN | {"details": details})
    fold("cards")
    changes = (await client.get(f"{CARDS}/r")).json()["changes"]
    assert [each["after"] for each in changes] == [1020, 980]


async def test_backgammon_counts_the_length_of_the_match(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob", ladder="backgammon", experience=400)
    await client.post(BACKGAMMON, json=WIN | {"details": {"length": 9}})
    fold("backgammon")
    changes = (await client.get(f"{BACKGAMMON}/r")).json()["changes"]
    assert [each["after"] for each in changes] == [1506, 1494]
    assert (await client.get("/ladders/backgammon/players/bob")).json()["experience"] == 409


@pytest.mark.parametrize(
    ("path", "extra", "field"),
    [
        (NFT, {"details": {"length": 3}}, "details.length"),
        (BACKGAMMON, {}, "details.length"),
        (BACKGAMMON, {"details": {"length": 65}}, "details.length"),
        (BACKGAMMON, {"details": {"length": 3}, "outcome": "draw"}, "outcome"),
        (CARDS, {"details": {"referee": {}}}, "details.referee"),
    ],
)
async def test_details_that_the_rule_does_not_allow_are_named(
    client: AsyncClient, path: str, extra: dict[str, object], field: str
) -> None:
    assert fields(await client.post(path, json=WIN | extra)) == {field}
