"""Limits of requests: for whom they count, and how the refused are answered."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from httpx import ASGITransport, AsyncClient

from api.app import create_app
from matchmaker.config import Settings
from matchmaker.presets import PRESETS
from matchmaker.store import ladders
from matchmaker.store.client import Store
from tests.api.conftest import ADMIN, problem
from tests.api.test_access import new_key

pytestmark = pytest.mark.anyio

BOARD = "/ladders/nft/board"
Service = Callable[..., AbstractAsyncContextManager[Callable[..., AsyncClient]]]


@pytest.fixture
def service(settings: Settings, store: Store) -> Service:
    """Starts a process of the API under these limits; gives what makes clients of it."""
    store.run(ladders.announce("nft"))
    store.run(ladders.put(PRESETS[0]))

    @asynccontextmanager
    async def start(**limits: str) -> AsyncIterator[Callable[..., AsyncClient]]:
        app = create_app(settings.model_copy(update=limits))

        def client(key: str | None = None, address: str = "192.0.2.1") -> AsyncClient:
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            transport = ASGITransport(app, client=(address, 1))
            return AsyncClient(transport=transport, base_url="http://test/v1", headers=headers)

        async with app.router.lifespan_context(app):
            yield client

    return start


async def statuses(client: AsyncClient, count: int, path: str = BOARD) -> list[int]:
    return [(await client.get(path)).status_code for _ in range(count)]


async def test_an_address_over_its_limit_is_told_when_to_come_back(service: Service) -> None:
    async with service(public_rate_limit="2/day") as client:
        assert await statuses(client(), 3) == [200, 200, 429]
        refused = await client().get(BOARD)
        assert problem(refused) == (429, "rate_limited")
        until_midnight = 86400 - time.time() % 86400
        assert abs(int(refused.headers["retry-after"]) - until_midnight) < 5


async def test_each_address_has_its_own(service: Service) -> None:
    async with service(public_rate_limit="1/day") as client:
        assert await statuses(client(address="192.0.2.1"), 2) == [200, 429]
        assert await statuses(client(address="192.0.2.2"), 2) == [200, 429]


async def test_all_addresses_of_an_ipv6_customer_are_one(service: Service) -> None:
    async with service(public_rate_limit="1/day") as client:
        assert await statuses(client(address="2001:db8::1"), 1) == [200]
        assert await statuses(client(address="2001:db8::ffff:2"), 1) == [429]
        assert await statuses(client(address="2001:db8:0:1::1"), 1) == [200]


async def test_what_is_too_long_for_an_address_is_not_kept(service: Service) -> None:
    async with service(public_rate_limit="1/day") as client:
        assert await statuses(client(address="x" * 60_000), 1) == [200]
        assert await statuses(client(address="x" * 60_001), 1) == [429]


async def test_each_key_has_its_own_wherever_it_comes_from(service: Service, store: Store) -> None:
    key = new_key(store, "read")
    async with service(rate_limit="2/day", public_rate_limit="1/day") as client:
        assert await statuses(client(), 2) == [200, 429]
        assert await statuses(client(key), 1) == [200]
        assert await statuses(client(key, address="192.0.2.9"), 2) == [200, 429]


async def test_the_admin_key_has_no_limit(service: Service) -> None:
    async with service(rate_limit="1/day", public_rate_limit="1/day") as client:
        assert await statuses(client(ADMIN), 5) == [200] * 5


@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer mm_000000000000_" + "0" * 48, "Basic abc"])
async def test_guessing_keys_counts_for_the_address(service: Service, header: str) -> None:
    async with service(public_rate_limit="1/day") as client:
        guesser = client()
        guesser.headers["Authorization"] = header
        assert await statuses(guesser, 2) == [401, 429]


async def test_a_body_is_not_read_before_the_key(service: Service) -> None:
    async with service(public_rate_limit="1/day") as client:
        post = [await client().post("/ladders/nft/results", content="{") for _ in range(2)]
        assert problem(post[0]) == (401, "unauthorized")
        assert problem(post[1]) == (429, "rate_limited")


async def test_several_limits_hold_at_once(service: Service) -> None:
    async with service(public_rate_limit="9/hour;2/day") as client:
        assert await statuses(client(), 3) == [200, 200, 429]


async def test_limits_can_be_off(service: Service, store: Store) -> None:
    async with service(rate_limit="off", public_rate_limit="off") as client:
        assert await statuses(client(), 3) == [200] * 3
        assert await statuses(client(new_key(store, "read")), 3) == [200] * 3


async def test_health_and_metrics_have_no_limit(service: Service) -> None:
    async with service(public_rate_limit="1/day") as client:
        for path in ("healthz", "readyz", "metrics"):
            assert await statuses(client(), 2, f"http://test/{path}") == [200, 200]


async def test_processes_share_what_they_count(service: Service) -> None:
    async with service(public_rate_limit="60/day") as one, service(public_rate_limit="60/day") as other:
        assert await statuses(one(), 60) == [200] * 60
        for _ in range(59):  # fewer than it takes to refuse by its own count
            if await statuses(other(), 1) == [429]:
                return
            await asyncio.sleep(0.05)
        pytest.fail("the other process has not heard of it")
