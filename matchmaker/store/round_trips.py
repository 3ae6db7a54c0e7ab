"""Round trips to the store: commands that are sent at the same moment of an event loop share one."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import redis.asyncio
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import ReadOnlyError
from redis.exceptions import TimeoutError as StoreTimeoutError

from matchmaker.store.call import Argument

PATIENCE_SECONDS: Final = 1.5
"""For so long the API waits for one command, connecting and queueing for a connection included: whoever asks
it hears within two seconds that the store does not answer."""

Command: TypeAlias = tuple[Argument, ...]


class AsyncClient(Protocol):
    """The one method of an asynchronous redis-py client that is needed here."""

    def execute_command(self, *args: Any) -> Awaitable[Any]: ...


@dataclass(slots=True)
class _Errand:
    """A command, and who waits for its reply."""

    command: Command
    askers: list["asyncio.Future[Any]"]

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
    moment, or while a trip is under way, travels together in the next one. A single server loses nothing by
    that: it does one thing after the other anyway. On a cluster each command travels by itself.
    """

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._next: list[_Errand] = []
        self._shared: dict[Command, _Errand] = {}
        self._under_way: set[asyncio.Task[None]] = set()

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
        if not self._next:
            self._next = []  # not the one that has departed
            loop = asyncio.get_running_loop()
            loop.call_soon(self._depart)
            loop.call_later(PATIENCE_SECONDS, _give_up, self._next)
        errand = _Errand(command, [])
        self._next.append(errand)
        return errand

    def _join(self, errand: _Errand) -> "asyncio.Future[Any]":
        asker: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        errand.askers.append(asker)
        return asker

    def _depart(self) -> None:
        if isinstance(self._client, redis.asyncio.Redis):
            if self._under_way:
                return
            loads = [self._next]
        else:
            loads = [[errand] for errand in self._next]
        self._next = []
        self._shared.clear()
        for load in loads:
            if wanted := [errand for errand in load if errand.is_wanted()]:
                trip = asyncio.create_task(self._travel(wanted))
                self._under_way.add(trip)
                trip.add_done_callback(self._arrive)

    def _arrive(self, trip: "asyncio.Task[None]") -> None:
        self._under_way.discard(trip)
        self._depart()

    async def _travel(self, errands: Sequence[_Errand]) -> None:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                replies = await self._replies([errand.command for errand in errands])
        except TimeoutError:
            replies = [_too_late()] * len(errands)
        except RuntimeError as error:  # of uvloop, if the connection is closed at the very moment of a write
            replies = [StoreConnectionError(str(error))] * len(errands)
        except Exception as error:
            replies = [error] * len(errands)
        for errand, reply in zip(errands, replies, strict=True):
            errand.settle(reply)

    async def _replies(self, commands: Sequence[Command]) -> list[Any]:
        if len(commands) == 1:
            return [await self._client.execute_command(*commands[0])]
        assert isinstance(self._client, redis.asyncio.Redis)
        async with self._client.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            replies: list[Any] = await pipeline.execute(raise_on_error=False)
        return [
            # A client asks a server that turned out to be a replica once more, but not for pipelines.
            await self._client.execute_command(*command) if isinstance(reply, ReadOnlyError) else reply
            for command, reply in zip(commands, replies, strict=True)
        ]


def _give_up(errands: Sequence[_Errand]) -> None:
    for errand in errands:
        errand.settle(_too_late())


def _too_late() -> StoreTimeoutError:
    return StoreTimeoutError(f"no answer within {PATIENCE_SECONDS:g} s")
