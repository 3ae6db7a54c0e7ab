"""Every request: its id, its time, and a line in the log if it failed or was slow."""

import logging
import re
import secrets
from collections.abc import Sequence
from functools import lru_cache
from time import perf_counter

from prometheus_client import Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import current_request
from api.current_request import CurrentRequest
from api.metrics import REQUESTS
from api.problems import fault
from matchmaker.log import request_id

SLOW_SECONDS = 1.0
"""From when on an answer is worth a line, without the time for which the client asked us to wait."""

_HEADER = b"x-request-id"
_SANE = re.compile(rb"[A-Za-z0-9._:=+/-]{1,128}")

_log = logging.getLogger(__name__)


class RequestWatch:
    """Middleware. A client's `X-Request-ID` is taken over if it is sane, or else one is made; the answer
    carries it beside the `headers` that are given, and so does every line of the log that the request causes.

    What nobody has foreseen ends here: it is logged, and answered 500.
    """

    def __init__(self, app: ASGIApp, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        self._app = app
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sent = next((value for name, value in scope["headers"] if name == _HEADER), b"")
        own_id = sent.decode() if _SANE.fullmatch(sent) else secrets.token_hex(8)
        # Never reset: the server logs behind our back what goes wrong while an answer is on its way.
        request_id.set(own_id)
        request, start, began = current_request.begin(), perf_counter(), False

        async def observe(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                message["headers"] = [
                    *message["headers"],
                    (_HEADER, own_id.encode()),
                    *self._headers,
                ]
                _note(scope, message["status"], perf_counter() - start, request)
            await send(message)

        try:
            await self._app(scope, receive, observe)
        except Exception as error:
            if began:
                raise
            request.cause = error
            await fault()(scope, receive, observe)


@lru_cache  # to find it among the others takes longer than the rest of counting
def _timer(method: str, route: str, status: int) -> Histogram:
    return REQUESTS.labels(method, route, str(status))


def _note(scope: Scope, status: int, seconds: float, request: CurrentRequest) -> None:
    route = getattr(scope.get("route"), "path_format", "(none)")
    _timer(scope["method"], route, status).observe(seconds)
    if status < 500 and seconds - request.waited <= SLOW_SECONDS:
        return
    # A device is nobody's business but the game's.
    path = route if "device" in scope.get("path_params", {}) else scope["path"]
    # 500 is a defect and keeps its traceback; the others are facts of life, and so is being slow.
    defect = request.cause if status == 500 else None
    reason = f": {request.cause}" if request.cause and not defect else ""
    _log.log(
        logging.ERROR if status == 500 else logging.WARNING,
        "%s %s answered %d after %.3f s%s",
        *(scope["method"], path, status, seconds, reason),
        exc_info=defect,
        extra={
            "fields": {
                "method": scope["method"],
                "path": path,
                "route": route,
                "status": status,
                "seconds": round(seconds, 6),
            }
        },
    )
