"""The top of a board as a sequence of frames: what changed each time, encoded once for all who watch."""

from collections import deque
from typing import Literal

from fastapi.sse import format_sse_event
from pydantic import BaseModel

from api.shapes import OPTIONAL, BoardOut
from matchmaker.results import log_order
from matchmaker.standing import Standing
from matchmaker.store.boards import Page, Row

_KEPT_FRAMES = 32
"""A viewer that is further behind gets the whole board afresh."""


class ChangesOut(BaseModel):
    """What changed since the event before: new rows, rows with other content or another rank, and who left
    the top; the viewer's own standing if that changed."""

    ladder: str
    version: str
    total: int
    entries: list[Row]
    left: list[str]
    viewer: Standing | None = OPTIONAL


def encode(event: Literal["board", "changes"], body: BoardOut | ChangesOut) -> bytes:
    """A server-sent event whose id is the version of the board."""
    return format_sse_event(event=event, data_str=body.model_dump_json(), id=body.version)


class Feed:
    """The first `limit` rows of one ladder's board, and the last frames of it. Bounded, whoever watches."""

    def __init__(self, ladder_id: str, limit: int, page: Page) -> None:
        self.number = 0
        self._ladder_id = ladder_id
        self._limit = limit
        self._page = self._cut(page)
        self._frames: deque[bytes] = deque(maxlen=_KEPT_FRAMES)

    def _cut(self, page: Page) -> Page:
        return Page(page.version, page.total, page.entries[: self._limit])

    def show(self, board: Page) -> None:
        """Takes the board's new top (at least `limit` rows); adds a frame if anything in it changed."""
        page, before = self._cut(board), self._page
        if log_order(page.version) < log_order(before.version):
            return  # it was read before the one that is shown
        self._page = page
        known = {row.player: row for row in before.entries}
        changed = [row for row in page.entries if known.pop(row.player, None) != row]
        if changed or known or page.total != before.total:
            body = ChangesOut(
                ladder=self._ladder_id,
                version=page.version,
                total=page.total,
                entries=changed,
                left=list(known),
            )
            self._frames.append(encode("changes", body))
            self.number += 1

    def since(self, number: int) -> bytes | None:
        """The frames after that number, perhaps none; None if they are no longer all there."""
        missed = self.number - number
        if missed > len(self._frames):
            return None
        return b"".join(self._frames[-each] for each in range(missed, 0, -1))

    def snapshot(self, standing: Standing | None) -> bytes:
        """The whole top, with the viewer's own standing."""
        return encode("board", BoardOut.of(self._ladder_id, self._page, standing))

    def own(self, standing: Standing) -> bytes:
        """Nothing but the viewer's own standing."""
        page = self._page
        body = ChangesOut(
            ladder=self._ladder_id,
            version=page.version,
            total=page.total,
            entries=[],
            left=[],
            viewer=standing,
        )
        return encode("changes", body)
