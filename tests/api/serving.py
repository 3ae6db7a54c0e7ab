"""An application on a real port, in the test's own event loop."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI

from tests.waiting import wait_until


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[str]:
    """URL of the application while it is served as `matchmaker api` serves it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            app, http="api.connection:Connection", ws="none", log_config=None, access_log=False
        )
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        await asyncio.to_thread(wait_until, lambda: server.started)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        await task
