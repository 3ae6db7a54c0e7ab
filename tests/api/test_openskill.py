"""A ladder under `openskill` over HTTP: the board by mu - 3 sigma, pools by mu, and no K."""

from collections.abc import Callable
from typing import Any

import pytest
from httpx import AsyncClient

from tests.api.conftest import fields, join, problem

pytestmark = pytest.mark.anyio

SKILL = "/ladders/skill"
RESULT = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}


@pytest.fixture
async def skill(client: AsyncClient) -> AsyncClient:
    """A client; the ladder exists."""
    response = await client.put(SKILL, json={"rule": {"name": "openskill"}})
    assert response.status_code == 201, response.text
    return client


@pytest.fixture
async def played(skill: AsyncClient, fold: Callable[[str], int]) -> AsyncClient:
    """Ann has beaten bob."""
    await join(skill, "ann", "bob", ladder="skill")
    assert (await skill.post(f"{SKILL}/results", json=RESULT)).is_success
    fold("skill")
    return skill


async def _standing(client: AsyncClient, player: str) -> dict[str, Any]:
    standing: dict[str, Any] = (await client.get(f"{SKILL}/players/{player}")).json()
    return standing


async def test_a_newcomer_shows_three_sigma_below_the_initial_rating(skill: AsyncClient) -> None:
    await join(skill, "ann", ladder="skill")
    standing = await _standing(skill, "ann")
    wanted = {"rating": 0, "mu": 1500, "sigma": 500, "k": None, "provisional": True, "peak": 0}
    assert {name: standing[name] for name in wanted} == wanted


async def test_a_result_moves_mu_and_sigma_and_the_board_by_both(played: AsyncClient) -> None:
    own, other = (await played.get(f"{SKILL}/results/r")).json()["changes"]
    standing = await _standing(played, "ann")
    assert own["k"] is other["k"] is None
    assert own["mu"]["before"] == 1500
    assert own["mu"]["after"] == standing["mu"] > 1500
    assert own["sigma"] == {"before": 500, "after": standing["sigma"]}
    assert own["after"] == standing["rating"] == standing["mu"] - 3 * standing["sigma"]
    assert own["delta"] == own["after"] - own["before"]
    assert own["mu"]["after"] - 1500 == 1500 - other["mu"]["after"]
    assert (await played.get(f"{SKILL}/players/ann/history")).json()["entries"][0]["sigma"] == own["sigma"]
    board = (await played.get(f"{SKILL}/board")).json()["entries"]
    assert [(row["player"], row["rating"]) for row in board] == [
        ("ann", standing["rating"]),
        ("bob", other["after"]),
    ]


