"""The application as it runs: what has a direct route is run on the spot, the rest is the framework's."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from fastapi import FastAPI
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from api.request_watch import RequestWatch
from api.routing import DirectRoute

_ANY: Final = "/"
"""In the place of what varies in an address: no part of one can hold it, whatever a client sends."""

_ANY_ORIGIN: Final = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"Retry-After"),
)


class Service(FastAPI):
    """Finds direct routes by one look-up, where a router tries its routes in turn, and runs them without
    the framework's middleware. An address or a method that none of them has goes the usual way."""

    def __init__(self, *, any_origin: bool, **options: Any) -> None:
        super().__init__(**options)
        self._routes: dict[tuple[str, ...], DirectRoute] = {}
        self._shapes: defaultdict[int, set[tuple[int, ...]]] = defaultdict(set)
        self._direct = RequestWatch(self._run, _ANY_ORIGIN if any_origin else ())

    def add_direct(self, routes: Iterable[DirectRoute]) -> None:
        """Serves these routes."""
        for route in routes:
            self.router.routes.append(route)  # which documents it, and knows what other methods there are
            parts = [_ANY if part.startswith("{") else part for part in route.path.split("/")]
            self._shapes[len(parts)].add(tuple(at for at, part in enumerate(parts) if part is _ANY))
            for method in route.methods or ():
                self._routes[method, *parts] = route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._find(scope):
            scope["app"] = self
            await self._direct(scope, receive, send)
        else:
            if scope["type"] == "http":
                # A part of a page's small files is never needed, and the framework refuses odd ranges in
                # plain text. What is ignored is answered with the whole.
                scope["headers"] = [each for each in scope["headers"] if each[0] != b"range"]
            await super().__call__(scope, receive, send)

    def _find(self, scope: Scope) -> bool:
        """Whether there is a route; the scope says then which one, and what its address contains."""
        parts: list[str] = scope["path"].split("/")
        for places in self._shapes.get(len(parts), ()):
            template = parts.copy()
            for place in places:
                template[place] = _ANY
            route = self._routes.get((scope["method"], *template))
            values = [parts[place] for place in places]
            if route and all(values):
                scope["route"] = route
                scope["path_params"] = dict(zip(route.param_convertors, values, strict=True))
                return True
        return False

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        route: DirectRoute = scope["route"]
        request = Request(scope, receive, send)
        try:
            response = await route.respond(request)
        except ClientDisconnect:
            return  # in the middle of its request: nobody is there to be answered
        except Exception as error:
            kinds = (kind for kind in type(error).__mro__ if kind in self.exception_handlers)
            handler = self.exception_handlers.get(next(kinds, None))
            if handler is None:
                raise
            response = await handler(request, error)  # type: ignore[misc]  # all of ours are asynchronous
        await response(scope, receive, send)
