"""What this process counts."""

from time import perf_counter

from prometheus_client import Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUESTS = Histogram(
    "matchmaker_request_seconds",
    "Time until the answer began, by method, route and status.",
    ("method", "route", "status"),
)
RESULTS = Counter(
    "matchmaker_results_reported", "Results that clients reported, by what became of them.", ("outcome",)
)
POOL_SIZE = Histogram(
    "matchmaker_pool_size",
    "Opponents in the pools that battles were drawn from.",
    buckets=(1, 5, 10, 20, 29, 30),
)
VIEWERS = Gauge("matchmaker_viewers", "Clients that watch a live board, by ladder.", ("ladder",))


class RequestTimer:
    """Middleware that observes every HTTP request under the pattern of its route, never under its address."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = perf_counter()

        async def observe(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "(none)")
                labels = (scope["method"], route, str(message["status"]))
                REQUESTS.labels(*labels).observe(perf_counter() - start)
            await send(message)

        await self._app(scope, receive, observe)
