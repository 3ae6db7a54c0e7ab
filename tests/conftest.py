"""One real server per test session; every test that uses it leaves it empty."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from hypothesis import HealthCheck, settings

from matchmaker.config import ENV_PREFIX
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.embedded import embedded_server

# The same examples in every run, so that a red suite is red because of a change. Searching further is
# `pytest --hypothesis-profile=deep`.
settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.register_profile(
    "deep", settings.get_profile("suite"), derandomize=False, max_examples=1_000, print_blob=True
)
settings.load_profile("suite")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def _children_heed_ctrl_c() -> Iterator[None]:
    """In the background Ctrl-C is ignored, and would be by the processes that tests send it to.

    A signal with a handler is one that children don't ignore; here it still does nothing.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: None)
    yield
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.fixture(scope="session")
def _empty_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("empty")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(_empty_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_empty_directory)  # which holds no .env
    for name in [name for name in os.environ if name.startswith(ENV_PREFIX)]:
        monkeypatch.delenv(name)


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


@pytest.fixture
def store(redis_client: redis.Redis) -> Store:
    """The store on an empty server."""
    return Store(redis_client)
