import pytest
from httpx import AsyncClient

from matchmaker.apikeys import SCOPES, Scope, make
from matchmaker.store import apikeys
from matchmaker.store.client import Store
from tests.api.conftest import join, problem

pytestmark = pytest.mark.anyio

RESULT = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}
CALLS: tuple[tuple[Scope, str, str, object], ...] = (
    ("read", "GET", "/ladders/nft/board", None),
    ("play", "PUT", "/ladders/nft/players/ann", {}),
    ("play", "POST", "/ladders/nft/battles", {"challenger": "ann"}),
    ("report", "POST", "/ladders/nft/results", RESULT),
    ("report", "DELETE", "/ladders/nft/battles/b", None),
    ("report", "POST", "/ladders/nft/battles/b/result", {"outcome": "win"}),
    ("admin", "PUT", "/ladders/arena", {"rule": {"name": "initiator_k"}}),
    ("admin", "PUT", "/ladders/nft/players/ann", {"rating": 1500}),
    ("admin", "PATCH", "/ladders/nft/players/ann", {"status": "active", "reason": "none"}),
    ("admin", "POST", "/ladders/nft/players/ann/adjust?wait=0", {"shift": 0, "reason": "none"}),
    ("admin", "POST", "/ladders/nft/results/r/annul?wait=0", {"reason": "none"}),
)


def new_key(store: Store, scope: Scope, *ladders: str) -> str:
    key, text = make(b"x" * 30, scope=scope, ladders=ladders, label="", created_at=0)
    store.run(apikeys.create(key))
    return text


async def test_without_a_key_everybody_may_read_and_nothing_else(public: AsyncClient) -> None:
    for scope, method, path, body in CALLS:
        response = await public.request(method, path, json=body)
        if scope == "read":
            assert response.status_code == 200
        else:
            assert problem(response) == (401, "unauthorized")
            assert response.headers["www-authenticate"] == "Bearer"


async def test_a_key_reaches_as_far_as_its_scope(client: AsyncClient, store: Store) -> None:
    await join(client, "ann", "bob")
    for granted in SCOPES:
        client.headers["Authorization"] = f"Bearer {new_key(store, granted)}"
        for needed, method, path, body in CALLS:
            response = await client.request(method, path, json=body)
            allowed = SCOPES.index(granted) >= SCOPES.index(needed)
            assert (response.status_code != 403) == allowed, (granted, path)
            if not allowed:
                assert problem(response) == (403, "forbidden")


async def test_a_key_for_some_ladders_opens_no_other(client: AsyncClient, store: Store) -> None:
    client.headers["Authorization"] = f"Bearer {new_key(store, 'play', 'nft')}"
    assert (await client.put("/ladders/nft/players/ann", json={})).status_code == 201
    assert problem(await client.put("/ladders/cards/players/ann", json={})) == (403, "forbidden")


async def test_a_key_for_some_ladders_reads_what_everybody_reads(client: AsyncClient, store: Store) -> None:
    client.headers["Authorization"] = f"Bearer {new_key(store, 'report', 'nft')}"
    assert (await client.get("/ladders/cards/board")).status_code == 200
    assert len((await client.get("/ladders")).json()) == 3


async def test_where_reading_takes_a_key_it_shows_its_own_ladders_only(
    private: AsyncClient, client: AsyncClient, store: Store
) -> None:
    private.headers["Authorization"] = f"Bearer {new_key(store, 'read', 'nft')}"
    assert [ladder["id"] for ladder in (await private.get("/ladders")).json()] == ["nft"]
    assert problem(await private.get("/ladders/cards/board")) == (403, "forbidden")


async def test_a_revoked_key_opens_nothing_from_that_moment(client: AsyncClient, store: Store) -> None:
    text = new_key(store, "play")
    client.headers["Authorization"] = f"Bearer {text}"
    assert (await client.put("/ladders/nft/players/ann", json={})).status_code == 201
    store.run(apikeys.revoke(text.split("_")[1]))
    assert problem(await client.put("/ladders/nft/players/bob", json={})) == (401, "unauthorized")


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer nonsense", "Basic abc", "the-admin-key", "Bearer mm_00_00"]
)
async def test_a_header_that_is_no_valid_key_is_refused_also_for_reading(
    public: AsyncClient, header: str
) -> None:
    response = await public.get("/ladders/nft/board", headers={"Authorization": header})
    assert problem(response) == (401, "unauthorized")


async def test_reading_can_be_closed_to_the_public(private: AsyncClient, store: Store) -> None:
    assert problem(await private.get("/ladders")) == (401, "unauthorized")
    private.headers["Authorization"] = f"Bearer {new_key(store, 'read')}"
    assert (await private.get("/ladders")).status_code == 200


async def test_health_needs_no_key(private: AsyncClient) -> None:
    for path in ("healthz", "readyz", "metrics"):
        assert (await private.get(f"http://test/{path}")).status_code == 200
