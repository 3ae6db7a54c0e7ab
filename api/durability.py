"""Answering only when what was written is safe: many requests share one wait for the store's confirmation."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence

from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as StoreTimeoutError

from matchmaker.store.batch import send_async
from matchmaker.store.call import Call
from matchmaker.store.client import AsyncStore
from matchmaker.store.connect import AsyncClient
from matchmaker.store.fences import Fence, lost
from matchmaker.store.round_trips import PATIENCE_SECONDS

_log = logging.getLogger(__name__)


class Durability:
    """Waits for fences, one at a time for each fence key: whoever comes meanwhile shares the next one.

    `client` is used for nothing else, since a wait blocks its connection.
    """

    def __init__(self, client: AsyncClient, fence: Fence) -> None:
        self._client = client
        self._fence = fence
        self._waiting: defaultdict[str, list[tuple[Call[bool], asyncio.Future[bool]]]] = defaultdict(list)
        self._rounds: dict[str, asyncio.Task[None]] = {}

    async def kept(self, key: str, witness: Call[bool]) -> None:
        """Returns when the write that the witness looks for is as safe as the settings demand.

        `key` is the fence key in the slot of what was written. Raises StoreUnavailableError or RedisError if
        that is uncertain; then the request may be repeated as it is.
        """
        if not self._fence:
            return
        outcome: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[key].append((witness, outcome))
        if key not in self._rounds:
            self._rounds[key] = asyncio.create_task(self._go_round(key))
        if not await outcome:
            raise lost()

    async def _go_round(self, key: str) -> None:
        while waiters := self._waiting.pop(key, None):
            try:
                found = await self._confirm(key, [witness for witness, _ in waiters])
            except Exception as error:
                waiters += self._waiting.pop(key, [])  # whoever came meanwhile has waited long enough as well
                _log.warning("%d writes are not confirmed: %s", len(waiters), error)
                for _, outcome in waiters:
                    if not outcome.done():
                        outcome.set_exception(error)
            else:
                for (_, outcome), kept in zip(waiters, found, strict=True):
                    if not outcome.done():
                        outcome.set_result(kept)
        del self._rounds[key]

    async def _confirm(self, key: str, witnesses: Sequence[Call[bool]]) -> list[bool]:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await self._attempt(key, witnesses)
        except TimeoutError:
            raise StoreTimeoutError(f"no answer within {PATIENCE_SECONDS:g} s") from None

    async def _attempt(self, key: str, witnesses: Sequence[Call[bool]], *, again: bool = True) -> list[bool]:
        try:
            replies = await send_async(self._client, key, self._fence.commands(key, witnesses))
            return self._fence.read(witnesses, replies)
        except StoreTimeoutError:
            raise
        except RedisError:
            if not again:
                raise
        # A key is looked up where it is now: in a cluster the client learns from that who owns it.
        await AsyncStore(self._client).run(Call(("GET", key), lambda reply: None))
        return await self._attempt(key, witnesses, again=False)

    async def close(self) -> None:
        """Waits for the fences that are under way, and closes the connections."""
        await asyncio.gather(*self._rounds.values())
        await self._client.aclose()
