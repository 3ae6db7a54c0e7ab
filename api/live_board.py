"""A ladder's board while somebody watches it: one look at its version serves all viewers of this process."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic

from fastapi.sse import KEEPALIVE_COMMENT
from redis.exceptions import RedisError

from api.feed import Feed
from matchmaker.errors import NotFoundError
from matchmaker.standing import Standing
from matchmaker.store import boards, folds, players
from matchmaker.store.client import AsyncStore
from matchmaker.store.keys import LadderKeys

POLL_SECONDS = 0.1
STANDINGS_SECONDS = 1.0
"""How often, at most, the viewers' own standings are read."""

KEEPALIVE_SECONDS = 10.0

_STANDINGS_AT_ONCE = 1000


class LiveBoard:
    """One ladder. Viewers own nothing but a number: how far they have read."""

    def __init__(self, store: AsyncStore, ladder_id: str) -> None:
        self.viewers = 0
        self._store = store
        self._ladder_id = ladder_id
        self._version = ""
        self._feeds: dict[int, Feed] = {}
        self._limits: Counter[int] = Counter()
        self._own: Counter[str] = Counter()
        self._standings: dict[str, Standing] = {}
        self._standings_version = ""
        self._standings_due = 0.0
        self._beats = 0
        self._news = asyncio.Event()
        self._closed = False

    @asynccontextmanager
    async def watched(self, limit: int, player: str | None) -> AsyncIterator[Feed]:
        """The feed of the first `limit` rows, kept up to date meanwhile, as is the player's standing."""
        self.viewers += 1
        self._limits[limit] += 1
        own = [] if player is None else [player]
        self._own.update(own)
        try:
            if own:
                await self._read_standings(own)
                self._standings_version = ""  # as with the version, below
            if limit not in self._feeds:
                page = await self._store.on(self._ladder_id, lambda edition: boards.page(edition, 0, limit))
                self._feeds.setdefault(limit, Feed(self._ladder_id, limit, page))
                self._version = ""  # a look that is under way knows nothing of this feed: look again
            yield self._feeds[limit]
        finally:
            self.viewers -= 1
            self._limits[limit] -= 1
            self._own.subtract(own)
            if not self._limits[limit]:
                del self._limits[limit]
                self._feeds.pop(limit, None)
            for name in own:
                if not self._own[name]:
                    del self._own[name]
                    self._standings.pop(name, None)

    async def events(self, limit: int, player: str | None) -> AsyncGenerator[bytes]:
        """What one viewer is sent: the board, then changes, until the board is closed."""
        async with self.watched(limit, player) as feed:
            shown = self._standing(player)
            number, beats = feed.number, self._beats
            yield feed.snapshot(shown)
            while not self._closed:
                news = self._news  # taken before looking, so that nothing falls in between
                standing = self._standing(player)
                frames = feed.since(number)
                if frames is None:
                    frames = feed.snapshot(standing)
                elif standing is not None and standing != shown:
                    frames += feed.own(standing)
                if not frames and beats != self._beats:
                    frames = KEEPALIVE_COMMENT
                number, shown, beats = feed.number, standing, self._beats
                if frames:
                    yield frames
                await news.wait()

    def _standing(self, player: str | None) -> Standing | None:
        return None if player is None else self._standings.get(player)

    async def keep_up(self) -> None:
        """Follows the board until it is closed or its ladder is gone. Outlasts failures of the store."""
        next_beat = monotonic() + KEEPALIVE_SECONDS
        while not self._closed:
            await asyncio.sleep(POLL_SECONDS)
            try:
                changed = await self._look()
            except RedisError:
                changed = False
            except NotFoundError:
                self.close()
                return
            if monotonic() >= next_beat:
                next_beat = monotonic() + KEEPALIVE_SECONDS
                self._beats += 1
                changed = True
            if changed:
                self._tell()

    async def _look(self) -> bool:
        """Whether there is anything new to tell."""
        version = await self._store.run(folds.cursor(LadderKeys(self._ladder_id)))
        changed = version != self._version
        if changed and self._feeds:
            limit = max(self._feeds)
            page = await self._store.on(self._ladder_id, lambda edition: boards.page(edition, 0, limit))
            for size, feed in self._feeds.items():
                if size <= limit:
                    feed.show(page)
            self._version = version
        if self._own and self._standings_version != version and monotonic() >= self._standings_due:
            await self._read_standings(list(self._own))
            self._standings_version = version
            self._standings_due = monotonic() + STANDINGS_SECONDS
            changed = True
        return changed

    async def _read_standings(self, wanted: list[str]) -> None:
        for start in range(0, len(wanted), _STANDINGS_AT_ONCE):
            some = wanted[start : start + _STANDINGS_AT_ONCE]
            found = await self._store.on(self._ladder_id, partial(players.standings, players=some))
            self._standings.update((name, found[name]) for name in found if name in self._own)

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def close(self) -> None:
        """Ends the streams of all viewers."""
        self._closed = True
        self._tell()
