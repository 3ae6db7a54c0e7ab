"""`matchmaker api`."""

import logging
import signal
import sys
from contextlib import AsyncExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastapi import FastAPI

    from matchmaker.config import Settings

_DRAIN_SECONDS = 5

_log = logging.getLogger(__name__)


def api() -> None:
    """Serve the HTTP API and the web page."""
    import uvicorn

    from matchmaker.admin_key import KEY_FILE
    from matchmaker.config import load_settings
    from matchmaker.listener import base_url, listen
    from matchmaker.log import logging_to_stderr

    settings = load_settings()
    key = _check(settings)
    with (
        logging_to_stderr(settings.log, [*settings.secrets, key]),
        listen(settings.host, settings.port) as listener,
    ):
        if settings.admin_key is None:
            _log.info("The admin key is kept in %s", settings.data_dir / KEY_FILE)
        # The application is named, not imported: the engine does not know the API.
        app: FastAPI = import_module("api.app").create_app(settings)
        config = uvicorn.Config(
            app,
            loop="uvloop",
            http="api.connection:Connection",
            ws="none",
            access_log=False,
            forwarded_allow_ips=settings.trusted_proxies,
            log_config=None,
            log_level="warning",
            timeout_graceful_shutdown=_DRAIN_SECONDS,
        )
        config.load()
        config.lifespan_class = lambda _: _Lifespan(app)
        _log.info("The API listens on %s", base_url(settings.host, settings.port))
        # When it has drained, the server raises the signal that ended it once more.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: sys.exit(0))
        uvicorn.Server(config).run(sockets=[listener])


def _check(settings: "Settings") -> str:
    """Finds out what the application needs to start; gives the admin key.

    Raises StoreUnavailableError, BadKeyError, OSError.
    """
    from matchmaker.admin_key import admin_key
    from matchmaker.endpoints import queue_url, store_url

    store_url(settings)
    queue_url(settings)
    return admin_key(settings)


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
