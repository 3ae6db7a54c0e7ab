"""Flags of fair play, as moderators see them."""

from collections.abc import Callable
from functools import partial

import pytest
from httpx import AsyncClient

from matchmaker.reviewing import review_player
from matchmaker.store import flags
from matchmaker.store.client import Store
from tests.api.conftest import fields, join, problem

pytestmark = pytest.mark.anyio

QUEUE = "/ladders/nft/fairplay"
ANN = "/ladders/nft/players/ann/fairplay"
DISMISS = f"{ANN}/linked_accounts/dismiss"
NOTE = {"note": "Sisters, one computer."}


def review_all(store: Store, ladder: str = "nft") -> None:
    """Does the workers' work."""
    for player, seen in store.run(flags.to_review(store.edition(ladder).keys, 1_000)).items():
        store.follow(ladder, partial(review_player, player=player, seen=seen, now=1_800_000_000_000))


@pytest.fixture
async def flagged(client: AsyncClient, store: Store, fold: Callable[[str], int]) -> AsyncClient:
    """Ann and bob belong to the same owner, and have met; cid has met ann too."""
    await client.put("/ladders/nft", json={"rule": {"name": "initiator_k"}, "linked_accounts": "flag"})
    await join(client, "ann", name="Ann", owner="red")
    await join(client, "bob", owner="red")
    await join(client, "cid")
    for number, opponent in enumerate(("bob", "cid")):
        result = {"id": f"r{number}", "initiator": "ann", "opponent": opponent, "outcome": "win"}
        assert (await client.post("/ladders/nft/results", json=result)).is_success
    fold("nft")
    review_all(store)
    return client


async def test_the_queue_holds_the_flags_with_their_evidence(flagged: AsyncClient) -> None:
    page = (await flagged.get(QUEUE)).json()
    assert page["total"] == 2
    ann = next(entry for entry in page["entries"] if entry["player"] == "ann")
    assert ann == {
        "flag": "linked_accounts",
        "player": "ann",
        "name": "Ann",
        "value": 1.0,
        "threshold": 0.0,
        "evidence": ["r0"],
        "sentence": ann["sentence"],
        "since": "2027-01-15T08:00:00Z",
    }
    assert ann["sentence"].startswith("1 of the last 2 results were against accounts of the same owner (1)")


async def test_the_queue_comes_in_pages_and_by_flag(flagged: AsyncClient) -> None:
    page = (await flagged.get(QUEUE, params={"limit": 1, "offset": 1, "flag": "linked_accounts"})).json()
    assert (page["total"], len(page["entries"])) == (2, 1)
    assert (await flagged.get(QUEUE, params={"flag": "runner"})).json() == {"total": 0, "entries": []}
    wrong = await flagged.get(QUEUE, params={"flag": "cheating", "limit": 0, "offset": -1})
    assert fields(wrong) == {"flag", "limit", "offset"}


async def test_a_player_shows_all_indicators_that_have_something_to_say(flagged: AsyncClient) -> None:
    cid = (await flagged.get("/ladders/nft/players/cid/fairplay")).json()
    assert (cid["results"], cid["battles"]) == (1, 0)
    ((indicator),) = cid["indicators"]
    assert (indicator["flag"], indicator["value"], indicator["evidence"]) == ("linked_accounts", 0, [])
    assert not indicator.keys() & {"since", "dismissed"}


async def test_a_dismissed_flag_leaves_the_queue_and_shows_why(flagged: AsyncClient) -> None:
    dismissed = await flagged.post(DISMISS, json=NOTE)
    assert dismissed.status_code == 200
    assert dismissed.json() == {"by": "admin", "at": dismissed.json()["at"], **NOTE}
    assert [each["player"] for each in (await flagged.get(QUEUE)).json()["entries"]] == ["bob"]
    (indicator,) = (await flagged.get(ANN)).json()["indicators"]
    assert indicator["dismissed"] == dismissed.json()
    assert "since" not in indicator


async def test_what_cannot_be_dismissed_is_told(flagged: AsyncClient) -> None:
    unraised = await flagged.post(f"{ANN}/runner/dismiss", json=NOTE)
    assert problem(unraised) == (404, "unknown_flag")
    assert fields(await flagged.post(f"{ANN}/cheating/dismiss", json=NOTE)) == {"flag"}
    assert fields(await flagged.post(DISMISS, json={"note": ""})) == {"note"}
    assert fields(await flagged.post(DISMISS, json={})) == {"note"}


async def test_unknown_players_and_ladders_are_told(client: AsyncClient) -> None:
    assert problem(await client.get(ANN)) == (404, "unknown_player")
    assert problem(await client.get("/ladders/none/fairplay")) == (404, "unknown_ladder")


async def test_only_moderators_see_and_dismiss_flags(public: AsyncClient) -> None:
    for call in (public.get(QUEUE), public.get(ANN), public.post(DISMISS, json=NOTE)):
        assert problem(await call) == (401, "unauthorized")
