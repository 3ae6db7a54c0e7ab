from collections.abc import Callable
from typing import Any

import pytest
from httpx import AsyncClient

from matchmaker.store.client import Store
from tests.api.conftest import fields, join, problem
from tests.api.test_access import new_key

pytestmark = pytest.mark.anyio

Fold = Callable[[str], int]

NFT = "/ladders/nft"
ANN = f"{NFT}/players/ann"
ANNUL = f"{NFT}/results/r/annul"
WHY = {"reason": "Was arranged."}
SUSPENDED = {"status": "suspended", **WHY}


@pytest.fixture
async def duel(client: AsyncClient, fold: Fold) -> AsyncClient:
    """Ann has beaten Bob; Cid looks on."""
    await join(client, "ann", "bob", "cid")
    result = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    await client.post(f"{NFT}/results", json=result)
    fold("nft")
    return client


async def board(client: AsyncClient) -> dict[str, float]:
    entries = (await client.get(f"{NFT}/board")).json()["entries"]
    return {row["player"]: row["rating"] for row in entries}


async def test_an_annulled_result_is_taken_back_and_says_who_did_it_and_why(
    duel: AsyncClient, fold: Fold
) -> None:
    waits = await duel.post(ANNUL, params={"wait": 0}, json=WHY)
    assert (waits.status_code, waits.json()["status"]) == (202, "rated")
    fold("nft")
    response = await duel.post(ANNUL, json={"reason": "Another one."})
    assert (response.status_code, response.json()["status"]) == (200, "annulled")
    assert await board(duel) == {"ann": 1500, "bob": 1500, "cid": 1500}
    record = (await duel.get(f"{NFT}/results/r")).json()
    assert record.items() >= response.json().items()
    assert record["annulment"].items() >= {"by": "admin", "reason": "Was arranged."}.items()
    assert record["changes"][0]["after"] == 1520, "what was taken back can still be seen"


async def test_both_histories_show_the_result_as_annulled(duel: AsyncClient, fold: Fold) -> None:
    await duel.post(ANNUL, params={"wait": 0}, json=WHY)
    fold("nft")
    for player in ("ann", "bob"):
        (entry,) = (await duel.get(f"{NFT}/players/{player}/history")).json()["entries"]
        assert (entry["status"], entry["annulment"]["reason"]) == ("annulled", "Was arranged.")


async def test_an_annulled_result_that_is_reported_again_is_a_duplicate(
    duel: AsyncClient, fold: Fold
) -> None:
    await duel.post(ANNUL, params={"wait": 0}, json=WHY)
    fold("nft")
    result = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    again = await duel.post(f"{NFT}/results", params={"wait": 1}, json=result)
    assert (again.status_code, again.json()["status"]) == (200, "duplicate")
    assert (await board(duel))["ann"] == 1500


@pytest.mark.parametrize(
    ("body", "after"), [({"rating": 1400}, 1400.0), ({"shift": -20.25}, 1499.75), ({"rating": 0}, 0.0)]
)
async def test_an_adjusted_rating_stands_in_the_history_with_its_reason(
    duel: AsyncClient, fold: Fold, body: dict[str, Any], after: float
) -> None:
    waits = await duel.post(f"{ANN}/adjust", params={"wait": 0}, json={**body, **WHY})
    assert waits.status_code == 202
    fold("nft")
    assert (await duel.get(ANN)).json()["rating"] == after
    history = (await duel.get(f"{ANN}/history")).json()
    (measure,) = history["moderation"]
    assert measure.pop("at").endswith("Z")
    assert measure == {"kind": "adjust", "by": "admin", "before": 1520, "after": after, **WHY}
    assert len(history["entries"]) == 1


async def test_a_shift_counts_as_often_as_it_is_sent_but_once_if_it_has_an_id(
    duel: AsyncClient, fold: Fold
) -> None:
    for body in ({}, {}, {"id": "one"}, {"id": "one"}, {"id": "another"}):
        await duel.post(f"{ANN}/adjust", params={"wait": 0}, json={"shift": -10, **WHY, **body})
    fold("nft")
    assert (await duel.get(ANN)).json()["rating"] == 1520 - 4 * 10


async def test_an_adjustments_id_with_other_content_is_a_conflict(duel: AsyncClient, fold: Fold) -> None:
    shift = {"shift": -10, "id": "one", **WHY}
    await duel.post(f"{ANN}/adjust?wait=0", json=shift)
    for other in ({"shift": -20}, {"reason": "Another one."}):
        response = await duel.post(f"{ANN}/adjust", json=shift | other)
        assert problem(response) == (409, "adjustment_conflict")
    assert (await duel.post(f"{NFT}/players/bob/adjust?wait=0", json=shift)).is_success
    fold("nft")
    assert (await duel.get(ANN)).json()["rating"] == 1510
    assert (await duel.get(f"{NFT}/players/bob")).json()["rating"] == 1470


async def test_a_rating_is_adjusted_to_what_the_rule_can_hold(client: AsyncClient, fold: Fold) -> None:
    await join(client, "ann", ladder="cards")
    await client.post("/ladders/cards/players/ann/adjust?wait=0", json={"rating": 1234.4, **WHY})
    fold("cards")
    assert (await client.get("/ladders/cards/players/ann")).json()["rating"] == 1234


