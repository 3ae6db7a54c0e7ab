"""`matchmaker api`."""

import signal
import sys
from contextlib import AsyncExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastapi import FastAPI

    from matchmaker.config import Settings

_DRAIN_SECONDS = 5


def api() -> None:
    """Serve the HTTP API and the web page."""
    import uvicorn

    from matchmaker.config import load_settings
    from matchmaker.listener import base_url, listen

    settings = load_settings()
    _check(settings)
    with listen(settings.host, settings.port) as listener:
        # The application is named, not imported: the engine does not know the API.
        app: FastAPI = import_module("api.app").create_app(settings)
        config = uvicorn.Config(
            app,
            loop="uvloop",
            http="httptools",
            ws="none",
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=_DRAIN_SECONDS,
        )
        config.load()
        config.lifespan_class = lambda _: _Lifespan(app)
        print(f"The API listens on {base_url(settings.host, settings.port)}", file=sys.stderr)
        # When it has drained, the server raises the signal that ended it once more.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: sys.exit(0))
        uvicorn.Server(config).run(sockets=[listener])


def _check(settings: "Settings") -> None:
    """Finds out what the application needs to start, and says where the admin key is.

    Raises StoreUnavailableError, EmptyKeyError, OSError.
    """
    from matchmaker.admin_key import KEY_FILE, admin_key
    from matchmaker.endpoints import queue_url, store_url

    store_url(settings)
    queue_url(settings)
    admin_key(settings)
    if settings.admin_key is None:
        print(f"The admin key is kept in {settings.data_dir / KEY_FILE}", file=sys.stderr)


class _Lifespan:
    """Start and end of the application; failures reach the caller (uvicorn's own logs and swallows them)."""

    should_exit = False

    def __init__(self, app: "FastAPI") -> None:
        self.state: dict[str, Any] = {}
        self._app = app
        self._stack = AsyncExitStack()

    async def startup(self) -> None:
        await self._stack.enter_async_context(self._app.router.lifespan_context(self._app))

    async def shutdown(self) -> None:
        await self._stack.aclose()
