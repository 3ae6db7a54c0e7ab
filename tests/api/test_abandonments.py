import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from httpx import AsyncClient, Response

from api import gammon_process
from matchmaker.backgammon import engine
from matchmaker.folding import fold_batch
from matchmaker.ladder import Ladder
from matchmaker.rating import MatchLength
from matchmaker.store import ladders
from matchmaker.store.client import Store
from tests.api.conftest import fields, join, problem

pytestmark = pytest.mark.anyio

PATH = "/ladders/backgammon/abandonments"
LEFT = {"id": "m", "initiator": "ann", "opponent": "bob", "leaver": "bob", "length": 5}
OPENING, OPENING_ID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA"

judged = pytest.mark.skipif(not engine.installed(), reason="the optional package bgsage is not installed")


async def leave(client: AsyncClient, query: str = "", **changes: Any) -> Response:
    """The answer to a report of LEFT with changes; None leaves a field out."""
    body = {name: value for name, value in (LEFT | changes).items() if value is not None}
    return await client.post(PATH + query, json=body)


def rule(store: Store, **settings: Any) -> None:
    """Gives the ladder other settings."""
    store.run(ladders.put(Ladder(id="backgammon", rule=MatchLength(), **settings)))


async def test_whoever_leaves_a_match_loses_it_and_the_result_says_so(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    response = await leave(client)
    assert (response.status_code, response.json()) == (202, {"id": "m", "status": "accepted", "points": 1})
    fold("backgammon")
    result = (await client.get("/ladders/backgammon/results/m")).json()
    assert (result["status"], result["outcome"]) == ("rated", "win")
    assert result["details"] == {"length": 5, "abandoned": "opponent", "points": 1}
    assert [change["delta"] > 0 for change in result["changes"]] == [True, False]


async def test_whoever_waits_is_told_what_the_ratings_became(client: AsyncClient, store: Store) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    waiting = asyncio.create_task(leave(client, "?wait=10", leaver="ann", gammon_probability=0.5))
    while not waiting.done():
        await asyncio.to_thread(fold_batch, store, "backgammon")
    answer = waiting.result().json()
    assert (waiting.result().status_code, answer["status"]) == (200, "rated")
    assert (answer["points"], answer["gammon_probability"]) == (2, 0.5)
    assert [change["delta"] > 0 for change in answer["changes"]] == [False, True]


async def test_an_abandoned_match_moves_the_ratings_as_one_that_was_played_out(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob", "cid", "dan", ladder="backgammon")
    await leave(client, gammon_probability=1)
    played = {"id": "p", "initiator": "cid", "opponent": "dan", "outcome": "win", "details": {"length": 5}}
    await client.post("/ladders/backgammon/results", json=played)
    fold("backgammon")
    left, played_out = [
        (await client.get(f"/ladders/backgammon/players/{player}")).json() for player in ("ann", "cid")
    ]
    for number in ("rating", "experience", "games"):
        assert left[number] == played_out[number]


@pytest.mark.parametrize(
    ("probability", "threshold", "points"),
    [(0.19, 0.2, 1), (0.2, 0.2, 2), (0.3, 0.5, 1), (0.0, 0.0, 1), (0.001, 0.0, 2)],
)
async def test_the_probability_that_the_game_gives_is_held_against_the_ladders_threshold(
    client: AsyncClient, store: Store, probability: float, threshold: float, points: int
) -> None:
    rule(store, gammon_threshold=threshold)
    await join(client, "ann", "bob", ladder="backgammon")
    answer = (await leave(client, gammon_probability=probability)).json()
    assert (answer["gammon_probability"], answer["points"]) == (probability, points)


@pytest.mark.parametrize(("leaver", "abandoned"), [("ann", "initiator"), ("initiator", "initiator")])
async def test_the_leaver_is_named_by_its_id_or_by_its_side(
    client: AsyncClient, leaver: str, abandoned: str
) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    await leave(client, leaver=leaver)
    result = (await client.get("/ladders/backgammon/results/m")).json()
    assert (result["outcome"], result["details"]["abandoned"]) == ("loss", abandoned)


async def test_ids_come_before_sides(client: AsyncClient) -> None:
    await join(client, "initiator", "opponent", ladder="backgammon")
    await leave(client, initiator="opponent", opponent="initiator", leaver="opponent")
    assert (await client.get("/ladders/backgammon/results/m")).json()["details"]["abandoned"] == "initiator"


@judged
@pytest.mark.parametrize(
    ("evidence", "leaver", "low", "high", "points"),
    [
        ({"position": OPENING}, "ann", 0.11, 0.14, 1),
        ({"position": OPENING_ID, "on_roll": "ann"}, "ann", 0.11, 0.14, 1),
        ({"position": OPENING_ID, "on_roll": "opponent"}, "ann", 0.13, 0.17, 1),
        # fifteen of the initiator's in the opponent's home, two of the opponent's left; and the mirror
        ({"position": "XGID=-------------------EEE--b-:0:0:1:00:0:0:0:0:10"}, "ann", 0.999, 1, 2),
        ({"position": "XGID=-------------------EEE--b-:0:0:1:00:0:0:0:0:10"}, "bob", 0, 0, 1),
        ({"position": "XGID=-B--eee-------------------:0:0:-1:00:0:0:0:0:10"}, "bob", 0.999, 1, 2),
        # the same with one borne off
        ({"position": "XGID=-------------------EED--b-:0:0:1:00:0:0:0:0:10"}, "ann", 0, 0, 1),
    ],
)
async def test_the_engine_judges_a_position(
    client: AsyncClient, evidence: dict[str, Any], leaver: str, low: float, high: float, points: int
) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    answer = (await leave(client, leaver=leaver, **evidence)).json()
    assert low <= answer["gammon_probability"] <= high
    assert answer["points"] == points


@judged
async def test_the_position_is_kept_as_an_xgid(client: AsyncClient) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    answer = (await leave(client, position=OPENING_ID, on_roll="ann")).json()
    assert (await client.get("/ladders/backgammon/results/m")).json()["details"] == {
        "length": 5,
        "abandoned": "opponent",
        "points": answer["points"],
        "gammon_probability": answer["gammon_probability"],
        "position": OPENING,
    }


@pytest.mark.parametrize("evidence", [{}, {"gammon_probability": 0.3}])
async def test_the_same_report_again_is_a_duplicate_under_whatever_settings(
    client: AsyncClient, store: Store, fold: Callable[[str], int], evidence: dict[str, Any]
) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    first = (await leave(client, **evidence)).json()
    rule(store, gammon_threshold=1)
    fold("backgammon")
    again = await leave(client, leaver="opponent", **evidence)
    assert (again.status_code, again.json()) == (200, first | {"status": "duplicate"})
    assert (await client.get("/ladders/backgammon/players/ann")).json()["games"] == 1


async def test_a_duplicate_is_not_judged_again(
    client: AsyncClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def judge(position: object, loser: object) -> float:
        judgements.append(loser)
        return 0.4

    judgements: list[object] = []
    monkeypatch.setattr(gammon_process, "gammon_probability", judge)
    await join(client, "ann", "bob", ladder="backgammon")
    first = (await leave(client, position=OPENING)).json()
    again = await leave(client, position=OPENING_ID, on_roll="ann")
    assert (again.status_code, again.json()) == (200, first | {"status": "duplicate"})
    assert judgements == ["opponent"]


@pytest.mark.parametrize(
    "other",
    [{"leaver": "ann"}, {"length": 7}, {"gammon_probability": 0.4}, {"opponent": "cid", "leaver": "cid"}],
)
async def test_the_same_id_with_other_content_is_a_conflict(
    client: AsyncClient, other: dict[str, Any]
) -> None:
    await join(client, "ann", "bob", "cid", ladder="backgammon")
    await leave(client, gammon_probability=0.3)
    assert problem(await leave(client, **{"gammon_probability": 0.3} | other)) == (409, "result_conflict")


@pytest.mark.parametrize("details", [{"length": 5}, {"length": 5, "abandoned": "opponent"}])
async def test_a_match_that_was_reported_as_a_result_is_not_abandoned_any_more(
    client: AsyncClient, details: dict[str, Any]
) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    played = {"id": "m", "initiator": "ann", "opponent": "bob", "outcome": "win", "details": details}
    assert (await client.post("/ladders/backgammon/results", json=played)).status_code == 202
    assert problem(await leave(client)) == (409, "result_conflict")


async def test_a_battle_that_was_left_is_settled(client: AsyncClient) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    battle = (await client.post("/ladders/backgammon/battles", json={"challenger": "ann"})).json()["id"]
    assert (await leave(client, id=battle)).status_code == 202
    reported = await client.get(f"/ladders/backgammon/battles/{battle}")
    assert reported.json()["status"] == "reported"


async def test_the_details_of_an_abandoned_match_are_those_of_a_result(client: AsyncClient) -> None:
    await join(client, "ann", "bob", ladder="backgammon")
    await leave(client, gammon_probability=0.3)
    told = (await client.get("/ladders/backgammon/results/m")).json()
    same = {name: told[name] for name in ("id", "initiator", "opponent", "outcome", "details")}
    assert (await client.post("/ladders/backgammon/results", json=same)).json()["status"] == "duplicate"


async def test_ladders_of_another_rule_know_no_abandoned_matches(client: AsyncClient) -> None:
    await join(client, "ann", "bob")
    assert problem(await client.post("/ladders/nft/abandonments", json=LEFT)) == (409, "wrong_rule")


async def test_unknown_ladders_and_players_are_told(client: AsyncClient) -> None:
    await join(client, "ann", ladder="backgammon")
    assert problem(await client.post("/ladders/none/abandonments", json=LEFT)) == (404, "unknown_ladder")
    assert problem(await leave(client)) == (404, "unknown_player")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"leaver": None}, "leaver"),
        ({"leaver": "cid"}, "leaver"),
        ({"opponent": "ann"}, "opponent"),
        ({"length": None}, "length"),
        ({"length": 0}, "length"),
        ({"length": 65}, "length"),
        ({"gammon_probability": 1.01}, "gammon_probability"),
        ({"gammon_probability": -0.01}, "gammon_probability"),
        ({"gammon_probability": "0.3"}, "gammon_probability"),
        ({"gammon_probability": 0.3, "position": OPENING}, "gammon_probability"),
        ({"position": OPENING_ID}, "on_roll"),
        ({"position": OPENING_ID, "on_roll": "cid"}, "on_roll"),
        ({"position": OPENING, "on_roll": "bob"}, "on_roll"),
        ({"position": ""}, "position"),
        ({"position": "x" * 1000}, "position"),
        ({"position": "4HPwATDgc/AB"}, "position"),
        ({"position": "/////////////w", "on_roll": "ann"}, "position"),
        ({"position": "XGID=-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"}, "position"),
        ({"position": "AQAAAAAAAgAAAA", "on_roll": "ann"}, "position"),
        ({"outcome": "win"}, "outcome"),
    ],
)
async def test_what_makes_no_sense_is_refused_by_name(
    client: AsyncClient, changes: dict[str, Any], field: str
) -> None:
    assert fields(await leave(client, **changes)) == {field}


async def test_without_the_engine_a_position_is_not_implemented_and_everything_else_goes_on(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "PACKAGE", "no_such_engine")
    await join(client, "ann", "bob", ladder="backgammon")
    response = await leave(client, position=OPENING)
    assert problem(response) == (501, "engine_missing")
    assert "pip install" in response.json()["detail"]
    assert (await leave(client, gammon_probability=0.3)).json()["points"] == 2


async def test_a_key_must_reach_as_far_as_reporting(public: AsyncClient) -> None:
    assert problem(await leave(public)) == (401, "unauthorized")
