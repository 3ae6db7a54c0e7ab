"""Whether the process lives, whether it can serve, and its metrics."""

from typing import Literal

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel

from api.engine import EngineDep
from api.store_metrics import store_metrics
from matchmaker.store.call import Call

router = APIRouter(tags=["operations"])


class Health(BaseModel):
    """Fine, or else the request fails."""

    status: Literal["ok"] = "ok"


@router.get("/healthz")
async def healthz() -> Health:
    """The process answers."""
    return Health()


@router.get("/readyz")
async def readyz(engine: EngineDep) -> Health:
    """The process can serve: the store answers. 503 otherwise."""
    await engine.store.run(Call(("PING",), lambda reply: None))
    return Health()


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(engine: EngineDep) -> Response:
    """Metrics of this process and of each ladder, for Prometheus."""
    return Response(generate_latest() + await store_metrics(engine.store), media_type=CONTENT_TYPE_LATEST)
