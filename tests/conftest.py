"""One real server per test session; every test that uses it leaves it empty."""

from collections.abc import Iterator

import pytest
import redis

from matchmaker.store.connect import connect
from matchmaker.store.embedded import embedded_server


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of the session's server."""
    with embedded_server(tmp_path_factory.mktemp("store")) as server:
        yield server.url


@pytest.fixture
def clean_store(store_url: str) -> Iterator[str]:
    """URL of the session's server, which is empty before and after the test."""
    yield store_url
    client = connect(store_url)
    client.flushall()
    client.close()


@pytest.fixture
def redis_client(clean_store: str) -> Iterator[redis.Redis]:
    """A blocking client on an empty server."""
    client = connect(clean_store)
    assert isinstance(client, redis.Redis)
    yield client
    client.close()
