"""The application: endpoints under /v1, operations, and the page at /."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from api import (
    abandonments,
    battles,
    boards,
    devices,
    disputes,
    documentation,
    expectations,
    fairplay,
    health,
    ladders,
    live,
    moderation,
    openapi,
    page,
    players,
    problems,
    results,
)
from api.engine import running_engine
from api.request_watch import RequestWatch
from api.routing import DirectRoute
from api.service import Service
from matchmaker import __version__
from matchmaker.config import Settings, load_settings

_DESCRIPTION = (Path(__file__).parent / "description.md").read_text(encoding="utf-8")


def create_app(settings: Settings | None = None) -> Service:
    """The application, under the given settings or those of the environment."""
    chosen = settings or load_settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running_engine(chosen) as engine:
            app.state.engine = engine
            yield

    app = Service(
        any_origin=chosen.public_read,
        title="Matchmaker",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=lifespan,
        generate_unique_id_function=lambda route: f"{route.tags[0]}-{route.name}",
        responses=openapi.PROBLEMS,
        # We have metrics and logs of our own; merely to ask whether others are configured takes a while.
        telemetry={"tracing": False, "metrics": False, "logs": False},
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # a redirect would repeat whatever the client gave as Host
    )
    for part in (health, page, documentation):
        app.include_router(part.router)
    app.mount("/web", page.PageFiles())
    app.mount(documentation.PATH, documentation.assets())
    problems.install(app)
    nouns = (ladders, players, battles, results, abandonments, moderation, devices, fairplay, disputes)
    for noun in (*nouns, boards, live, expectations):
        app.add_direct(route for route in noun.endpoints.routes if isinstance(route, DirectRoute))
    app.add_middleware(RequestWatch)
    if chosen.public_read:
        # A game in a browser may read from any origin what everybody may read anyway.
        app.add_middleware(
            CORSMiddleware, allow_origins=["*"], allow_methods=["GET"], expose_headers=["Retry-After"]
        )
    openapi.install(app, public_read=chosen.public_read)
    return app
