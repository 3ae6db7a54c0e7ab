"""Team matches and free-for-alls over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest
from httpx import AsyncClient

from tests.api.conftest import fields, join, problem

pytestmark = pytest.mark.anyio

NFT, CARDS, BACKGAMMON = (f"/ladders/{ladder}/results" for ladder in ("nft", "cards", "backgammon"))
MATCH = {"id": "m", "initiator": ["ann", "bob"], "opponent": ["cid", "dan"], "outcome": "win"}
EVERYBODY = ("ann", "bob", "cid", "dan")


async def test_a_team_match_is_rated_and_tells_the_changes_of_all(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, *EVERYBODY)
    assert problem(await client.get(f"{NFT}/m")) == (404, "unknown_result")
    assert (await client.post(NFT, json=MATCH)).status_code == 202
    fold("nft")
    found = (await client.get(f"{NFT}/m")).json()
    assert {key: found[key] for key in MATCH} == MATCH
    assert [(each["player"], each["delta"], each["k"]) for each in found["changes"]] == [
        ("ann", 20.0, 40.0),
        ("bob", 20.0, 40.0),
        ("cid", -20.0, 40.0),
        ("dan", -20.0, 40.0),
    ]
    assert (await client.post(f"{NFT}?wait=1", json=MATCH)).json()["changes"] == found["changes"]


async def test_a_list_of_one_is_the_player_alone(client: AsyncClient) -> None:
    await join(client, *EVERYBODY)
    await client.post(NFT, json=MATCH | {"initiator": ["ann"], "opponent": "bob"})
    same = await client.post(NFT, json=MATCH | {"initiator": "ann", "opponent": ["bob"]})
    assert (same.status_code, same.json()["status"]) == (200, "duplicate")
    found = (await client.get(f"{NFT}/m")).json()
    assert (found["initiator"], found["opponent"]) == ("ann", "bob")


async def test_two_sides_with_ranks_are_an_ordinary_result(client: AsyncClient) -> None:
    await join(client, *EVERYBODY)
    ranked = {"id": "m", "sides": [["cid", "dan"], "ann"], "ranks": [2, 1]}
    assert (await client.post(NFT, json=ranked)).status_code == 202
    found = (await client.get(f"{NFT}/m")).json()
    assert (found["initiator"], found["opponent"], found["outcome"]) == (["cid", "dan"], "ann", "loss")
    assert "sides" not in found
    told = MATCH | {"initiator": ["cid", "dan"], "opponent": "ann", "outcome": "loss"}
    assert (await client.post(NFT, json=told)).json()["status"] == "duplicate"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (MATCH | {"initiator": []}, "initiator"),
        (MATCH | {"initiator": ["a", "b", "c", "d", "e"]}, "initiator"),
        (MATCH | {"initiator": ["ann", "ann"]}, "initiator"),
        (MATCH | {"opponent": ["cid", "ann"]}, "opponent"),
        (MATCH | {"opponent": ["cid", " "]}, "opponent.1"),
        (MATCH | {"opponent": [["cid"]]}, "opponent.0"),
        (MATCH | {"opponent": {"cid": 1}}, "opponent"),
        ({"id": "m", "sides": ["ann", "ann"], "ranks": [1, 2]}, "sides.1"),
        ({"id": "m", "sides": ["ann", "bob"], "ranks": [1]}, "ranks"),
        ({"id": "m", "sides": ["ann", "bob"], "ranks": [1, 2, 3]}, "ranks"),
        ({"id": "m", "sides": ["ann", "bob"], "ranks": [0, 1]}, "ranks.0"),
        ({"id": "m", "sides": ["ann"], "ranks": [1]}, "sides"),
        ({"id": "m", "sides": ["ann", "bob"]}, "ranks"),
        ({"id": "m", "sides": ["ann", "bob", "cid"], "ranks": [1, 2, 3]}, "sides"),
        ({"id": "m", "sides": ["ann", "bob"], "ranks": [1, 2], "outcome": "win"}, "outcome"),
        (MATCH | {"ranks": [1, 2]}, "ranks"),
        (MATCH | {"details": {"initiator": []}}, "details.initiator"),
    ],
)
async def test_what_can_be_no_sides_is_refused_by_its_field(
    client: AsyncClient, body: dict[str, Any], field: str
) -> None:
    await join(client, *EVERYBODY)
    response = await client.post(NFT, json=body)
    assert problem(response) == (422, "invalid")
    assert field in fields(response)
    listed = (await client.post(NFT, json=[body])).json()["rejected"]
    assert [each["code"] for each in listed] == ["invalid"]
    assert field in listed[0]["detail"]


async def test_a_ladder_of_matches_takes_no_teams(client: AsyncClient) -> None:
    await join(client, *EVERYBODY, ladder="backgammon")
    response = await client.post(BACKGAMMON, json=MATCH | {"details": {"length": 3}})
    assert problem(response) == (422, "invalid")
    assert "the rule match_length knows no teams" in response.json()["detail"]


async def test_in_a_card_game_everybody_is_rated_by_its_own_play(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, *EVERYBODY, ladder="cards")
    plays = {"initiator": [{}, {"bad_moves": 2}], "opponent": [{"won_by_24": 2}, {}]}
    assert (await client.post(CARDS, json=MATCH | {"details": plays})).is_success
    fold("cards")
    found = (await client.get(f"{CARDS}/m")).json()
    assert found["details"] == plays
    assert [each["delta"] for each in found["changes"]] == [20, 18, -19, -20]
    filed = {"player": "bob", "felt": "too_little"}
    assert (await client.post(f"{CARDS}/m/dispute", json=filed)).status_code == 200
    (case,) = (await client.get("/ladders/cards/disputes")).json()["entries"]
    assert (case["initiator"], case["opponent"]) == (["ann", "bob"], ["cid", "dan"])
    assert [each["player"] for each in case["arithmetic"]] == list(EVERYBODY)
    assert case["arithmetic"][1]["terms"][0]["text"] == "the mean of 1000, 1000"


async def test_histories_tell_partners_and_all_opponents(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "cid", "eve")
    await join(client, "bob", "dan", name="Somebody")
    await client.post(NFT, json=MATCH)
    await client.post(NFT, json={"id": "duel", "initiator": "ann", "opponent": "dan", "outcome": "loss"})
    fold("nft")
    duel, match = (await client.get("/ladders/nft/players/ann/history")).json()["entries"]
    assert (match["opponent"], match["opponent_name"], match["partners"]) == (["cid", "dan"], None, ["bob"])
    assert match["names"] == {"bob": "Somebody", "dan": "Somebody"}
    assert (match["outcome"], match["delta"]) == ("win", 20.0)
    assert (duel["opponent"], duel["opponent_name"], duel["partners"]) == ("dan", "Somebody", [])
    assert not {"rank", "of"} & {*duel, *match}
    (theirs,) = (await client.get("/ladders/nft/players/cid/history")).json()["entries"]
    assert (theirs["opponent"], theirs["partners"], theirs["outcome"]) == (["ann", "bob"], ["dan"], "loss")


async def test_devices_of_a_team_are_told_by_player(client: AsyncClient) -> None:
    await join(client, *EVERYBODY)
    devices = {"players": {"ann": "phone", "cid": "phone"}}
    response = await client.post(NFT, json=MATCH | {"devices": devices})
    assert problem(response) == (409, "linked_accounts")
    assert "'ann' and 'cid'" in response.json()["detail"]
    partners = {"players": {"bob": "tablet"}}
    together = MATCH | {"initiator": ["ann", "cid"], "opponent": ["bob"], "devices": partners}
    assert (await client.post(NFT, json=together)).status_code == 202


@pytest.mark.parametrize(
    ("devices", "field"),
    [({"initiator": "phone"}, "devices.initiator"), ({"players": {"eve": "phone"}}, "devices.players")],
)
async def test_devices_of_nobody_in_particular_are_refused(
    client: AsyncClient, devices: dict[str, Any], field: str
) -> None:
    await join(client, *EVERYBODY)
    response = await client.post(NFT, json=MATCH | {"devices": devices})
    assert problem(response) == (422, "invalid")
    assert fields(response) == {field}
    assert problem(await client.get(f"{NFT}/m")) == (404, "unknown_result")


async def test_a_battle_is_not_settled_by_a_team_match(client: AsyncClient) -> None:
    await join(client, *EVERYBODY)
    battle = (await client.post("/ladders/nft/battles", json={"challenger": "ann"})).json()
    other = battle["opponent"]["player"]
    partner = next(each for each in EVERYBODY if each not in ("ann", other))
    body = {"id": battle["id"], "initiator": ["ann", partner], "opponent": other, "outcome": "win"}
    assert problem(await client.post(NFT, json=body)) == (409, "result_conflict")
    reported = await client.post(f"/ladders/nft/battles/{battle['id']}/result", json={"outcome": "win"})
    assert reported.status_code == 202


async def test_a_list_may_hold_duels_and_team_matches(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, *EVERYBODY)
    duel = {"id": "d", "initiator": "ann", "opponent": "bob", "outcome": "draw"}
    answer = (await client.post(NFT, json=[MATCH, duel, MATCH, MATCH | {"outcome": "draw"}])).json()
    assert (answer["accepted"], answer["duplicates"]) == (2, 1)
    assert [each["code"] for each in answer["rejected"]] == ["result_conflict"]
    fold("nft")
    assert (await client.post(f"{NFT}/m/annul?wait=0", json={"reason": "arranged"})).is_success
    fold("nft")
    board = (await client.get("/ladders/nft/board")).json()["entries"]
    assert sum(each["rating"] for each in board) == 4 * 1500


MELEE = {"id": "m", "sides": ["ann", ["bob", "cid"], "dan"], "ranks": [5, 1, 5]}


@pytest.fixture
async def melee(client: AsyncClient) -> AsyncClient:
    """A client; the ladder `skill` rates free-for-alls, and everybody has joined."""
    await client.put("/ladders/skill", json={"rule": {"name": "openskill"}})
    await join(client, *EVERYBODY, ladder="skill")
    return client


async def test_a_free_for_all_is_rated_and_told_by_sides_and_ranks(
    melee: AsyncClient, fold: Callable[[str], int]
) -> None:
    assert (await melee.post("/ladders/skill/results", json=MELEE)).status_code == 202
    fold("skill")
    found = (await melee.get("/ladders/skill/results/m")).json()
    assert (found["sides"], found["ranks"]) == (MELEE["sides"], [2, 1, 2])
    assert not {"initiator", "opponent", "outcome"} & found.keys()
    deltas = {each["player"]: each["delta"] for each in found["changes"]}
    assert list(deltas) == list(EVERYBODY)
    assert deltas["bob"] == deltas["cid"] > deltas["ann"] == deltas["dan"]
    told_as_on_a_board = MELEE | {"ranks": [2, 1, 2]}
    again = await melee.post("/ladders/skill/results", json=told_as_on_a_board)
    assert again.json()["status"] == "duplicate"


async def test_histories_tell_the_place_in_a_free_for_all(
    melee: AsyncClient, fold: Callable[[str], int]
) -> None:
    await melee.post("/ladders/skill/results", json=MELEE)
    fold("skill")
    histories = {
        player: (await melee.get(f"/ladders/skill/players/{player}/history")).json()["entries"][0]
        for player in EVERYBODY
    }
    told = {
        player: (entry["opponent"], entry["partners"], entry["outcome"], entry["rank"], entry["of"])
        for player, entry in histories.items()
    }
    assert told == {
        "ann": (["bob", "cid", "dan"], [], "loss", 2, 3),
        "bob": (["ann", "dan"], ["cid"], "win", 1, 3),
        "cid": (["ann", "dan"], ["bob"], "win", 1, 3),
        "dan": (["ann", "bob", "cid"], [], "loss", 2, 3),
    }


async def test_a_free_for_all_can_be_disputed_and_annulled(
    melee: AsyncClient, fold: Callable[[str], int]
) -> None:
    before = (await melee.get("/ladders/skill/players/dan")).json()
    await melee.post("/ladders/skill/results", json=MELEE)
    fold("skill")
    filed = {"player": "dan", "felt": "too_much"}
    assert (await melee.post("/ladders/skill/results/m/dispute", json=filed)).is_success
    (case,) = (await melee.get("/ladders/skill/disputes")).json()["entries"]
    assert (case["sides"], case["ranks"]) == (MELEE["sides"], [2, 1, 2])
    assert [each["player"] for each in case["arithmetic"]] == list(EVERYBODY)
    await melee.post("/ladders/skill/results/m/annul?wait=0", json={"reason": "arranged"})
    fold("skill")
    assert (await melee.get("/ladders/skill/players/dan")).json() == before


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"sides": ["ann", ["bob", "ann"], "dan"]}, "sides.1"),
        ({"sides": ["ann", ["bob"] * 5, "dan"]}, "sides.1"),
        ({"sides": ["ann", [], "dan"]}, "sides.1"),
        ({"sides": [f"p{n}" for n in range(17)], "ranks": [1] * 17}, "sides"),
        ({"ranks": [1, 2]}, "ranks"),
        ({"ranks": [1, 2, 17]}, "ranks.2"),
        ({"ranks": [1, 2, 2.5]}, "ranks.2"),
        ({"details": {"length": 1}}, "details.length"),
        ({"devices": {"initiator": "phone"}}, "devices.initiator"),
        ({"devices": {"players": {"eve": "phone"}}}, "devices.players"),
    ],
)
async def test_what_can_be_no_free_for_all_is_refused_by_its_field(
    melee: AsyncClient, change: dict[str, Any], field: str
) -> None:
    response = await melee.post("/ladders/skill/results", json=MELEE | change)
    assert problem(response) == (422, "invalid")
    assert field in fields(response)
    (listed,) = (await melee.post("/ladders/skill/results", json=[MELEE | change])).json()["rejected"]
    assert field in listed["detail"]
