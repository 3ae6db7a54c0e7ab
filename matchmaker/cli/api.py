"""`matchmaker api`."""

import signal
import sys

_DRAIN_SECONDS = 5


def api() -> None:
    """Serve the HTTP API and the web page."""
    import uvicorn

    from matchmaker.config import load_settings
    from matchmaker.listener import base_url, listen

    settings = load_settings()
    listener = listen(settings.host, settings.port)
    # The application is named, not imported: the engine does not know the API.
    server = uvicorn.Server(
        uvicorn.Config(
            "api.app:create_app",
            factory=True,
            loop="uvloop",
            http="httptools",
            ws="none",
            access_log=False,
            log_level="warning",
            timeout_graceful_shutdown=_DRAIN_SECONDS,
        )
    )
    print(f"The API listens on {base_url(settings.host, settings.port)}", file=sys.stderr)
    # When it has drained, the server raises the signal that ended it once more.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server.run(sockets=[listener])
