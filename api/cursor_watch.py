"""Waiting until a result is rated: one poll of the cursor per ladder, however many wait."""

import asyncio
from collections import defaultdict

from redis.exceptions import RedisError

from matchmaker.results import log_order
from matchmaker.store import folds
from matchmaker.store.client import AsyncStore
from matchmaker.store.keys import LadderKeys

_INTERVAL = 0.004  # seconds between two looks at a cursor that somebody waits for


class CursorWatch:
    """Polls the cursors of the ladders on which somebody waits."""

    def __init__(self, store: AsyncStore) -> None:
        self._store = store
        self._waiting: defaultdict[str, list[tuple[str, asyncio.Event]]] = defaultdict(list)
        self._polls: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    async def reached(self, ladder_id: str, log_id: str, seconds: float) -> bool:
        """Waits until the log is folded up to `log_id`; False if that takes longer than `seconds`, or
        the service ends before."""
        if self._closed:
            return False
        waiter = (log_id, asyncio.Event())
        self._waiting[ladder_id].append(waiter)
        if ladder_id not in self._polls:
            self._polls[ladder_id] = asyncio.create_task(self._poll(ladder_id))
        try:
            async with asyncio.timeout(seconds):
                await waiter[1].wait()
        except TimeoutError:
            return False
        finally:
            self._waiting[ladder_id].remove(waiter)
        return not self._closed

    async def _poll(self, ladder_id: str) -> None:
        keys = LadderKeys(ladder_id)
        try:
            while self._waiting[ladder_id]:
                try:
                    cursor = log_order(await self._store.run(folds.cursor(keys)))
                except RedisError:
                    cursor = log_order(folds.START)  # whoever waits goes on waiting: the store may come back
                for log_id, event in self._waiting[ladder_id]:
                    if log_order(log_id) <= cursor:
                        event.set()
                await asyncio.sleep(_INTERVAL)
        finally:
            del self._polls[ladder_id]
            if not self._waiting[ladder_id]:
                del self._waiting[ladder_id]

    def close(self) -> None:
        """Lets nobody wait any longer: the service ends."""
        self._closed = True
        for waiting in self._waiting.values():
            for _, event in waiting:
                event.set()
