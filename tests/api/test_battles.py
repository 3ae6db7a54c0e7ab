import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from httpx import AsyncClient

from api.engine import Engine
from tests.api.conftest import join, problem

pytestmark = pytest.mark.anyio

BATTLES = "/ladders/nft/battles"


async def ask(client: AsyncClient, challenger: str = "ann", **body: Any) -> dict[str, Any]:
    response = await client.post(BATTLES, json={"challenger": challenger} | body)
    assert response.status_code == 201, response.text
    battle: dict[str, Any] = response.json()
    return battle


async def status(client: AsyncClient, battle: dict[str, Any]) -> str:
    return str((await client.get(f"{BATTLES}/{battle['id']}")).json()["status"])


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Puts the application's clock forward by so many seconds."""
    now = Engine.now

    def put_forward(seconds: int) -> None:
        monkeypatch.setattr(Engine, "now", lambda self: now(self) + seconds * 1000)

    return put_forward


async def test_a_challenger_gets_an_opponent_and_is_told_the_odds(client: AsyncClient) -> None:
    await join(client, "ann", name="Ann", rating=1500)
    await join(client, "bob", name="Bob", rating=1600)
    battle = await ask(client)
    assert battle["status"] == "open"
    assert battle["challenger"] == {"player": "ann", "name": "Ann", "rating": 1500}
    assert battle["opponent"] == {"player": "bob", "name": "Bob", "rating": 1600}
    assert battle["expected_score"] == pytest.approx(0.359935000197115)
    assert battle["pool"] == {
        "size": 1,
        "below": 0,
        "above": 1,
        "low": 1600,
        "high": 1600,
        "deviation": 100,
    }
    times = [datetime.fromisoformat(battle[name]) for name in ("created_at", "expires_at")]
    assert (times[1] - times[0]).total_seconds() == 3600
    assert (await client.get(f"{BATTLES}/{battle['id']}")).json() == battle


async def test_the_full_pool_lists_everybody_who_might_have_been_drawn(client: AsyncClient) -> None:
    for number in range(60):
        await join(client, f"p{number:02}", rating=1400 + 4 * number)
    response = await client.post(f"{BATTLES}?pool=full", json={"challenger": "p30"})
    pool = response.json()["pool"]
    ratings = {each["player"]: each["rating"] for each in pool["opponents"]}
    assert (pool["size"], pool["below"], pool["above"], len(ratings)) == (30, 15, 15, 30)
    assert sum(rating < 1520 for rating in ratings.values()) == 15
    assert (pool["low"], pool["high"]) == (min(ratings.values()), max(ratings.values()))
    assert response.json()["opponent"]["player"] in ratings
    again = await client.post(f"{BATTLES}?pool=full", json={"challenger": "p30"})
    assert (again.status_code, again.json()) == (200, response.json())


async def test_asking_again_gives_the_same_battle_until_it_is_over(client: AsyncClient) -> None:
    await join(client, "ann", *(f"p{number}" for number in range(20)))
    battle = await ask(client)
    again = await client.post(BATTLES, json={"challenger": "ann"})
    assert (again.status_code, again.json()) == (200, battle)
    await client.post(f"{BATTLES}/{battle['id']}/result", json={"outcome": "win"})
    assert (await ask(client))["id"] != battle["id"]


async def test_asking_many_times_at_once_makes_one_battle(client: AsyncClient) -> None:
    await join(client, "ann", *(f"p{number}" for number in range(20)))
    responses = await asyncio.gather(*(client.post(BATTLES, json={"challenger": "ann"}) for _ in range(8)))
    assert sorted(response.status_code for response in responses) == [200] * 7 + [201]
    assert len({response.json()["id"] for response in responses}) == 1


