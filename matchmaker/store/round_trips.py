"""Round trips to the store: commands that are sent at the same moment of an event loop share one."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

import redis.asyncio
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import DataError, ReadOnlyError
from redis.exceptions import TimeoutError as StoreTimeoutError

from matchmaker.store.call import Argument

PATIENCE_SECONDS: Final = 1.5
"""For so long the API waits for a store that is silent, connecting included: whoever asks it hears within two
seconds that the store does not answer."""

_LEAST_SECONDS: Final = 0.5
"""That every trip is given, however long its commands have been waiting for one that failed."""

_LATE_SECONDS: Final = 0.1
"""An alarm that comes later says that this process was busy, not that the store is slow."""

_MOST_TRIPS: Final = 3
"""Under way to a single server: enough for it to work while this process reads replies and sends commands,
few enough for commands to gather. With one, drawing opponents was a fifth slower, with five no faster."""

_MOST_COMMANDS: Final = 128
_MOST_WORDS: Final = 8_000
"""In one trip, so that nobody waits long for what others want. A list of 1,000 results has some 6,000."""

Command: TypeAlias = tuple[Argument, ...]


class AsyncClient(Protocol):
    """The one method of an asynchronous redis-py client that is needed here."""

    def execute_command(self, *args: Any) -> Awaitable[Any]: ...


@dataclass(slots=True)
class _Errand:
    """A command, the time of the event loop at which it was asked for, and who waits for its reply."""

    command: Command
    since: float
    askers: list["asyncio.Future[Any]"] = field(default_factory=list)

    def settle(self, reply: Any) -> None:
        for asker in self.askers:
            if asker.done():
                continue
            if isinstance(reply, Exception):
                asker.set_exception(reply)
            else:
                asker.set_result(reply)

    def is_wanted(self) -> bool:
        return not all(asker.done() for asker in self.askers)


class RoundTrips:
    """Sends commands and brings the replies back.

    A client spends more on a round trip than on the commands in it. So whatever many requests ask at the same
    moment travels together, and so does what they ask while some trips are under way: in the next one. A
    single server loses nothing by that, since it does one thing after the other anyway. On a cluster each
    command travels by itself.
    """

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._waiting: deque[_Errand] = deque()
        self._shared: dict[Command, _Errand] = {}
        self._under_way: dict[asyncio.Task[None], asyncio.TimerHandle] = {}
        self._heard = 0.0  # from the store, by the time of the event loop

    def send(self, command: Command) -> "asyncio.Future[Any]":
        """The reply, in the future. Fails with redis.exceptions.RedisError."""
        return self._join(self._add(command))

    def share(self, command: Command) -> "asyncio.Future[Any]":
        """The same for a read: whoever asks for it before it is on its way gets the same reply."""
        errand = self._shared.get(command)
        if errand is None:
            errand = self._shared[command] = self._add(command)
        return self._join(errand)

    def _add(self, command: Command) -> _Errand:
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._depart)
        errand = _Errand(command, loop.time())
        self._waiting.append(errand)
        return errand

    def _join(self, errand: _Errand) -> "asyncio.Future[Any]":
        asker: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        errand.askers.append(asker)
        return asker

    def _depart(self) -> None:
        alone = not isinstance(self._client, redis.asyncio.Redis)
        while self._waiting and (alone or len(self._under_way) < _MOST_TRIPS):
            if load := self._load(1 if alone else _MOST_COMMANDS):
                trip = asyncio.create_task(self._travel(load))
                trip.add_done_callback(partial(self._arrive, load))
                self._expect(trip, load, self._patience(load))

    def _load(self, most: int) -> list[_Errand]:
        """What travels together next, oldest first; without what nobody waits for any more."""
        self._shared.clear()
        load: list[_Errand] = []
        words = 0
        while self._waiting and len(load) < most:
            words += len(self._waiting[0].command)
            if load and words > _MOST_WORDS:
                break
            errand = self._waiting.popleft()
            if errand.is_wanted():
                load.append(errand)
        return load

    def _arrive(self, load: Sequence[_Errand], trip: "asyncio.Task[None]") -> None:
        self._under_way.pop(trip).cancel()
        _break_off(load)  # which it has settled, unless it was cancelled
        self._depart()

    def _expect(self, trip: "asyncio.Task[None]", load: Sequence[_Errand], seconds: float) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        self._under_way[trip] = loop.call_later(seconds, self._check, trip, load, due)

    def _patience(self, load: Sequence[_Errand]) -> float:
        """Seconds that a trip is given. A queue is none of the store's failures as long as it moves."""
        silence = asyncio.get_running_loop().time() - max(load[0].since, self._heard)
        return max(PATIENCE_SECONDS - silence, _LEAST_SECONDS)

    def _check(self, trip: "asyncio.Task[None]", load: Sequence[_Errand], due: float) -> None:
        """The trip should be back. Whoever has waited nearly as long for another one gives up as well."""
        now = asyncio.get_running_loop().time()
        if now - due > _LATE_SECONDS:  # and so the reply may lie there unread
            self._expect(trip, load, _LATE_SECONDS)
            return
        trip.cancel()
        tired = now - (PATIENCE_SECONDS - _LEAST_SECONDS)
        for errand in (*load, *(each for each in self._waiting if each.since <= tired)):
            errand.settle(StoreTimeoutError(f"no answer within {PATIENCE_SECONDS:g} s"))
        self._shared.clear()

    async def close(self) -> None:
        """Breaks off what is under way, which might open connections after everything is closed."""
        _break_off(self._waiting)
        self._waiting.clear()
        trips = list(self._under_way)
        for trip in trips:
            trip.cancel()
        await asyncio.gather(*trips, return_exceptions=True)

    async def _travel(self, errands: Sequence[_Errand]) -> None:
        try:
            replies = await self._replies([errand.command for errand in errands])
            self._heard = asyncio.get_running_loop().time()
        except (DataError, TypeError, ValueError) as error:
            if len(errands) > 1:  # one of them cannot be packed, and so none has left
                for errand in errands:
                    await self._travel([errand])
                return
            replies = [error]
        except RuntimeError as error:  # of uvloop, if the connection is closed at the very moment of a write
            replies = [StoreConnectionError(str(error))] * len(errands)
        except Exception as error:
            replies = [error] * len(errands)
        refused = []
        for errand, reply in zip(errands, replies, strict=True):
            if isinstance(reply, ReadOnlyError) and len(errands) > 1:
                refused.append(errand)
            else:
                errand.settle(reply)
        await self._ask_again(refused)

    async def _replies(self, commands: Sequence[Command]) -> list[Any]:
        if len(commands) == 1:
            return [await self._client.execute_command(*commands[0])]
        assert isinstance(self._client, redis.asyncio.Redis)
        async with self._client.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            replies: list[Any] = await pipeline.execute(raise_on_error=False)
        return replies

    async def _ask_again(self, errands: Sequence[_Errand]) -> None:
        """A client asks a server that turned out to be a replica once more, but not for pipelines. If it is
        one still, it is for all of them."""
        for place, errand in enumerate(errands):
            try:
                errand.settle(await self._client.execute_command(*errand.command))
            except ReadOnlyError as error:
                for each in errands[place:]:
                    each.settle(error)
                return
            except Exception as error:
                errand.settle(error)


def _break_off(errands: Iterable[_Errand]) -> None:
    for errand in errands:
        errand.settle(StoreConnectionError("the connection is being closed"))
