"""The arena: fighters request opponents, fight, and report, many at the same time."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from matchmaker.correlation import rank_correlation
from matchmaker.demo.client import Client, RefusedError
from matchmaker.demo.combat import fight
from matchmaker.demo.fighters import Fighter

_PARALLEL: Final = 16  # requests at the same time
_INTERVAL: Final = 2.0  # seconds between two measures
_RATED_WITHIN: Final = 5.0  # seconds
_PAUSE: Final = 0.05  # seconds, for somebody who found no opponent

_PASSING: Final = frozenset(
    {"no_opponent", "suspended", "unknown_battle", "battle_expired", "battle_cancelled", "battle_reported"}
)
"""Refusals that are part of the game: others go on fighting."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How things stand: battles so far and in a second, how well the board knows the hidden order (rank
    correlation), who leads."""

    battles: int
    per_second: float
    correlation: float
    leader: str
    leader_rating: float


class Arena:
    """Battles between `fighters` on one ladder: `battles` of them, or (None) without end."""

    def __init__(
        self, client: Client, fighters: Sequence[Fighter], *, seed: int, battles: int | None
    ) -> None:
        self._client = client
        self._fighters = {fighter.id: fighter for fighter in fighters}
        self._idle = list(fighters)
        self._random = Random(seed)
        self._left = battles
        self._fought = 0
        self._measured = (time.monotonic(), 0)

    async def run(self, stop: asyncio.Event, tell: Callable[[Measure], None]) -> None:
        """Has them join, then fight until all battles are over or `stop` is set. Measures all the while.

        Battles that have begun are fought to their end. Raises RefusedError.
        """
        rule = await self._client.rule()
        newcomers = list(self._fighters.values())
        await _together(self._join(newcomers, stop) for _ in range(_PARALLEL))
        if stop.is_set():
            return
        self._measured = (time.monotonic(), 0)
        over = asyncio.Event()
        await _together((self._fight_all(rule, stop, over), self._observe(over, tell)))

    async def _join(self, newcomers: list[Fighter], stop: asyncio.Event) -> None:
        while newcomers and not stop.is_set():
            fighter = newcomers.pop()
            await self._client.join(fighter.id, fighter.name, fighter.owner)

    async def _fight_all(self, rule: str, stop: asyncio.Event, over: asyncio.Event) -> None:
        await _together(self._fight(rule, stop) for _ in range(_PARALLEL))
        over.set()

    async def _observe(self, over: asyncio.Event, tell: Callable[[Measure], None]) -> None:
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), _INTERVAL)
            tell(await self._measure())

    async def _fight(self, rule: str, stop: asyncio.Event) -> None:
        while not stop.is_set() and self._left != 0:
            if self._left is not None:
                self._left -= 1
            if not await self._battle(rule):
                if self._left is not None:
                    self._left += 1
                await asyncio.sleep(_PAUSE)

    async def _battle(self, rule: str) -> bool:
        """Whether one of those who are idle found an opponent and fought."""
        challenger = self._idle.pop(self._random.randrange(len(self._idle)))
        try:
            battle = await self._client.opponent(challenger.id)
            ending = fight(rule, self._advantage(challenger, battle), self._random)
            await self._client.report(battle["id"], ending.outcome, ending.details, _RATED_WITHIN)
        except RefusedError as refusal:
            if refusal.code not in _PASSING:
                raise
            return False
        finally:
            self._idle.append(challenger)
        self._fought += 1
        return True

    def _advantage(self, challenger: Fighter, battle: dict[str, Any]) -> float:
        """Of strangers, only the rating is known."""
        opponent = self._fighters.get(battle["opponent"]["player"])
        if opponent is None:
            return float(battle["challenger"]["rating"] - battle["opponent"]["rating"])
        return challenger.strength - opponent.strength

    async def _measure(self) -> Measure:
        now, fought = time.monotonic(), self._fought
        then, before = self._measured
        self._measured = now, fought
        rows = [row for row in await self._client.board() if row["player"] in self._fighters]
        return Measure(
            battles=fought,
            per_second=(fought - before) / (now - then),
            correlation=rank_correlation(
                [self._fighters[row["player"]].strength for row in rows], [row["rating"] for row in rows]
            ),
            leader=rows[0]["name"] or rows[0]["player"],
            leader_rating=rows[0]["rating"],
        )


async def _together(workers: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Runs them all; the first one that fails ends the others."""
    tasks = [asyncio.create_task(worker) for worker in workers]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
