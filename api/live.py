"""The live board as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from fastapi import Query
from fastapi.responses import StreamingResponse
from starlette.types import Send

from api.access import Reader
from api.engine import EngineDep
from api.openapi import EVENT
from api.routing import router
from api.shapes import LadderPath
from matchmaker.identifiers import Identifier

endpoints = router("/v1/ladders/{ladder}/board/live", "board")

_PATIENCE_SECONDS = 30.0
"""A viewer that takes nothing for so long is dropped."""

_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


class _LiveResponse(StreamingResponse):
    """Events that are encoded already, and an end for viewers whose connection is stuck."""

    media_type = "text/event-stream"

    def __init__(self, first: bytes, events: AsyncGenerator[bytes]) -> None:
        super().__init__(events, headers=_HEADERS)
        self._first = first
        self._events = events

    async def stream_response(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._events) as events:
            await self._send_event(self._first, send)
            async for event in events:
                await self._send_event(event, send)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_event(self, event: bytes, send: Send) -> None:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await send({"type": "http.response.body", "body": event, "more_body": True})


_DESCRIPTION = "`board` at once, then `changes`; the id of an event is the board's version."


@endpoints.get(
    "",
    response_class=StreamingResponse,
    responses={200: {"description": _DESCRIPTION, "content": {"text/event-stream": {"itemSchema": EVENT}}}},
)
async def live(
    engine: EngineDep,
    key: Reader,
    ladder: LadderPath,
    limit: Annotated[int, Query(ge=1, le=100)] = 100,
    viewer: Annotated[Identifier | None, Query(description="Whose standing to add.")] = None,
) -> StreamingResponse:
    """The top of the board and all that changes in it.

    Event `board` carries what `GET …/board` answers; it comes at once, also on reconnecting with
    `Last-Event-ID`, and whenever a viewer has fallen too far behind. Event `changes` carries
    `{ladder, version, total, entries, left, viewer?}`: rows that are new or whose content or rank changed,
    players who left the top, and the viewer's own standing if it changed (read once a second at most).
    Rows of equal rank stand in descending order of the player's id. Comments come every 10 seconds.
    """
    await engine.store.edition(ladder)
    events = engine.live.events(ladder, limit, viewer)
    # Before the answer begins: if the store is away now, that is the answer.
    first = await anext(events, b"")
    return _LiveResponse(first, events)
