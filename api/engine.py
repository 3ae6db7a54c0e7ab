"""What endpoints work with: the store, its durability, the queue's alarm, the cursors, who may come in."""

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from api.access import Access
from api.alarm import Alarm
from api.board_pages import BoardPages
from api.cursor_watch import CursorWatch
from api.durability import Durability
from api.key_uses import KeyUses
from api.live_boards import LiveBoards
from api.rate_limits import RateLimits, parse
from api.shared_counts import SharedCounts
from api.shutdown import on_stop
from api.sightings import Sightings
from matchmaker.admin_key import admin_key
from matchmaker.config import Settings
from matchmaker.device_key import device_key
from matchmaker.endpoints import archive, fence, queue_url, store_url
from matchmaker.queue import folding_queue
from matchmaker.store.client import ANSWER_SECONDS, AsyncStore
from matchmaker.store.connect import connect_async


@dataclass(frozen=True, slots=True)
class Engine:
    """One per process."""

    store: AsyncStore
    durability: Durability
    sightings: Sightings
    alarm: Alarm
    watch: CursorWatch
    pages: BoardPages
    live: LiveBoards
    access: Access

    def now(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    def fresh_id(self) -> str:
        """An id that nobody can guess and nobody else has."""
        return secrets.token_hex(12)

    def seed(self) -> int:
        """A seed for the store's generator, which takes 31 bits."""
        return secrets.randbits(31)


@asynccontextmanager
async def running_engine(settings: Settings) -> AsyncIterator[Engine]:
    """The engine of this process, and its connections."""
    url = store_url(settings)
    client = connect_async(url, ANSWER_SECONDS)
    durability = Durability(connect_async(url), fence(settings))
    queue = folding_queue(queue_url(settings))
    store, alarm = AsyncStore(client, archive(settings)), Alarm(queue)
    counts, uses = SharedCounts(store), KeyUses(store)
    limits = RateLimits(counts, parse(settings.rate_limit), parse(settings.public_rate_limit))
    access = Access(store, admin_key(settings), settings.public_read, limits, uses)
    sightings = Sightings(store, durability, device_key(settings))
    watch, live = CursorWatch(store), LiveBoards(store)
    try:
        with on_stop(live.close), on_stop(watch.close):
            yield Engine(store, durability, sightings, alarm, watch, BoardPages(store), live, access)
    finally:
        await alarm.close()
        await durability.close()
        await counts.close()
        await uses.close()
        await store.close()
        await client.aclose()
        queue.connection.close()


async def _engine(request: Request) -> Engine:
    engine: Engine = request.app.state.engine
    return engine


EngineDep = Annotated[Engine, Depends(_engine)]