async def test_a_suspended_player_is_off_the_kept_board_at_once_and_comes_back(duel: AsyncClient) -> None:
    assert (await board(duel)).keys() == {"ann", "bob", "cid"}
    response = await duel.patch(ANN, json=SUSPENDED)
    assert response.status_code == 200
    standing = response.json()
    assert (standing["status"], standing["rank"], standing["rating"]) == ("suspended", None, 1520)
    assert (await board(duel)).keys() == {"bob", "cid"}
    assert (await duel.patch(ANN, json=SUSPENDED)).json() == standing
    back = await duel.patch(ANN, json={"status": "active", "reason": "Has learnt from it."})
    assert (back.json()["status"], back.json()["rank"]) == ("active", 1)
    assert (await board(duel))["ann"] == 1520
    kinds = [each["kind"] for each in (await duel.get(f"{ANN}/history")).json()["moderation"]]
    assert kinds == ["reinstate", "suspend"]


async def test_a_suspended_player_is_drawn_by_nobody_and_draws_nobody(duel: AsyncClient) -> None:
    await duel.post(f"{NFT}/battles", json={"challenger": "ann"})
    for player in ("ann", "bob"):
        await duel.patch(f"{NFT}/players/{player}", json=SUSPENDED)
    refused = await duel.post(f"{NFT}/battles", json={"challenger": "ann"})
    assert problem(refused) == (409, "suspended")
    assert problem(await duel.post(f"{NFT}/battles", json={"challenger": "cid"})) == (409, "no_opponent")


async def test_the_open_battle_of_a_suspended_player_still_counts(duel: AsyncClient, fold: Fold) -> None:
    battle = (await duel.post(f"{NFT}/battles", json={"challenger": "ann"})).json()
    await duel.patch(ANN, json=SUSPENDED)
    response = await duel.post(f"{NFT}/battles/{battle['id']}/result", json={"outcome": "loss"})
    assert response.status_code == 202
    fold("nft")
    assert "ann" not in await board(duel)
    assert (await duel.get(ANN)).json()["losses"] == 1


async def test_no_other_way_of_writing_brings_a_suspended_player_back(duel: AsyncClient, fold: Fold) -> None:
    await duel.patch(ANN, json=SUSPENDED)
    await duel.put(ANN, json={"name": "Ann"})
    refused = await duel.put(ANN, json={"rating": 1600})
    assert problem(refused) == (409, "already_joined")
    await duel.post(
        f"{NFT}/results", json={"id": "s", "initiator": "bob", "opponent": "ann", "outcome": "win"}
    )
    await duel.post(f"{ANN}/adjust", params={"wait": 0}, json={"rating": 1700, **WHY})
    await duel.post(ANNUL, params={"wait": 0}, json=WHY)
    fold("nft")
    assert (await board(duel)).keys() == {"bob", "cid"}
    assert (await duel.get(ANN)).json()["status"] == "suspended"


async def test_a_measure_names_the_key_that_took_it(duel: AsyncClient, store: Store) -> None:
    moderator = new_key(store, "admin")
    await duel.patch(ANN, json=SUSPENDED, headers={"Authorization": f"Bearer {moderator}"})
    (measure,) = (await duel.get(f"{ANN}/history")).json()["moderation"]
    assert measure["by"] == moderator.split("_")[1]


async def test_what_is_not_there_is_not_moderated(client: AsyncClient) -> None:
    assert problem(await client.post(ANNUL, json=WHY)) == (404, "unknown_result")
    assert problem(await client.patch(ANN, json=SUSPENDED)) == (404, "unknown_player")
    assert problem(await client.post(f"{ANN}/adjust", json={"rating": 1, **WHY})) == (404, "unknown_player")
    gone = await client.patch("/ladders/none/players/ann", json=SUSPENDED)
    assert problem(gone) == (404, "unknown_ladder")


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/results/r/annul", {"reason": ""}, "reason"),
        ("/results/r/annul", {"reason": "x" * 501}, "reason"),
        ("/results/r/annul", {"reason": "a\nb"}, "reason"),
        ("/players/ann/adjust", {"rating": 1500}, "reason"),
        ("/players/ann/adjust", WHY, "shift"),
        ("/players/ann/adjust", {"rating": 1500, "shift": 5, **WHY}, "shift"),
        ("/players/ann/adjust", {"rating": 2e6, **WHY}, "rating"),
        ("/players/ann/adjust", {"rating": "1500", **WHY}, "rating"),
        ("/players/ann", {"status": "gone", **WHY}, "status"),
        ("/players/ann", {**SUSPENDED, "name": "Ann"}, "name"),
    ],
)
async def test_bad_input_names_its_field_and_changes_nothing(
    duel: AsyncClient, store: Store, path: str, body: dict[str, Any], field: str
) -> None:
    before = store.client.execute_command("XLEN", "mm:{nft}:log")
    method = "PATCH" if path == "/players/ann" else "POST"
    assert fields(await duel.request(method, f"{NFT}{path}", json=body)) == {field}
    assert store.client.execute_command("XLEN", "mm:{nft}:log") == before


async def test_why_may_be_left_out_where_the_act_speaks(duel: AsyncClient) -> None:
    assert (await duel.post(ANNUL, params={"wait": 0})).status_code == 202
    suspended = await duel.patch(ANN, json={"status": "suspended"})
    assert suspended.json()["status"] == "suspended"
