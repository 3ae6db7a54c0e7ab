"""The service, its queue too, on a primary watched by sentinels; a write counts when a replica has it."""

from collections.abc import AsyncIterator, Iterator

import pytest
from httpx import AsyncClient

from matchmaker.config import Settings
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from tests.machines.load import Load, check_all, playing, until
from tests.machines.sentinels import SERVICE, Sentinels
from tests.machines.service import ADMIN, running_apps, running_workers

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def settings(sentinels: Sentinels, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    directory = tmp_path_factory.mktemp("data")
    return Settings(store_url=sentinels.url, data_dir=directory, admin_key=ADMIN, replicas=1)


@pytest.fixture(scope="module", autouse=True)
def workers(settings: Settings) -> Iterator[None]:
    with running_workers(settings):
        yield


@pytest.fixture(scope="module")
async def apps(settings: Settings, anyio_backend: str) -> AsyncIterator[list[AsyncClient]]:
    async with running_apps(settings) as clients:
        yield clients


@pytest.fixture(scope="module")
def store(sentinels: Sentinels) -> Iterator[Store]:
    with connect(sentinels.url) as client:
        yield Store(client)


@pytest.fixture(autouse=True)
def _whole(sentinels: Sentinels) -> None:
    sentinels.wait_until_replicated()


async def test_a_primary_that_hands_over_in_the_middle_of_a_load_loses_and_doubles_nothing(
    sentinels: Sentinels, apps: list[AsyncClient], store: Store
) -> None:
    load = Load(apps, "handover", two_primaries=True)
    before = sentinels.primary
    async with playing([load]):
        sentinels.watchers[0].run("SENTINEL FAILOVER", SERVICE)
        await until(lambda: sentinels.primary is not before)
        before.run("REPLICAOF", "127.0.0.1", sentinels.primary.port)  # as the sentinels will in some seconds
        await load.goes_on()
    await check_all([load], store)


async def test_a_primary_that_is_killed_in_the_middle_of_a_load_loses_and_doubles_nothing(
    sentinels: Sentinels, apps: list[AsyncClient], store: Store
) -> None:
    load = Load(apps, "failover")
    victim = sentinels.primary
    async with playing([load]):
        victim.kill()
        await until(lambda: sentinels.primary is not victim)
        victim.start(f"replicaof 127.0.0.1 {sentinels.primary.port}")
        await load.goes_on()
    assert load.refusals
    await check_all([load], store)
