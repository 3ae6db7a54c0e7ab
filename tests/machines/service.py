"""The service on a store of several machines: the apps of two API processes, and worker processes."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

from httpx import ASGITransport, AsyncClient

from api.app import create_app
from matchmaker.config import ENV_PREFIX, Settings

ADMIN = "the-admin-key"


@contextmanager
def running_workers(settings: Settings, number: int = 2) -> Iterator[None]:
    """Worker processes under these settings."""
    own = {
        f"{ENV_PREFIX}{name.upper()}": str(value)
        for name, value in settings.model_dump(include={"store_url", "queue_url", "data_dir"}).items()
        if value is not None
    }
    command = [sys.executable, "-m", "matchmaker", "worker"]
    processes = [subprocess.Popen(command, env=os.environ | own) for _ in range(number)]
    yield
    assert [process.poll() for process in processes] == [None] * number, "a worker has ended"
    for process in processes:
        process.terminate()
    for process in processes:
        process.wait(20)


@asynccontextmanager
async def running_apps(settings: Settings, number: int = 2) -> AsyncIterator[list[AsyncClient]]:
    """For each of so many apps a client with the admin key."""
    async with AsyncExitStack() as stack:
        clients = []
        for _ in range(number):
            app = create_app(settings)
            await stack.enter_async_context(app.router.lifespan_context(app))
            client = AsyncClient(
                transport=ASGITransport(app),
                base_url="http://test/v1",
                headers={"Authorization": f"Bearer {ADMIN}"},
            )
            clients.append(await stack.enter_async_context(client))
        yield clients