async def test_under_rules_without_a_sigma_nothing_is_said_of_it(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    standing = (await client.get("/ladders/nft/players/ann")).json()
    assert not {"mu", "sigma"} & standing.keys()
    assert "sigma" not in (await client.post("/ladders/nft/battles", json={"challenger": "ann"})).text


async def test_an_expectation_names_no_k_and_moves_the_board_by_what_is_learnt(played: AsyncClient) -> None:
    found = (await played.get(f"{SKILL}/expectation?initiator=ann&opponent=bob")).json()
    assert found["k"] is None
    assert found["expected_score"] > 0.5
    draw = found["outcomes"]["draw"]
    assert found["outcomes"]["win"]["initiator"] > draw["initiator"] > found["outcomes"]["loss"]["initiator"]


async def test_a_battle_shows_what_its_pool_went_by(skill: AsyncClient) -> None:
    await join(skill, "new", ladder="skill")
    await join(skill, "old", ladder="skill", rating=1400, sigma=40, games=100)
    await join(skill, "far", ladder="skill", rating=0, sigma=40)
    response = await skill.post(f"{SKILL}/battles?pool=full", json={"challenger": "new"})
    battle = response.json()
    assert battle["challenger"] == {"player": "new", "name": None, "rating": 1500, "sigma": 500}
    assert battle["opponent"] == {"player": "old", "name": None, "rating": 1520, "sigma": 40}
    assert battle["pool"]["opponents"] == [{"player": "old", "rating": 1520}]
    expected = (await skill.get(f"{SKILL}/expectation?initiator=new&opponent=old")).json()["expected_score"]
    assert battle["expected_score"] == expected < 0.5
    assert (await skill.get(f"{SKILL}/battles/{battle['id']}")).json() == {
        **battle,
        "pool": {name: value for name, value in battle["pool"].items() if name != "opponents"},
    }


async def test_who_comes_from_elsewhere_may_bring_a_sigma(skill: AsyncClient) -> None:
    await join(skill, "ann", ladder="skill", sigma=100)
    await join(skill, "bob", ladder="skill", rating=-20.5)
    ann, bob = await _standing(skill, "ann"), await _standing(skill, "bob")
    assert (ann["rating"], ann["mu"], ann["sigma"], ann["provisional"]) == (1200, 1500, 100, False)
    assert (bob["rating"], bob["mu"], bob["sigma"], bob["provisional"]) == (-20.5, 1479.5, 500, True)


@pytest.mark.parametrize("sigma", [0, -1, 500.5, "100", 1e7])
async def test_a_sigma_that_nobody_can_have_is_refused(skill: AsyncClient, sigma: Any) -> None:
    assert fields(await skill.put(f"{SKILL}/players/ann", json={"sigma": sigma})) == {"sigma"}


async def test_a_sigma_is_refused_where_the_rule_knows_none(client: AsyncClient) -> None:
    assert fields(await client.put("/ladders/nft/players/ann", json={"sigma": 100})) == {"sigma"}


async def test_a_ladder_with_players_keeps_its_kind_of_rule(skill: AsyncClient) -> None:
    await join(skill, "ann", ladder="skill")
    refused = await skill.put(SKILL, json={"rule": {"name": "initiator_k"}})
    assert problem(refused) == (409, "rule_in_use")
    assert "sigma" in refused.json()["detail"]


async def test_a_dispute_lays_out_mu_and_sigma(played: AsyncClient) -> None:
    await played.post(f"{SKILL}/results/r/dispute", json={"player": "bob", "felt": "too_much"})
    (case,) = (await played.get(f"{SKILL}/disputes")).json()["entries"]
    changes = (await played.get(f"{SKILL}/results/r")).json()["changes"]
    for arithmetic, change in zip(case["arithmetic"], changes, strict=True):
        laid = {term["name"]: term["value"] for term in arithmetic["terms"]}
        assert laid["mu_before"] == change["mu"]["before"]
        assert laid["sigma_before"] + laid["sigma_change"] == change["sigma"]["after"]
        assert laid["change"] == change["delta"]


async def test_extreme_players_meet_without_harm(skill: AsyncClient, fold: Callable[[str], int]) -> None:
    await join(skill, "ann", ladder="skill", rating=1_000_000, sigma=0.000001)
    await join(skill, "bob", ladder="skill", rating=-1_000_000)
    for outcome in ("loss", "draw", "win"):
        body = {**RESULT, "id": outcome, "outcome": outcome}
        assert (await skill.post(f"{SKILL}/results", json=body)).status_code == 202
    fold("skill")
    assert (await skill.get(f"{SKILL}/expectation?initiator=ann&opponent=bob")).json()["expected_score"] == 1
    assert (await _standing(skill, "ann"))["games"] == (await _standing(skill, "bob"))["games"] == 3


async def test_an_adjustment_moves_the_board_and_leaves_the_sigma(
    played: AsyncClient, fold: Callable[[str], int]
) -> None:
    before = await _standing(played, "ann")
    body = {"rating": 600.0, "reason": "was mistaken"}
    response = await played.post(f"{SKILL}/players/ann/adjust?wait=0", json=body)
    assert response.is_success, response.text
    fold("skill")
    after = await _standing(played, "ann")
    assert (after["rating"], after["sigma"]) == (600, before["sigma"])
    assert after["mu"] == 600 + 3 * before["sigma"]


async def test_a_free_for_all_is_rated_by_ranks_and_a_team_by_each_members_sigma(
    skill: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(skill, "ann", "bob", "cid", ladder="skill")
    await join(skill, "old", ladder="skill", sigma=100)
    melee = {"id": "melee", "sides": ["ann", "bob", "cid"], "ranks": [1, 2, 3]}
    teams = {"id": "teams", "initiator": ["ann", "old"], "opponent": ["bob", "cid"], "outcome": "win"}
    for body in (melee, teams):
        assert (await skill.post(f"{SKILL}/results", json=body)).status_code == 202
    fold("skill")
    first, second, third = (await skill.get(f"{SKILL}/results/melee")).json()["changes"]
    assert [each["expected"] for each in (first, second, third)] == [0.5, 0.5, 0.5]
    assert first["mu"]["after"] > second["mu"]["after"] > third["mu"]["after"]
    new, old, *_ = (await skill.get(f"{SKILL}/results/teams")).json()["changes"]
    moved = [each["mu"]["after"] - each["mu"]["before"] for each in (new, old)]
    assert moved[0] > 10 * moved[1] > 0
    filed = await skill.post(f"{SKILL}/results/teams/dispute", json={"player": "old", "felt": "too_little"})
    assert filed.is_success, filed.text
    (case,) = (await skill.get(f"{SKILL}/disputes")).json()["entries"]
    terms = {term["name"]: term["value"] for term in case["arithmetic"][1]["terms"]}
    assert terms["side_mu"] == new["mu"]["before"] + old["mu"]["before"]
    assert terms["change"] == old["delta"]