async def test_a_battle_goes_from_open_to_reported_to_rated(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob")
    battle = await ask(client)
    assert await status(client, battle) == "open"
    response = await client.post(f"{BATTLES}/{battle['id']}/result", json={"outcome": "loss"})
    assert (response.status_code, response.json()) == (202, {"id": battle["id"], "status": "accepted"})
    assert await status(client, battle) == "reported"
    fold("nft")
    assert await status(client, battle) == "rated"
    result = (await client.get(f"/ladders/nft/results/{battle['id']}")).json()
    assert [(each["player"], each["after"]) for each in result["changes"]] == [("ann", 1480), ("bob", 1520)]


async def test_a_battle_takes_one_result(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    path = f"{BATTLES}/{(await ask(client))['id']}/result"
    responses = await asyncio.gather(*(client.post(path, json={"outcome": "win"}) for _ in range(4)))
    assert sorted(response.status_code for response in responses) == [200, 200, 200, 202]
    assert problem(await client.post(path, json={"outcome": "loss"})) == (409, "result_conflict")


async def test_an_expired_battle_takes_no_result_and_makes_room(
    client: AsyncClient, later: Callable[[int], None]
) -> None:
    await join(client, "ann", "bob")
    battle = await ask(client)
    later(3601)
    assert await status(client, battle) == "expired"
    path = f"{BATTLES}/{battle['id']}"
    assert problem(await client.post(f"{path}/result", json={"outcome": "win"})) == (410, "battle_expired")
    assert problem(await client.delete(path)) == (410, "battle_expired")
    assert (await ask(client))["id"] != battle["id"]


async def test_a_report_that_was_in_time_may_be_repeated_too_late(
    client: AsyncClient, later: Callable[[int], None]
) -> None:
    await join(client, "ann", "bob")
    path = f"{BATTLES}/{(await ask(client))['id']}/result"
    await client.post(path, json={"outcome": "win"})
    later(3601)
    assert (await client.post(path, json={"outcome": "win"})).json()["status"] == "duplicate"


async def test_a_cancelled_battle_takes_no_result_and_makes_room(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    battle = await ask(client)
    path = f"{BATTLES}/{battle['id']}"
    for _ in range(2):
        response = await client.delete(path)
        assert (response.status_code, response.content) == (204, b"")
    assert await status(client, battle) == "cancelled"
    assert problem(await client.post(f"{path}/result", json={"outcome": "win"})) == (410, "battle_cancelled")
    assert (await ask(client))["id"] != battle["id"]


async def test_a_reported_battle_cannot_be_cancelled(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    path = f"{BATTLES}/{(await ask(client))['id']}"
    await client.post(f"{path}/result", json={"outcome": "win"})
    assert problem(await client.delete(path)) == (409, "battle_reported")


async def test_nobody_meets_itself_its_owners_other_fighters_or_the_excluded(client: AsyncClient) -> None:
    await join(client, "ann", "twin", owner="studio")
    await join(client, "bob", owner="other")
    assert problem(await client.post(BATTLES, json={"challenger": "ann", "exclude": ["bob"]})) == (
        409,
        "no_opponent",
    )
    assert (await ask(client))["opponent"]["player"] == "bob"


async def test_nobody_in_reach_is_a_conflict_that_says_how_far_the_nearest_is(client: AsyncClient) -> None:
    await join(client, "ann", rating=1500)
    alone = await client.post(BATTLES, json={"challenger": "ann"})
    assert problem(alone) == (409, "no_opponent")
    assert "no candidate at all" in alone.json()["detail"]
    await join(client, "bob", rating=1620.5)
    far = await client.post(BATTLES, json={"challenger": "ann"})
    assert "120.5 points away" in far.json()["detail"]
    assert (far.json()["nearest"], "nearest" in alone.json()) == (120.5, False)


async def test_a_changed_owner_between_battle_and_result_changes_nothing(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", owner="studio")
    await join(client, "bob", owner="other")
    battle = await ask(client)
    await join(client, "bob", owner="studio")
    response = await client.post(f"{BATTLES}/{battle['id']}/result", json={"outcome": "win"})
    assert response.status_code == 202
    fold("nft")
    assert (await client.get("/ladders/nft/players/bob")).json()["rating"] == 1480


async def test_unknown_challengers_and_battles_are_404(client: AsyncClient) -> None:
    assert problem(await client.post(BATTLES, json={"challenger": "zed"})) == (404, "unknown_player")
    assert problem(await client.get(f"{BATTLES}/nothing")) == (404, "unknown_battle")
    assert problem(await client.delete(f"{BATTLES}/nothing")) == (404, "unknown_battle")
    response = await client.post(f"{BATTLES}/nothing/result", json={"outcome": "win"})
    assert problem(response) == (404, "unknown_battle")
