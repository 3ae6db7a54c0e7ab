"""Calls folding jobs without keeping a request waiting for the queue."""

import asyncio
import logging

from redis.exceptions import RedisError
from rq import Queue

from matchmaker.queue import call_folding_job

_log = logging.getLogger(__name__)


class Alarm:
    """Rings for a ladder. If the queue is out of reach the workers' sweep makes up for it."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._calls: set[asyncio.Task[None]] = set()

    def ring(self, ladder_id: str) -> None:
        """Starts to call a folding job; returns at once."""
        call = asyncio.create_task(self._call(ladder_id))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)

    async def _call(self, ladder_id: str) -> None:
        try:
            await asyncio.to_thread(call_folding_job, self._queue, ladder_id)
        except RedisError as error:
            _log.warning("no folding job called for %s: %s", ladder_id, error)

    async def close(self) -> None:
        """Waits for the calls that are under way."""
        await asyncio.gather(*self._calls)
