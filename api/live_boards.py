"""The live boards of this process: one for each ladder that has viewers."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from api.live_board import LiveBoard
from api.metrics import VIEWERS
from matchmaker.store.client import AsyncStore


class LiveBoards:
    """Starts to follow a board with its first viewer, and stops with its last."""

    def __init__(self, store: AsyncStore) -> None:
        self._store = store
        self._boards: dict[str, tuple[LiveBoard, asyncio.Task[None]]] = {}
        self._closed = False

    async def events(self, ladder_id: str, limit: int, player: str | None) -> AsyncGenerator[bytes]:
        """What one viewer is sent, until it goes, or the service ends."""
        if self._closed:
            return
        if ladder_id not in self._boards:
            board = LiveBoard(self._store, ladder_id)
            self._boards[ladder_id] = board, asyncio.create_task(board.keep_up())
        board, following = self._boards[ladder_id]
        VIEWERS.labels(ladder_id).inc()
        try:
            async with aclosing(board.events(limit, player)) as events:
                async for event in events:
                    yield event
        finally:
            VIEWERS.labels(ladder_id).dec()
            if not board.viewers and self._boards.get(ladder_id, (None,))[0] is board:
                del self._boards[ladder_id]
                following.cancel()

    def close(self) -> None:
        """Ends all streams, so that the server can stop; none begins any more."""
        self._closed = True
        for board, _ in self._boards.values():
            board.close()
