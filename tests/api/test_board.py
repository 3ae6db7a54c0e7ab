from collections.abc import Callable

import pytest
from httpx import AsyncClient

from tests.api.conftest import join, problem

pytestmark = pytest.mark.anyio

BOARD = "/ladders/nft/board"


async def test_the_board_lists_the_best_first_with_names_and_tiers(client: AsyncClient) -> None:
    await join(client, "ann", name="Ann", rating=2400)
    await join(client, "bob", rating=1200)
    assert (await client.get(BOARD)).json() == {
        "ladder": "nft",
        "version": "0-0",
        "total": 2,
        "entries": [
            {"rank": 1, "player": "ann", "name": "Ann", "rating": 2400, "games": 0, "tier": "Legend"},
            {"rank": 2, "player": "bob", "name": None, "rating": 1200, "games": 0, "tier": "Bronze"},
        ],
        "viewer": None,
    }


async def test_the_viewers_own_standing_comes_along_from_below_the_page(client: AsyncClient) -> None:
    await join(client, "ann", "bob", rating=1600)
    await join(client, "cid")
    viewer = (await client.get(f"{BOARD}?limit=1&viewer=cid")).json()["viewer"]
    assert viewer == (await client.get("/ladders/nft/players/cid")).json()
    assert (viewer["rank"], viewer["of"]) == (3, 3)
    assert (await client.get(f"{BOARD}?viewer=zed")).json()["viewer"] is None


async def test_the_version_changes_with_the_ratings(client: AsyncClient, fold: Callable[[str], int]) -> None:
    await join(client, "ann", "bob")
    fold("nft")
    before = (await client.get(BOARD)).json()["version"]
    result = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    await client.post("/ladders/nft/results", json=result)
    assert (await client.get(BOARD)).json()["version"] == before
    fold("nft")
    assert (await client.get(BOARD)).json()["version"] > before


async def test_an_offset_past_the_end_gives_an_empty_page(client: AsyncClient) -> None:
    await join(client, "ann")
    page = (await client.get(f"{BOARD}?offset=1000000000")).json()
    assert (page["total"], page["entries"]) == (1, [])


async def test_the_expectation_says_what_each_outcome_would_move(client: AsyncClient) -> None:
    await join(client, "ann", rating=1500, games=30)
    await join(client, "bob", rating=1600)
    path = "/ladders/nft/expectation?initiator=ann&opponent=bob"
    answer = (await client.get(path)).json()
    assert answer["expected_score"] == pytest.approx(0.36, abs=0.001)
    assert answer["k"] == {"initiator": 20, "opponent": 20}
    moves = {outcome: sides["initiator"] for outcome, sides in answer["outcomes"].items()}
    assert moves == pytest.approx({"win": 12.8, "draw": 2.8, "loss": -7.2}, abs=0.01)
    assert all(sides["initiator"] == -sides["opponent"] for sides in answer["outcomes"].values())


async def test_the_expectation_of_a_match_depends_on_its_length_and_knows_no_draw(
    client: AsyncClient,
) -> None:
    await join(client, "ann", ladder="backgammon", rating=1100, experience=400)
    await join(client, "bob", ladder="backgammon", rating=1500, experience=400)
    path = "/ladders/backgammon/expectation?initiator=ann&opponent=bob"
    answer = (await client.get(f"{path}&length=3")).json()
    assert answer["outcomes"].keys() == {"win", "loss"}
    assert answer["outcomes"]["win"]["initiator"] == pytest.approx(4.78, abs=0.005)
    assert answer["outcomes"]["loss"]["initiator"] == pytest.approx(-2.15, abs=0.005)
    assert problem(await client.get(f"{path}&length=65")) == (422, "invalid")


async def test_the_expectation_needs_two_known_players(client: AsyncClient) -> None:
    await join(client, "ann")
    path = "/ladders/nft/expectation?initiator=ann&opponent="
    assert problem(await client.get(f"{path}zed")) == (404, "unknown_player")
    assert problem(await client.get(f"{path}ann")) == (422, "invalid")
