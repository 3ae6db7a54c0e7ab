"""The board."""

from typing import Annotated

from fastapi import Query, Response

from api.access import Reader
from api.engine import EngineDep
from api.routing import router
from api.shapes import BoardOut, LadderPath
from matchmaker.errors import NotFoundError
from matchmaker.identifiers import Identifier
from matchmaker.standing import Standing
from matchmaker.store import players

endpoints = router("/v1/ladders/{ladder}/board", "board")


@endpoints.get("", response_model=BoardOut)
async def board(
    engine: EngineDep,
    key: Reader,
    ladder: LadderPath,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    viewer: Annotated[Identifier | None, Query(description="Whose standing to add.")] = None,
) -> BoardOut | Response:
    """A page of the board, best first. Players with equal ratings share a rank, on every page."""
    encoded = await engine.pages.page(ladder, offset, limit)
    if viewer is None:
        return encoded.response
    return BoardOut.of(ladder, encoded.page, await _standing(engine, ladder, viewer))


async def _standing(engine: EngineDep, ladder: str, viewer: str) -> Standing | None:
    try:
        return await engine.store.on(ladder, lambda edition: players.standing(edition, viewer))
    except NotFoundError:
        return None
