"""Runs calls: on a blocking client for workers and the command line, on an asynchronous one for the API."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol, TypeVar, cast

import redis
from redis.exceptions import NoScriptError

from matchmaker.archive import Archive, ArchivedFile
from matchmaker.errors import InvalidInputError, NotFoundError
from matchmaker.store import batch
from matchmaker.store.archives import Shelves, fill, find_gaps, read_files
from matchmaker.store.call import Call, Plan, Shelf, StaleLadderError
from matchmaker.store.fences import Fence, lost
from matchmaker.store.ladders import Edition, read
from matchmaker.store.round_trips import AsyncClient, Command, RoundTrips

T = TypeVar("T")

ANSWER_SECONDS = 1.2
"""For so long the API's client itself waits for an answer. It must notice first, to look for another server
where there are several."""


_BULKY: Final = 500
"""Words of a command from which on others should not wait for it. A list of 1,000 results has some 6,000."""


class Client(Protocol):
    """The one method of a redis-py client that is needed here."""

    def execute_command(self, *args: Any) -> Any: ...


class _Editions:
    """The ladders' settings as this process last saw them.

    They may be out of date: every script that depends on them compares the revision, and `on` reads them
    again when a script says that they are stale.
    """

    def __init__(self) -> None:
        self._known: dict[str, Edition] = {}

    def get(self, ladder_id: str) -> Edition | None:
        return self._known.get(ladder_id)

    def keep(self, ladder_id: str, edition: Edition | None) -> Edition:
        if edition is None:
            self.drop(ladder_id)
            raise NotFoundError("ladder", ladder_id)
        self._known[ladder_id] = edition
        return edition

    def drop(self, ladder_id: str) -> None:
        self._known.pop(ladder_id, None)


class Store:
    """The store, for code that may block. `fence` says what makes its writes safe; None: whatever does.

    `archive` is where entries lie that it holds no longer; None where there are none.
    """

    def __init__(self, client: Client, fence: Fence | None = None, archive: Archive | None = None) -> None:
        self.client = client
        self.archive = archive
        self._fence = fence
        self._shelves = Shelves()
        self._editions = _Editions()

    def run(self, call: Call[T]) -> T:
        """The result of one call.

        Raises redis.exceptions.RedisError if the store cannot answer, ArchiveUnavailableError if the archive
        does not and has to.
        """
        try:
            reply = self.client.execute_command(*call.command(by_source=False))
        except NoScriptError:
            reply = self.client.execute_command(*call.command(by_source=True))
        for shelf, gaps in find_gaps(call, reply).items():
            fill(reply, gaps, self.files(shelf), self.archive)
        return call.read(reply)

    def files(self, shelf: Shelf) -> Sequence[ArchivedFile]:
        """The files on that shelf as they are now, in the order of their rows."""
        return self._shelves.keep(shelf, self.run(read_files(shelf, self._shelves.get(shelf))))

    def confirm(self, key: str, witness: Call[bool]) -> None:
        """Returns when the write that the witness looks for is safe; `key` is the fence key in its slot.

        Raises StoreUnavailableError or RedisError if that is uncertain.
        """
        if self._fence:
            assert isinstance(self.client, redis.Redis | redis.RedisCluster)
            replies = batch.send(self.client, key, self._fence.commands(key, (witness,)))
            if not all(self._fence.read((witness,), replies)):
                raise lost()

    def carry_out(self, plan: Plan[T]) -> T:
        """The result of a plan. Raises what `run` and the plan raise."""
        result = None
        while True:
            try:
                call = plan.send(result)
            except StopIteration as end:
                return cast(T, end.value)
            result = self.run(call)

    def edition(self, ladder_id: str) -> Edition:
        """The ladder's settings, perhaps out of date. Raises NotFoundError for an unknown ladder."""
        return self._editions.get(ladder_id) or self._editions.keep(ladder_id, self.run(read(ladder_id)))

    def on(self, ladder_id: str, operation: Callable[[Edition], Call[T]]) -> T:
        """The result of a call that depends on the ladder's settings, made under its current ones."""
        return self.under(ladder_id, lambda edition: self.run(operation(edition)))

    def follow(self, ladder_id: str, plan: Callable[[Edition], Plan[T]]) -> T:
        """The result of a plan, followed under the ladder's current settings; anew if they were stale."""
        return self.under(ladder_id, lambda edition: self.carry_out(plan(edition)))

    def under(self, ladder_id: str, operation: Callable[[Edition], T]) -> T:
        """The result of an operation under the ladder's current settings: done again if they were stale."""
        while True:
            try:
                return operation(self.edition(ladder_id))
            except StaleLadderError:
                self._editions.drop(ladder_id)


class AsyncStore:
    """The store, for code on an event loop; see Store."""

    def __init__(self, client: AsyncClient, archive: Archive | None = None) -> None:
        self._archive = archive
        self._shelves = Shelves()
        self._trips = RoundTrips(client)
        self._bulky_trips = RoundTrips(client)
        self._editions = _Editions()

    async def close(self) -> None:
        """Breaks off the calls that are under way. The client is left to the caller."""
        await self._trips.close()
        await self._bulky_trips.close()

    async def run(self, call: Call[T]) -> T:
        """See Store.run."""
        return await self._run(call, self._send)

    async def carry_out(self, plan: Plan[T]) -> T:
        """See Store.carry_out."""
        result = None
        while True:
            try:
                call = plan.send(result)
            except StopIteration as end:
                return cast(T, end.value)
            result = await self.run(call)

    async def glance(self, call: Call[T]) -> T:
        """The same for a read that many ask for: those who do at the same moment are told the same."""
        return await self._run(call, self._trips.share)

    def _send(self, command: Command) -> Awaitable[Any]:
        return (self._trips if len(command) < _BULKY else self._bulky_trips).send(command)

    async def _run(self, call: Call[T], send: Callable[[Command], Awaitable[Any]]) -> T:
        try:
            reply = await send(call.command(by_source=False))
        except NoScriptError:
            reply = await send(call.command(by_source=True))
        for shelf, gaps in find_gaps(call, reply).items():
            files = await self._run(read_files(shelf, self._shelves.get(shelf)), send)
            self._shelves.keep(shelf, files)
            await asyncio.to_thread(fill, reply, gaps, files, self._archive)
        return call.read(reply)

    async def edition(self, ladder_id: str) -> Edition:
        """See Store.edition."""
        return self._editions.get(ladder_id) or self._editions.keep(
            ladder_id, await self.run(read(ladder_id))
        )

    async def current(self, ladder_id: str) -> Edition:
        """The ladder's settings as they are now, for what no script fences. Raises NotFoundError."""
        return self._editions.keep(ladder_id, await self.glance(read(ladder_id)))

    async def on(self, ladder_id: str, operation: Callable[[Edition], Call[T]]) -> T:
        """See Store.on. What seems invalid is judged again if the settings may be out of date."""
        while True:
            known = self._editions.get(ladder_id)
            try:
                return await self.run(operation(await self.edition(ladder_id)))
            except StaleLadderError:
                self._editions.drop(ladder_id)
            except InvalidInputError:
                if known is None or (await self.current(ladder_id)).revision == known.revision:
                    raise

    async def follow(self, ladder_id: str, plan: Callable[[Edition], Plan[T]]) -> T:
        """See Store.follow."""
        while True:
            try:
                return await self.carry_out(plan(await self.edition(ladder_id)))
            except StaleLadderError:
                self._editions.drop(ladder_id)
