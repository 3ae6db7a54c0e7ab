"""From a request's address straight to the endpoint: one look-up, where a router tries its routes in turn."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from fastapi import FastAPI
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from api.routing import DirectRoute

_ANY: Final = "{}"


class Shortcut:
    """Middleware that runs direct routes, with the app's handlers of exceptions. What it does not know, the
    app's router answers: other routes, and what is wrong with an address or a method."""

    def __init__(self, app: ASGIApp, routes: Iterable[DirectRoute], owner: FastAPI) -> None:
        self._app = app
        self._run = ExceptionMiddleware(_run, handlers=dict(owner.exception_handlers))
        self._routes: dict[tuple[str, ...], DirectRoute] = {}
        self._shapes: defaultdict[int, set[tuple[int, ...]]] = defaultdict(set)
        for route in routes:
            parts = [_ANY if part.startswith("{") else part for part in route.path.split("/")]
            self._shapes[len(parts)].add(tuple(at for at, part in enumerate(parts) if part is _ANY))
            for method in route.methods or ():
                self._routes[method, *parts] = route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._find(scope):
            await self._run(scope, receive, send)
        else:
            await self._app(scope, receive, send)

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


async def _run(scope: Scope, receive: Receive, send: Send) -> None:
    route: DirectRoute = scope["route"]
    await route.run(scope, receive, send)
