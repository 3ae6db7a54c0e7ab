"""Requests in windows of time: counted in this process, and shared with the others ten times a second.

So counting costs a request nothing but two look-ups, and an instance of many processes lets no more pass than
the limit and what arrives within a tenth of a second.
"""

import asyncio
import time
from dataclasses import dataclass, field
from itertools import islice

from redis.exceptions import RedisError

from matchmaker.store import rates
from matchmaker.store.client import AsyncStore

_INTERVAL = 0.1
"""Seconds between two exchanges with the store."""

_NAMES_AT_ONCE = 1000


@dataclass(slots=True)
class _Window:
    """`counts` is what is known of all processes; `news` is the part of it that they do not know yet."""

    number: int
    counts: dict[str, int] = field(default_factory=dict)
    news: dict[str, int] = field(default_factory=dict)


class SharedCounts:
    """Counts the requests of all API processes. Without the store, those of this one."""

    def __init__(self, store: AsyncStore) -> None:
        self._store = store
        self._windows: dict[int, _Window] = {}
        self._sharing: asyncio.Task[None] | None = None

    def add(self, name: str, seconds: int) -> tuple[int, float]:
        """Counts a request. How many that name has made in this window, and the seconds until its end."""
        now = time.time()
        number = int(now // seconds)
        window = self._windows.get(seconds)
        if window is None or window.number != number:
            window = self._windows[seconds] = _Window(number)
        count = window.counts[name] = window.counts.get(name, 0) + 1
        window.news[name] = window.news.get(name, 0) + 1
        if self._sharing is None:
            self._sharing = asyncio.create_task(self._share())
        return count, (number + 1) * seconds - now

    async def _share(self) -> None:
        while any(window.news for window in self._windows.values()):
            await asyncio.sleep(_INTERVAL)
            for seconds, window in list(self._windows.items()):
                await self._share_window(seconds, window)
        self._sharing = None

    async def _share_window(self, seconds: int, window: _Window) -> None:
        news, window.news = iter(window.news.items()), {}
        while some := dict(islice(news, _NAMES_AT_ONCE)):
            try:
                totals = await self._store.run(rates.count(seconds, window.number, some))
            except RedisError:
                return  # those requests are known here alone
            for name, total in totals.items():
                window.counts[name] = max(window.counts[name], total + window.news.get(name, 0))

    async def close(self) -> None:
        """Stops sharing."""
        if self._sharing is not None:
            self._sharing.cancel()
            await asyncio.wait([self._sharing])
