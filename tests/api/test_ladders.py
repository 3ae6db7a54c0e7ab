import pytest
from httpx import AsyncClient

from tests.api.conftest import fields, join, problem

pytestmark = pytest.mark.anyio

ARENA = {"title": "Arena", "rule": {"name": "initiator_k", "k": {"provisional": 48}}, "initial_rating": 1200}


async def test_a_new_ladder_is_created_with_every_default_filled_in(client: AsyncClient) -> None:
    response = await client.put("/ladders/arena", json=ARENA)
    assert response.status_code == 201
    ladder = response.json()
    assert ladder["id"] == "arena"
    assert ladder["rule"]["k"] == {"provisional": 48, "established": 20, "master": 10}
    assert ladder["pool"] == {
        "size": 30,
        "deviation": 100,
        "shortfall": "backfill",
        "widen": [],
        "avoid_recent": 1,
    }
    assert (await client.get("/ladders/arena")).json() == ladder


async def test_what_was_read_can_be_put_back_and_is_the_same(client: AsyncClient) -> None:
    for ladder in (await client.get("/ladders")).json():
        response = await client.put(f"/ladders/{ladder['id']}", json=ladder)
        assert (response.status_code, response.json()) == (200, ladder)


async def test_changed_settings_hold_at_once(client: AsyncClient) -> None:
    await client.put("/ladders/arena", json=ARENA)
    await join(client, "ann", ladder="arena")
    await client.put("/ladders/arena", json=ARENA | {"initial_rating": 900})
    await join(client, "bob", ladder="arena")
    board = (await client.get("/ladders/arena/board")).json()
    assert [row["rating"] for row in board["entries"]] == [1200, 900]


async def test_the_rule_of_a_ladder_with_results_can_no_longer_change(client: AsyncClient) -> None:
    await client.put("/ladders/arena", json=ARENA)
    await join(client, "ann", "bob", ladder="arena")
    result = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    assert (await client.post("/ladders/arena/results", json=result)).status_code == 202
    other_rule = {"rule": {"name": "performance"}}
    assert problem(await client.put("/ladders/arena", json=other_rule)) == (409, "rule_in_use")
    assert (await client.put("/ladders/arena", json=ARENA | {"title": "The Arena"})).status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "rule"),
        ({"rule": {"name": "chess"}}, "rule.name"),
        ({"rule": {"name": "initiator_k", "k": {"provisional": True}}}, "rule.k.provisional"),
        ({"rule": {"name": "initiator_k", "speed": 3}}, "rule.speed"),
        ({"rule": {"name": "match_length"}, "pool": {"size": 0}}, "pool.size"),
        ({"rule": {"name": "match_length"}, "pool": {"widen": [50]}}, "pool.widen"),
        ({"rule": {"name": "match_length"}, "id": "other"}, "id"),
        ({"rule": {"name": "match_length"}, "battle_ttl": 1.5}, "battle_ttl"),
        ({"rule": {"name": "match_length"}, "tiers": [{"name": "a", "from": "0"}]}, "tiers.0.from"),
    ],
)
async def test_bad_settings_are_refused_and_the_field_is_named(
    client: AsyncClient, body: dict[str, object], field: str
) -> None:
    assert fields(await client.put("/ladders/arena", json=body)) == {field}
    assert problem(await client.get("/ladders/arena")) == (404, "unknown_ladder")


async def test_an_id_with_other_letters_is_refused(client: AsyncClient) -> None:
    assert fields(await client.put("/ladders/Arena", json=ARENA)) == {"ladder"}


async def test_everything_about_an_unknown_ladder_is_404(client: AsyncClient) -> None:
    result = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    for method, path, body in (
        ("GET", "", None),
        ("GET", "/board", None),
        ("PUT", "/players/ann", {}),
        ("GET", "/players/ann", None),
        ("GET", "/players/ann/history", None),
        ("GET", "/players/ann/neighbors", None),
        ("POST", "/battles", {"challenger": "ann"}),
        ("POST", "/battles/b/result", {"outcome": "win"}),
        ("DELETE", "/battles/b", None),
        ("POST", "/results", result),
        ("POST", "/results", [result]),
        ("GET", "/results/r", None),
        ("GET", "/expectation?initiator=ann&opponent=bob", None),
    ):
        response = await client.request(method, f"/ladders/nowhere{path}", json=body)
        assert problem(response) == (404, "unknown_ladder"), path


async def test_a_changed_rule_holds_for_open_battles_in_every_process(
    client: AsyncClient, private: AsyncClient
) -> None:
    private.headers.update(client.headers)
    await join(client, "ann", rating=1500)
    await join(client, "bob", rating=1600)
    battle = (await client.post("/ladders/nft/battles", json={"challenger": "ann"})).json()
    rule = {"rule": {"name": "initiator_k", "scale": 200}}
    assert (await private.put("/ladders/nft", json=rule)).status_code == 200
    for process in (client, private):
        seen = (await process.get(f"/ladders/nft/battles/{battle['id']}")).json()
        assert seen["expected_score"] == pytest.approx(1 / (1 + 10**0.5))
