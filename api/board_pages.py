"""Pages of boards, encoded once and kept until the board changes."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from api.routing import JSON
from api.shapes import BoardOut
from matchmaker.store import boards
from matchmaker.store.boards import Mark, Page
from matchmaker.store.client import AsyncStore

_MOST_ROWS: Final = 12_800
"""That are kept, in the pages that were asked for last: some 1 kB each, or three where names are long."""

_WEIGHT: Final = 10
"""Rows that a page counts for beside its own."""

_Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Encoded:
    """A page, and the answer to somebody who asks for no viewer."""

    page: Page
    response: Response


class BoardPages:
    """Answers with a page as new as the board is when it is asked: it looks at the board's mark each time."""

    def __init__(self, store: AsyncStore) -> None:
        self._store = store
        self._kept: OrderedDict[_Place, Encoded] = OrderedDict()
        self._rows = 0
        self._reading: dict[tuple[_Place, Mark], asyncio.Task[Encoded]] = {}

    async def page(self, ladder_id: str, offset: int, limit: int) -> Encoded:
        """`limit` rows after the first `offset`. Raises NotFoundError for an unknown ladder."""
        mark = await self._store.glance(boards.mark(ladder_id))
        place = ladder_id, offset, limit
        kept = self._kept.get(place)
        if kept and kept.page.mark == mark:
            self._kept.move_to_end(place)
            return kept
        reading = self._reading.get((place, mark))
        if reading is None:
            reading = self._reading[place, mark] = asyncio.create_task(self._read(place))
            reading.add_done_callback(lambda _: self._reading.pop((place, mark)))
        return await asyncio.shield(reading)  # others may wait for it as well

    async def _read(self, place: _Place) -> Encoded:
        ladder_id, offset, limit = place
        page = await self._store.on(ladder_id, lambda edition: boards.page(edition, offset, limit))
        body = BoardOut.of(ladder_id, page, None).model_dump_json()
        encoded = Encoded(page, Response(body, media_type=JSON))
        self._keep(place, encoded)
        return encoded

    def _keep(self, place: _Place, encoded: Encoded) -> None:
        if before := self._kept.pop(place, None):
            self._rows -= _rows(before)
        self._kept[place] = encoded
        self._rows += _rows(encoded)
        while self._rows > _MOST_ROWS:
            _, dropped = self._kept.popitem(last=False)
            self._rows -= _rows(dropped)


def _rows(encoded: Encoded) -> int:
    return len(encoded.page.entries) + _WEIGHT
