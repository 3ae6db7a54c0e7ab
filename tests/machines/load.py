"""Games that go on while machines fail: each request is repeated until it is taken."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from httpx import AsyncClient, Response

from matchmaker.fold import fold
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result
from matchmaker.store import folds, players
from matchmaker.store.client import Store
from tests.waiting import wait_until

_PLAYERS = [f"p{number}" for number in range(6)]
_PATIENCE = 20.0


class Load:
    """One ladder, whose players fight one battle after the other and report results from outside.

    `taken` are the ids of results that were answered with success; `refusals` counts the answers 503. With
    `two_primaries` a battle may be unknown for a moment to an app that still listens to the old one.
    """

    def __init__(self, clients: Sequence[AsyncClient], ladder: str, *, two_primaries: bool = False) -> None:
        self.ladder = ladder
        self.taken: list[str] = []
        self.refusals = 0
        self._clients = clients
        self._fine = {200, 201, 202, 404} if two_primaries else {200, 201, 202}
        self._numbers = count()

    async def prepare(self) -> None:
        """Makes the ladder, and lets its players join."""
        await self._insist("PUT", "", {"rule": {"name": "initiator_k"}, "pool": {"deviation": 10_000}})
        for player in _PLAYERS:
            await self._insist("PUT", f"/players/{player}", {})

    async def play(self, stopped: asyncio.Event) -> None:
        """All players play until they are stopped, each its own battles, one after the other."""
        async with asyncio.TaskGroup() as games:
            for player in _PLAYERS:
                games.create_task(self._play(player, stopped))

    async def _play(self, player: str, stopped: asyncio.Event) -> None:
        other = _PLAYERS[_PLAYERS.index(player) - 1]
        while not stopped.is_set():
            battle = (await self._insist("POST", "/battles", {"challenger": player})).json()["id"]
            answer = await self._insist("POST", f"/battles/{battle}/result", {"outcome": "win"})
            if answer.is_success:
                self.taken.append(battle)
            report = {"id": f"r{next(self._numbers)}", "initiator": player, "opponent": other}
            await self._insist("POST", "/results", {**report, "outcome": "loss"})
            self.taken.append(report["id"])

    async def _insist(self, method: str, path: str, body: Any) -> Response:
        async with asyncio.timeout(_PATIENCE):
            while True:
                client = self._clients[next(self._numbers) % len(self._clients)]
                response = await client.request(method, f"/ladders/{self.ladder}{path}", json=body)
                if response.status_code in self._fine:
                    return response
                assert response.status_code == 503, response.text
                assert response.headers["retry-after"] == "1"
                self.refusals += 1
                await asyncio.sleep(0.05)

    async def goes_on(self, results: int = 20) -> None:
        """Returns when so many more results have been taken."""
        goal = len(self.taken) + results
        await until(lambda: len(self.taken) >= goal)

    def check(self, store: Store) -> None:
        """Every result that was taken counts once, and the board is what the log says."""
        edition = store.edition(self.ladder)
        wait_until(lambda: not _behind(store, self.ladder), timeout=20, message="it is not rated")
        logged = store.run(folds.after(edition.keys, folds.START, 100_000))
        ids = [each.entry.id for each in logged if isinstance(each.entry, Result)]
        assert len(ids) == len(set(ids))
        assert set(self.taken) <= set(ids)
        states: dict[str, PlayerState] = {}
        fold(states, [each.entry for each in logged], edition.ladder.rule)
        assert store.run(players.states(edition, _PLAYERS)) == states
        assert sum(state.games for state in states.values()) == 2 * len(ids)
        assert sum(state.rating for state in states.values()) == 1500 * len(_PLAYERS)


def _behind(store: Store, ladder: str) -> bool:
    keys = store.edition(ladder).keys
    return bool(store.run(folds.after(keys, store.run(folds.cursor(keys)), 1)))


async def until(condition: Callable[[], object]) -> None:
    """Waits until the condition holds, and lets the games go on meanwhile."""
    async with asyncio.timeout(_PATIENCE):
        while not condition():  # noqa: ASYNC110  # the machines raise no events
            await asyncio.sleep(0.02)


@asynccontextmanager
async def playing(loads: Sequence[Load]) -> AsyncIterator[None]:
    """The games go on meanwhile; some results have been taken when it begins."""
    stopped = asyncio.Event()
    await asyncio.gather(*(load.prepare() for load in loads))
    async with asyncio.TaskGroup() as group:
        for load in loads:
            group.create_task(load.play(stopped))
        await asyncio.gather(*(load.goes_on() for load in loads))
        yield
        stopped.set()


async def check_all(loads: Sequence[Load], store: Store) -> None:
    """See Load.check."""
    for load in loads:
        await asyncio.to_thread(load.check, store)
