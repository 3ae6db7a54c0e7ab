"""A limit of time that holds even if what is limited does not heed it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_abandoned: set[asyncio.Task[Any]] = set()


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """What the work gives. Raises TimeoutError after so many seconds; the work is cancelled then, but nobody
    waits for it to end.

    asyncio.timeout would wait. Before Python 3.12, asyncio.wait_for (with which redis-py sends) drops a
    cancellation that comes at the wrong moment: calls that queued for a connection to a store that hangs
    took ten seconds. To cancel once more might hit a client that is just giving its connection back, and
    lose that.
    """
    task = asyncio.create_task(work)
    try:
        done, _ = await asyncio.wait((task,), timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            _abandoned.add(task)
            task.add_done_callback(_forget)
    if not done:
        raise TimeoutError
    return task.result()


def _forget(task: asyncio.Task[Any]) -> None:
    _abandoned.discard(task)
    if not task.cancelled():
        task.exception()  # or else it would be said that nobody has looked at it
