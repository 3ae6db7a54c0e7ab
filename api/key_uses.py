"""When keys were last used: noted once a minute for each key, and never while a request waits for it."""

import asyncio
import logging
import time

from redis.exceptions import RedisError

from matchmaker.store import apikeys
from matchmaker.store.client import AsyncStore

_INTERVAL = 60.0
"""Seconds in which the uses of a key are noted once, by each process."""

_log = logging.getLogger(__name__)


class KeyUses:
    """Tells the store which keys are in use."""

    def __init__(self, store: AsyncStore) -> None:
        self._store = store
        self._due: dict[str, float] = {}
        self._notes: set[asyncio.Task[None]] = set()

    def note(self, key_id: str) -> None:
        """The key, a valid one, is used at this moment. Returns at once."""
        now = time.monotonic()
        if now >= self._due.get(key_id, 0):
            self._due[key_id] = now + _INTERVAL
            note = asyncio.create_task(self._write(key_id))
            self._notes.add(note)
            note.add_done_callback(self._notes.discard)

    async def _write(self, key_id: str) -> None:
        try:
            await self._store.run(apikeys.note_use(key_id, time.time_ns() // 1_000_000))
        except RedisError as error:
            _log.warning("that the key %s is in use was not noted: %s", key_id, error)

    async def close(self) -> None:
        """Waits for the notes that are under way."""
        await asyncio.gather(*self._notes)
