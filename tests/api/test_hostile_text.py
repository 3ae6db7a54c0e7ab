"""Ids and bodies that are meant to break things."""

from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from urllib.parse import quote

import pytest
from httpx import AsyncClient

from tests.api.conftest import fields, problem

pytestmark = pytest.mark.anyio

STRANGE = (
    "a:b",
    "{nft}",
    "{player}",
    "{}",
    "mm:{nft}:ratings",
    "100%",
    "%2F",
    "with space",
    "Женя",
    "🐉",
    "👩‍👩‍👧",
    "<script>alert(1)",
    "'; DROP TABLE",
    "...",
    "0",
    "-",
    "+inf",
    "(",
    "x" * 128,
)


async def test_strange_ids_are_ids_everywhere(client: AsyncClient, fold: Callable[[str], int]) -> None:
    for player in STRANGE:
        response = await client.put(f"/ladders/nft/players/{quote(player, safe='')}", json={"owner": player})
        assert response.status_code == 201, player
        assert response.json()["player"] == player
    pairs = list(pairwise(STRANGE))
    results = [
        {"id": initiator, "initiator": initiator, "opponent": opponent, "outcome": "win"}
        for initiator, opponent in pairs
    ]
    assert (await client.post("/ladders/nft/results", json=results)).json()["accepted"] == len(pairs)
    fold("nft")
    board = (await client.get("/ladders/nft/board")).json()
    assert {row["player"] for row in board["entries"]} == set(STRANGE)
    for player in STRANGE[:-1]:
        path = quote(player, safe="")
        assert (await client.get(f"/ladders/nft/results/{path}")).json()["status"] == "rated"
        assert (await client.get(f"/ladders/nft/players/{path}/history")).json()["entries"]
        battle = await client.post("/ladders/nft/battles", json={"challenger": player})
        assert battle.json()["opponent"]["player"] != player


@pytest.mark.parametrize(
    "player",
    [
        "",
        "x" * 129,
        "x" * 10_000,
        " a",
        "a ",
        "a\x00b",
        "a\nb",
        "a\u202eb",
        "e\u0301",
        "a\u00a0b",
        "\ufffe",
        "a/b",
        ".",
        "..",
    ],
)
async def test_bad_ids_are_refused_in_bodies(client: AsyncClient, player: str) -> None:
    result = {"id": "r", "initiator": player, "opponent": "bob", "outcome": "win"}
    assert fields(await client.post("/ladders/nft/results", json=result)) == {"initiator"}
    assert fields(await client.post("/ladders/nft/battles", json={"challenger": player})) == {"challenger"}


@pytest.mark.parametrize("path", ["%ff", "%00", "%20a", "a%0Ab", "e%CC%81", "x" * 129])
async def test_bad_ids_are_refused_in_addresses(client: AsyncClient, path: str) -> None:
    assert fields(await client.put(f"/ladders/nft/players/{path}", json={})) == {"player"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"3",
        b'"text"',
        b"{",
        b"\xff\xfe",
        b'{"outcome": NaN}',
        b'{"id": "\\ud800", "initiator": "a", "opponent": "b", "outcome": "win"}',
        b'{"id": "r", "initiator": "a", "opponent": "b", "outcome": "win", "\\ud800": 1}',
        b'{"id": 7, "initiator": "a", "opponent": "b", "outcome": "win"}',
        b'{"id": "r", "initiator": "a", "opponent": "b", "outcome": "WIN"}',
        b'{"id": "r", "initiator": "a", "opponent": "a", "outcome": "win"}',
        b'{"id": "r", "initiator": "a", "opponent": "b", "outcome": "win", "details": [1]}',
        b'{"id": "r", "initiator": "a", "opponent": "b", "outcome": "win", "played_at": 5}',
        b'{"id": "r", "initiator": "a", "opponent": "b", "outcome": "win", "played_at": "2026-01-01"}',
        b'{"id": "r", "initiator": "a", "opponent": "b", "outcome": "win", "played_at": "2026-01-01T00:00"}',
        b'{"id": "r", "initiator": "a", "opponent": "b", "outcome": "win", "played_at": "1784484000"}',
        b'{"id": "r", "initiator": "a", "opponent": "b", "outcome": "win", "played_at": "2026-01-01 00:00Z"}',
        b"[" * 100_000,
        b'{"x": ' + b"9" * 5000 + b"}",
    ],
)
async def test_bodies_that_make_no_sense_are_client_errors(client: AsyncClient, body: bytes) -> None:
    response = await client.post(
        "/ladders/nft/results", content=body, headers={"Content-Type": "application/json"}
    )
    status, _ = problem(response)
    assert status in (400, 422)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "true", '"1500"', "null"])
async def test_only_finite_numbers_are_numbers(client: AsyncClient, number: str) -> None:
    response = await client.put(
        "/ladders/arena",
        content=f'{{"rule": {{"name": "initiator_k"}}, "initial_rating": {number}}}',
        headers={"Content-Type": "application/json"},
    )
    assert fields(response) == {"initial_rating"}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "true", "-1", "1.5", '"3"', "1" * 400])
async def test_counts_in_details_are_whole_numbers(client: AsyncClient, number: str) -> None:
    body = (
        '{"id": "r", "initiator": "a", "opponent": "b", "outcome": "win",'
        f'"details": {{"initiator": {{"bad_moves": {number}}}}}}}'
    )
    response = await client.post(
        "/ladders/cards/results", content=body, headers={"Content-Type": "application/json"}
    )
    assert fields(response) == {"details.initiator.bad_moves"}


async def test_a_body_with_a_hundred_thousand_faults_is_told_of_a_few(client: AsyncClient) -> None:
    response = await client.put("/ladders/nft/players/ann", json={f"x{n}": 0 for n in range(80_000)})
    assert problem(response) == (422, "invalid")
    assert len(response.json()["errors"]) == 20
    response = await client.put("/ladders/nft/players/ann", json={"x" * 500_000: 0})
    assert len(response.content) < 2_000


async def test_a_body_over_one_mebibyte_is_too_large(client: AsyncClient) -> None:
    for content in (b"x" * (1024 * 1024 + 1), _chunks()):
        response = await client.post(
            "/ladders/nft/results", content=content, headers={"Content-Type": "application/json"}
        )
        assert problem(response) == (413, "content_too_large")


async def test_a_byte_order_mark_before_the_body_is_ignored(client: AsyncClient) -> None:
    """Some libraries write it by themselves; RFC 8259 lets us."""
    response = await client.put(
        "/ladders/nft/players/ann", content=b"\xef\xbb\xbf{}", headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 201


async def _chunks() -> AsyncIterator[bytes]:
    for _ in range(1025):
        yield b" " * 1024


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=1001",
        "limit=x",
        "offset=-1",
        "offset=1e3",
        "viewer=",
        "viewer=a%00",
        "limit=1&limit=0",
    ],
)
async def test_bad_parameters_are_named(client: AsyncClient, query: str) -> None:
    assert len(fields(await client.get(f"/ladders/nft/board?{query}"))) == 1


@pytest.mark.parametrize("wait", ["nan", "inf", "-1", "11", "soon"])
async def test_a_wait_is_a_number_of_seconds_up_to_ten(client: AsyncClient, wait: str) -> None:
    result = {"id": "r", "initiator": "a", "opponent": "b", "outcome": "win"}
    assert fields(await client.post(f"/ladders/nft/results?wait={wait}", json=result)) == {"wait"}
