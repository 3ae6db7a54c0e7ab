"""Too large a body is answered with a problem document, like every other failure."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import MEDIA_TYPE, too_large


class SizeLimitProblem:
    """Middleware around the framework's own limit, which answers 413 in plain text."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        replaced = False

        async def rewrite(message: Message) -> None:
            nonlocal replaced
            if message["type"] == "http.response.start" and message["status"] == 413:
                replaced = Headers(raw=message["headers"]).get("content-type") != MEDIA_TYPE
                if replaced:
                    await too_large()(scope, receive, send)
            if not replaced:
                await send(message)

        await self._app(scope, receive, rewrite)
