"""Every answer is the same before and after archiving."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient

from matchmaker.archiving import archive_all
from matchmaker.config import Settings
from matchmaker.endpoints import ARCHIVE_DIRECTORY
from matchmaker.endpoints import archive as archive_of
from matchmaker.folding import fold_all
from matchmaker.store.client import Store
from matchmaker.timestamps import DAY_MS
from tests.api.conftest import join, problem

Fold = Callable[[str], int]

HOSTILE = "'; return 1 --"
PATHS = (
    *(f"players/{player}/history" for player in ("ann", "bob", HOSTILE)),
    *(f"results/{result}" for result in ("r0", "r1", "team", HOSTILE)),
    *(f"players/{player}/fairplay" for player in ("ann", "bob")),
    "disputes",
    "disputes?status=settled",
    "fairplay",
    "board",
    "players/bob",
)


@pytest.fixture
def archiving(settings: Settings, store: Store) -> Store:
    """The store, with the archive of these settings."""
    return Store(store.client, archive=archive_of(settings))


@pytest.fixture
def archived(settings: Settings, archiving: Store) -> Callable[[], Path]:
    """Archives all of ladder `arena`, as if it were the day after tomorrow; where the files lie."""

    def archive() -> Path:
        later = time.time_ns() // 1_000_000 + 2 * DAY_MS
        assert list(archive_all(archiving, "arena", later))
        assert archiving.client.execute_command("XLEN", archiving.edition("arena").keys.log) == 1
        return settings.data_dir / ARCHIVE_DIRECTORY

    return archive


@pytest.fixture
async def arena(client: AsyncClient, fold: Fold) -> AsyncClient:
    """A ladder that keeps a day, on which something of everything has happened."""
    settings = {"rule": {"name": "initiator_k"}, "keep_days": 1}
    assert (await client.put("/ladders/arena", json=settings)).is_success
    await join(client, "ann", "bob", HOSTILE, ladder="arena")
    results: list[dict[str, Any]] = [
        {"id": f"r{n}", "initiator": "ann", "opponent": "bob", "outcome": "win"} for n in range(30)
    ]
    results.append({"id": "team", "initiator": ["ann", HOSTILE], "opponent": "bob", "outcome": "loss"})
    results.append({"id": HOSTILE, "initiator": HOSTILE, "opponent": "bob", "outcome": "draw"})
    assert (await client.post("/ladders/arena/results", json=results)).json()["accepted"] == 32
    fold("arena")
    await _act(client, "results/r0/annul", reason="arranged")
    await _act(client, "players/bob/adjust", shift=3, reason="mistaken", id="once")
    for status in ("suspended", "active"):
        body = {"status": status, "reason": "cheats"}
        assert (await client.patch("/ladders/arena/players/bob", json=body)).is_success
    await _act(client, "results/r1/dispute", player="bob", felt="too_much")
    await _act(client, "results/r2/dispute", player="bob", felt="too_much")
    await _act(client, "results/r2/dispute/close", player="bob", verdict="settled", note="so be it")
    last = {"id": "last", "initiator": "bob", "opponent": "ann", "outcome": "win"}
    assert (await client.post("/ladders/arena/results?wait=0", json=last)).is_success
    fold("arena")
    return client


async def _act(client: AsyncClient, path: str, **body: Any) -> None:
    wait = "" if "dispute" in path else "?wait=0"
    response = await client.post(f"/ladders/arena/{path}{wait}", json=body)
    assert response.is_success, response.text


async def answers(client: AsyncClient) -> dict[str, Any]:
    found = {path: await client.get(f"/ladders/arena/{path}") for path in PATHS}
    assert {response.status_code for response in found.values()} == {200}
    return {path: response.json() for path, response in found.items()}


async def test_every_answer_is_the_same(arena: AsyncClient, archived: Callable[[], Path]) -> None:
    before = await answers(arena)
    archived()
    assert await answers(arena) == before


async def test_what_is_archived_can_still_be_acted_upon(
    arena: AsyncClient, archived: Callable[[], Path], archiving: Store
) -> None:
    archived()
    again = {"id": "r5", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    repeated = await arena.post("/ladders/arena/results", json=again)
    assert (repeated.status_code, repeated.json()["status"]) == (200, "duplicate")
    await _act(arena, "results/r5/dispute", player="bob", felt="wrong_result")
    await _act(arena, "results/r5/annul", reason="it was the other one")
    fold_all(archiving, "arena")
    assert (await arena.get("/ladders/arena/results/r5")).json()["status"] == "annulled"
    rating = (await arena.get("/ladders/arena/players/bob")).json()["rating"]
    await _act(arena, "players/bob/adjust", shift=3, reason="mistaken", id="once")
    fold_all(archiving, "arena")
    assert (await arena.get("/ladders/arena/players/bob")).json()["rating"] == rating


async def test_a_lost_file_is_a_clear_503_and_the_rest_goes_on(
    arena: AsyncClient, archived: Callable[[], Path], fold: Fold
) -> None:
    for file in archived().rglob("*.parquet"):
        file.unlink()
    response = await arena.get("/ladders/arena/results/r3")
    assert problem(response) == (503, "archive_unavailable")
    assert "log/ladder=arena/" in response.json()["detail"]
    refused = await arena.post("/ladders/arena/results/r3/annul?wait=0", json={})
    assert problem(refused) == (503, "archive_unavailable"), "else the fold would wait for the file"
    new = {"id": "new", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    assert (await arena.post("/ladders/arena/results?wait=0", json=new)).status_code == 202
    fold("arena")
    assert (await arena.get("/ladders/arena/results/new")).json()["status"] == "rated"
    assert (await arena.get("/ladders/arena/board")).status_code == 200
