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

_MOST_PAGES: Final = 128
"""That are kept, at 100 kB each at most: those that were asked for last."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A page, and the answer to somebody who asks for no viewer."""

    page: Page
    response: Response


@dataclass(frozen=True, slots=True)
class _Kept:
    mark: Mark
    encoded: asyncio.Task[Encoded]


class BoardPages:
    """Answers with a page as new as the board is when it is asked: it looks at the board's mark each time."""

    def __init__(self, store: AsyncStore) -> None:
        self._store = store
        self._pages: OrderedDict[tuple[str, int, int], _Kept] = OrderedDict()

    async def page(self, ladder_id: str, offset: int, limit: int) -> Encoded:
        """`limit` rows after the first `offset`. Raises NotFoundError for an unknown ladder."""
        mark = await self._store.glance(boards.mark(ladder_id))
        place = ladder_id, offset, limit
        kept = self._pages.get(place)
        if kept is None or kept.mark != mark:
            kept = _Kept(mark, asyncio.create_task(self._read(ladder_id, offset, limit)))
            self._pages[place] = kept
            if len(self._pages) > _MOST_PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(place)
        if kept.encoded.done():
            return kept.encoded.result()
        try:
            return await asyncio.shield(kept.encoded)  # others may wait for it as well
        except Exception:
            if self._pages.get(place) is kept:
                del self._pages[place]
            raise

    async def _read(self, ladder_id: str, offset: int, limit: int) -> Encoded:
        page = await self._store.on(ladder_id, lambda edition: boards.page(edition, offset, limit))
        body = BoardOut.of(ladder_id, page, None).model_dump_json()
        return Encoded(page, Response(body, media_type=JSON))
