"""The application on the session's server, and what tests of it need to say."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient, Response

from api.app import create_app
from matchmaker.config import Settings
from matchmaker.folding import fold_all
from matchmaker.presets import PRESETS
from matchmaker.store import ladders
from matchmaker.store.client import Store

ADMIN = "the-admin-key"


@pytest.fixture
def settings(clean_store: str, tmp_path: Path) -> Settings:
    return Settings(store_url=clean_store, data_dir=tmp_path, admin_key=ADMIN)


@pytest.fixture
async def public(settings: Settings, store: Store) -> AsyncIterator[AsyncClient]:
    """A client without a key; the preset ladders exist."""
    for ladder in PRESETS:
        store.run(ladders.announce(ladder.id))
        store.run(ladders.put(ladder))
    app = create_app(settings)
    async with (
        app.router.lifespan_context(app),
        AsyncClient(transport=ASGITransport(app), base_url="http://test/v1") as client,
    ):
        yield client


@pytest.fixture
async def client(public: AsyncClient) -> AsyncClient:
    """A client with the admin key."""
    public.headers["Authorization"] = f"Bearer {ADMIN}"
    return public


@pytest.fixture
async def private(settings: Settings) -> AsyncIterator[AsyncClient]:
    """A client of a service that nobody may read without a key."""
    app = create_app(settings.model_copy(update={"public_read": False}))
    async with (
        app.router.lifespan_context(app),
        AsyncClient(transport=ASGITransport(app), base_url="http://test/v1") as client,
    ):
        yield client


@pytest.fixture
def fold(store: Store) -> Callable[[str], int]:
    """Does the workers' work."""
    return lambda ladder: fold_all(store, ladder)


async def join(client: AsyncClient, *players: str, ladder: str = "nft", **body: Any) -> None:
    for player in players:
        response = await client.put(f"/ladders/{ladder}/players/{player}", json=body)
        assert response.is_success, response.text


def problem(response: Response) -> tuple[int, str]:
    """Status and code of a problem document."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    document = response.json()
    assert document.keys() >= {"type", "title", "status", "detail", "code"}
    assert document["status"] == response.status_code
    return response.status_code, document["code"]


def fields(response: Response) -> set[str]:
    """The fields that a 422 names."""
    assert problem(response) == (422, "invalid"), response.text
    return {error["field"] for error in response.json()["errors"]}
