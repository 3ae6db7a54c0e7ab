from collections.abc import Callable

import pytest
from httpx import AsyncClient

from tests.api.conftest import fields, join, problem

pytestmark = pytest.mark.anyio

ANN = "/ladders/nft/players/ann"


async def test_a_new_player_joins_at_the_initial_rating(client: AsyncClient) -> None:
    response = await client.put(ANN, json={"name": "Ann", "owner": "studio"})
    assert response.status_code == 201
    assert response.json() == {
        "player": "ann",
        "name": "Ann",
        "owner": "studio",
        "status": "active",
        "rating": 1500,
        "rank": 1,
        "of": 1,
        "percentile": 100,
        "tier": "Gold",
        "games": 0,
        "wins": 0,
        "draws": 0,
        "losses": 0,
        "k": 40,
        "provisional": True,
        "experience": 0,
        "peak": 1500,
    }
    assert (await client.get(ANN)).json() == response.json()


async def test_joining_again_changes_only_what_is_said(client: AsyncClient) -> None:
    await client.put(ANN, json={"name": "Ann", "owner": "studio"})
    renamed = await client.put(ANN, json={"name": "Anna"})
    assert (renamed.status_code, renamed.json()["name"], renamed.json()["owner"]) == (200, "Anna", "studio")
    assert (await client.put(ANN, json={"owner": None})).json()["owner"] is None


async def test_a_new_player_may_bring_a_career_from_elsewhere(client: AsyncClient) -> None:
    career = {"rating": 2300.5, "games": 120, "experience": 7, "peak": 2450}
    response = await client.put(ANN, json=career)
    assert response.status_code == 201
    assert response.json().items() >= (career | {"k": 10, "provisional": False}).items()


async def test_bringing_the_same_career_twice_is_fine_but_not_another_one(client: AsyncClient) -> None:
    await client.put(ANN, json={"rating": 1800})
    assert (await client.put(ANN, json={"rating": 1800})).status_code == 200
    refused = await client.put(ANN, json={"rating": 1900, "name": "Ann"})
    assert problem(refused) == (409, "already_joined")
    standing = (await client.get(ANN)).json()
    assert (standing["rating"], standing["name"]) == (1800, None)


@pytest.mark.parametrize("rating", [0, -350.5])
async def test_zero_and_negative_ratings_are_ratings(client: AsyncClient, rating: float) -> None:
    assert (await client.put(ANN, json={"rating": rating})).json()["rating"] == rating
    assert (await client.get("/ladders/nft/board")).json()["entries"][0]["rating"] == rating


async def test_unknown_players_have_no_rank_and_no_history(client: AsyncClient) -> None:
    for path in ("", "/history", "/neighbors"):
        assert problem(await client.get(f"{ANN}{path}")) == (404, "unknown_player")


async def test_neighbors_fill_the_page_at_both_ends_of_the_board(client: AsyncClient) -> None:
    for number in range(9):
        await join(client, f"p{number}", rating=1000 + number)
    for player, expected in (("p8", "87654"), ("p5", "76543"), ("p0", "43210")):
        response = await client.get(f"/ladders/nft/players/{player}/neighbors?span=2")
        assert [row["player"] for row in response.json()["entries"]] == [f"p{digit}" for digit in expected]


async def test_a_rank_is_the_same_in_every_answer_also_for_equal_ratings(client: AsyncClient) -> None:
    ratings = [1700, 1600, 1600, 1600, 1600, 1500, 1500, 1400]
    for number, rating in enumerate(ratings):
        await join(client, f"p{number}", rating=rating)
    ranks: dict[str, int] = {}
    for offset in range(0, 8, 3):
        board = (await client.get(f"/ladders/nft/board?limit=3&offset={offset}")).json()
        ranks |= {row["player"]: row["rank"] for row in board["entries"]}
    assert ranks == {f"p{number}": 1 + ratings.index(rating) for number, rating in enumerate(ratings)}
    for player, rank in ranks.items():
        assert (await client.get(f"/ladders/nft/players/{player}")).json()["rank"] == rank
        around = (await client.get(f"/ladders/nft/players/{player}/neighbors?span=1")).json()["entries"]
        assert all(row["rank"] == ranks[row["player"]] for row in around)


async def test_history_tells_each_result_from_the_players_side_newest_first(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob")
    for number, outcome in enumerate(("win", "draw")):
        result = {"id": f"r{number}", "initiator": "ann", "opponent": "bob", "outcome": outcome}
        await client.post("/ladders/nft/results", json=result)
    fold("nft")
    entries = (await client.get("/ladders/nft/players/bob/history")).json()["entries"]
    assert [(each["result"], each["opponent"], each["outcome"]) for each in entries] == [
        ("r1", "ann", "draw"),
        ("r0", "ann", "loss"),
    ]
    newest, oldest = entries
    assert (oldest["before"], oldest["delta"], oldest["after"]) == (1500, -20, 1480)
    assert newest["before"] == oldest["after"]
    assert len((await client.get("/ladders/nft/players/bob/history?limit=1")).json()["entries"]) == 1


async def test_history_gives_the_opponents_name_as_it_is_now(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob", "cid")
    for opponent in ("ann", "bob"):
        result = {"id": f"r-{opponent}", "initiator": "cid", "opponent": opponent, "outcome": "win"}
        await client.post("/ladders/nft/results", json=result)
    fold("nft")
    await join(client, "bob", name="Bob the Second")
    entries = (await client.get("/ladders/nft/players/cid/history")).json()["entries"]
    assert [each["opponent_name"] for each in entries] == ["Bob the Second", None]


async def test_history_gives_the_time_the_game_was_played(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob")
    played = "1872-11-30T15:00:00Z"
    result = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win", "played_at": played}
    await client.post("/ladders/nft/results", json=result)
    fold("nft")
    entries = (await client.get(f"{ANN}/history")).json()["entries"]
    assert [each["at"] for each in entries] == [played]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "x" * 129}, "name"),
        ({"owner": "a/b"}, "owner"),
        ({"owner": " a"}, "owner"),
        ({"rating": True}, "rating"),
        ({"rating": "1500"}, "rating"),
        ({"rating": 1e7}, "rating"),
        ({"games": -1}, "games"),
        ({"games": 1.5}, "games"),
        ({"games": 10**30}, "games"),
        ({"rating": 1500, "peak": 1400}, "peak"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_a_bad_field_is_named_and_nobody_joins(
    client: AsyncClient, body: dict[str, object], field: str
) -> None:
    assert fields(await client.put(ANN, json=body)) == {field}
    assert problem(await client.get(ANN)) == (404, "unknown_player")
