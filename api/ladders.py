"""Ladders: creating, changing and listing them."""

import asyncio
from typing import Annotated

from fastapi import Path, Response, status
from pydantic import ConfigDict, Field

from api.access import Admin, Reader
from api.engine import EngineDep
from api.routing import router
from api.shapes import LadderPath
from matchmaker.errors import FieldError, NotFoundError
from matchmaker.identifiers import LadderId
from matchmaker.ladder import Ladder, LadderSettings
from matchmaker.store import ladders
from matchmaker.validation import invalid

NewLadderPath = Annotated[LadderId, Path(examples=["arena"])]

endpoints = router("/v1/ladders", "ladders")


class LadderBody(LadderSettings):
    """A ladder's settings; the id may be repeated."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "title": "Arena",
                "rule": {"name": "initiator_k", "k": {"provisional": 48}},
                "initial_rating": 1200,
                "pool": {"size": 20, "deviation": 150, "widen": [300]},
                "tiers": [{"name": "Squire", "from": 0}, {"name": "Knight", "from": 1300}],
            }
        }
    )

    id: LadderId | None = Field(None, examples=[None])


@endpoints.put(
    "/{ladder}",
    status_code=status.HTTP_201_CREATED,
    responses={200: {"model": Ladder, "description": "Changed, or the same as before."}},
)
async def put(
    engine: EngineDep, key: Admin, ladder: NewLadderPath, body: LadderBody, response: Response
) -> Ladder:
    """Creates a ladder or replaces its settings; what is left out gets its default. Scope `admin`.

    Once the ladder has results, its rule changes only by `matchmaker replay --apply`, which rates all anew.
    """
    if body.id not in (None, ladder):
        raise invalid([FieldError("id", "must be the id in the address")])
    settings = Ladder.model_validate(body.model_dump() | {"id": ladder})
    await engine.store.run(ladders.announce(ladder))
    outcome, call = await engine.store.run(ladders.put(settings))
    if call:
        engine.alarm.ring(ladder)
    if outcome != "created":
        response.status_code = status.HTTP_200_OK
    for fence, witness in ladders.witnesses(ladder):
        await engine.durability.kept(fence, witness)
    return settings


@endpoints.get("")
async def index(engine: EngineDep, key: Reader) -> list[Ladder]:
    """All ladders that the key reaches, by id."""
    names = [name for name in await engine.store.run(ladders.index()) if key.allows("read", name)]
    editions = await asyncio.gather(*(engine.store.run(ladders.read(name)) for name in names))
    return [edition.ladder for edition in editions if edition]


@endpoints.get("/{ladder}")
async def read(engine: EngineDep, key: Reader, ladder: LadderPath) -> Ladder:
    """One ladder, with every coefficient of its rule."""
    edition = await engine.store.run(ladders.read(ladder))
    if edition is None:
        raise NotFoundError("ladder", ladder)
    return edition.ladder
