"""Disputes, from the player to the moderator."""

from collections.abc import Callable
from typing import Any

import pytest
from httpx import AsyncClient

from tests.api.conftest import fields, join, problem
from tests.api.test_metrics import scrape, value

pytestmark = pytest.mark.anyio

RESULT = "/ladders/cards/results/r"
FELT = {"player": "bob", "felt": "too_much", "note": "I had no trumps."}
CLOSE = {"player": "bob", "verdict": "dismissed", "note": "Bad luck."}


@pytest.fixture
async def played(client: AsyncClient, fold: Callable[[str], int]) -> AsyncClient:
    """Ann has beaten bob at cards, with bad moves of bob's."""
    await join(client, "ann", "bob", "cid", ladder="cards")
    details = {"initiator": {"won_by_16": 2}, "opponent": {"bad_moves": 5}}
    body = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win", "details": details}
    assert (await client.post("/ladders/cards/results", json=body)).is_success
    fold("cards")
    return client


async def disputes(client: AsyncClient, **query: Any) -> Any:
    response = await client.get("/ladders/cards/disputes", params=query)
    assert response.status_code == 200, response.text
    return response.json()


async def test_a_dispute_comes_to_the_moderators_with_its_arithmetic(played: AsyncClient) -> None:
    filed = await played.post(f"{RESULT}/dispute", json=FELT)
    assert filed.status_code == 200
    assert filed.json() == {"result": "r", **FELT, "at": filed.json()["at"], "status": "open"}
    page = await disputes(played)
    (case,) = page["entries"]
    assert page["total"] == 1
    assert {key: case[key] for key in filed.json()} == filed.json()
    assert (case["initiator"], case["opponent"], case["outcome"]) == ("ann", "bob", "win")
    assert case["result_status"] == "rated"
    rated = (await played.get(RESULT)).json()["changes"]
    for arithmetic, change in zip(case["arithmetic"], rated, strict=True):
        terms = {term["name"] for term in arithmetic["terms"]}
        assert arithmetic["player"] == change["player"]
        assert (arithmetic["before"], arithmetic["after"]) == (change["before"], change["after"])
        assert {"expected_score", "k", "bonus", "bad_moves"} <= terms
        assert arithmetic["terms"][-1]["value"] == change["delta"]


async def test_a_dispute_is_filed_once(played: AsyncClient) -> None:
    first = await played.post(f"{RESULT}/dispute", json=FELT)
    assert (await played.post(f"{RESULT}/dispute", json=FELT)).json() == first.json()
    for other in ({"felt": "wrong_result"}, {"note": "!"}, {"note": None}):
        refused = await played.post(f"{RESULT}/dispute", json=FELT | other)
        assert problem(refused) == (409, "dispute_conflict")
    await played.post(f"{RESULT}/dispute", json={"player": "ann", "felt": "too_little"})
    assert (await disputes(played))["total"] == 2


async def test_a_dispute_that_cannot_be_is_refused(played: AsyncClient) -> None:
    body = {"id": "new", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    await played.post("/ladders/cards/results", json=body)
    waiting = await played.post("/ladders/cards/results/new/dispute", json=FELT)
    assert problem(waiting) == (409, "not_rated")
    unknown = await played.post("/ladders/cards/results/none/dispute", json=FELT)
    assert problem(unknown) == (404, "unknown_result")
    assert fields(await played.post(f"{RESULT}/dispute", json=FELT | {"player": "cid"})) == {"player"}
    assert fields(await played.post(f"{RESULT}/dispute", json={"felt": "cheated"})) == {"player", "felt"}


async def test_a_closed_dispute_says_how_it_ended(played: AsyncClient) -> None:
    await played.post(f"{RESULT}/dispute", json=FELT)
    closed = await played.post(f"{RESULT}/dispute/close", json=CLOSE)
    assert closed.status_code == 200
    assert closed.json()["status"] == "dismissed"
    end = closed.json()["closing"]
    assert end == {"verdict": "dismissed", "note": "Bad luck.", "by": "admin", "at": end["at"]}
    assert (await played.post(f"{RESULT}/dispute/close", json=CLOSE)).json() == closed.json()
    assert (await disputes(played))["total"] == 0
    assert (await disputes(played, status="dismissed"))["entries"][0]["closing"] == end
    other = await played.post(f"{RESULT}/dispute/close", json=CLOSE | {"verdict": "settled"})
    assert problem(other) == (409, "dispute_closed")
    unknown = await played.post(f"{RESULT}/dispute/close", json=CLOSE | {"player": "ann"})
    assert problem(unknown) == (404, "unknown_dispute")


async def test_disputes_are_counted_by_what_was_felt(played: AsyncClient) -> None:
    await played.post(f"{RESULT}/dispute", json=FELT)
    await played.post(f"{RESULT}/dispute", json=FELT)
    await played.post(f"{RESULT}/dispute/close", json=CLOSE)
    await played.post(f"{RESULT}/dispute", json={"player": "ann", "felt": "too_little"})
    samples = await scrape(played)
    filed = {
        felt: value(samples, "disputes_total", ladder="cards", felt=felt)
        for felt in ("too_much", "too_little", "wrong_result")
    }
    assert filed == {"too_much": 1, "too_little": 1, "wrong_result": 0}
    assert value(samples, "open_disputes", ladder="cards") == 1
    assert value(samples, "to_review", ladder="cards") == 2


async def test_who_may_do_what(public: AsyncClient) -> None:
    for call in (
        public.get("/ladders/cards/disputes"),
        public.post(f"{RESULT}/dispute", json=FELT),
        public.post(f"{RESULT}/dispute/close", json=CLOSE),
    ):
        assert problem(await call) == (401, "unauthorized")
