"""The reaper: kills parts of the service at random, and wipes what RQ remembers."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from redis.exceptions import RedisError

from chaos.running import Running

PARTS: Final = {"worker": "matchmaker worker", "API": "matchmaker api", "valkey-server": "valkey-server"}
"""Kinds of victims, and the words by which their processes are known."""

RQ: Final = "RQ's keys"
"""What else is hit."""

_WEIGHTS: Final = {"worker": 2, "API": 1, "valkey-server": 1}
_REWRITES: Final = 0.25  # share of the kills of valkey-server that hit it while it rewrites its file
_POLL_SECONDS: Final = 0.02

# In one step: of a job that is called meanwhile, either everything goes or nothing.
_WIPE: Final = """
local keys = redis.call('KEYS', 'rq:*')
for _, key in ipairs(keys) do
  redis.call('DEL', key)
end
return #keys
"""


@dataclass(frozen=True, slots=True)
class Blow:
    """What was hit, and when on the loop's clock."""

    part: str
    at: float


class Reaper:
    """Kills `kills` processes within `seconds` (later, if nothing is alive to be killed), and halfway
    through deletes all keys of RQ. `store` is a client of the service's valkey-server."""

    def __init__(self, running: Running, store: Any, *, kills: int, seconds: float, random: Random) -> None:
        self._running = running
        self._store = store
        self._random = random
        self._moments = sorted(random.uniform(0, seconds) for _ in range(kills))
        self._wipe_at = seconds * random.uniform(0.4, 0.6)
        self.kills: list[Blow] = []
        self.rq_keys_wiped = 0

    async def run(self, tell: Callable[[Blow], object]) -> None:
        """Does its work; calls `tell` after each blow."""
        begin = asyncio.get_running_loop().time()
        await asyncio.gather(self._kill_all(begin, tell), self._wipe(begin, tell))

    async def _kill_all(self, begin: float, tell: Callable[[Blow], object]) -> None:
        """No kind is left out; beyond that, chance decides between those that are alive at the moment."""
        due = self._random.sample(list(PARTS), len(PARTS))
        for moment in self._moments:
            await _sleep_until(begin + moment)
            self.kills.append(await self._kill([due.pop()] if due else list(PARTS)))
            tell(self.kills[-1])

    async def _kill(self, parts: Sequence[str]) -> Blow:
        """Kills one process of one of these kinds, as soon as there is any."""
        while True:
            if alive := {part: pids for part in parts if (pids := self._pids(part))}:
                (part,) = self._random.choices(list(alive), [_WEIGHTS[part] for part in alive])
                if part == "valkey-server" and self._random.random() < _REWRITES:
                    await self._start_rewrite()
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._random.choice(alive[part]), signal.SIGKILL)
                    return Blow(part, asyncio.get_running_loop().time())
            await asyncio.sleep(_POLL_SECONDS)

    def _pids(self, part: str) -> list[int]:
        return sorted(self._running.children(PARTS[part]))

    async def _start_rewrite(self) -> None:
        with contextlib.suppress(RedisError):  # one that loads its data can't
            await asyncio.to_thread(self._store.bgrewriteaof)

    async def _wipe(self, begin: float, tell: Callable[[Blow], object]) -> None:
        await _sleep_until(begin + self._wipe_at)
        while not self.rq_keys_wiped:
            with contextlib.suppress(RedisError):
                self.rq_keys_wiped = await asyncio.to_thread(self._store.eval, _WIPE, 0)
            await asyncio.sleep(_POLL_SECONDS)
        tell(Blow(RQ, asyncio.get_running_loop().time()))


async def _sleep_until(moment: float) -> None:
    await asyncio.sleep(moment - asyncio.get_running_loop().time())
