"""Commands of the same moment share a round trip."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis
import redis.asyncio
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import ReadOnlyError, ResponseError
from redis.exceptions import TimeoutError as StoreTimeoutError

from matchmaker.store import round_trips
from matchmaker.store.connect import AsyncClient, connect_async
from matchmaker.store.round_trips import RoundTrips

pytestmark = pytest.mark.anyio


class Node:
    """In place of a client of a cluster: it answers what it is told to."""

    def __init__(self, *answers: Any) -> None:
        self._answers = iter(answers)
        self.called = asyncio.Event()

    async def execute_command(self, *command: Any) -> Any:
        self.called.set()
        answer = next(self._answers)
        if isinstance(answer, asyncio.Event):
            await answer.wait()
        if isinstance(answer, Exception):
            raise answer
        return answer


class Single(Node, redis.asyncio.Redis):  # type: ignore[misc]  # whose own bases disagree
    """In place of a client of a single server."""


class Slow(Single):
    """It takes a tenth of a second."""

    async def execute_command(self, *command: Any) -> Any:
        await asyncio.sleep(0.1)
        return b"at last"


@pytest.fixture
async def client(clean_store: str) -> AsyncIterator[AsyncClient]:
    async with connect_async(clean_store) as client:
        yield client


def calls(redis_client: redis.Redis, command: str) -> int:
    """How often the server has run the command."""
    statistics = redis_client.info("commandstats")
    assert isinstance(statistics, dict)
    return int(statistics.get(f"cmdstat_{command}", {}).get("calls", 0))


async def test_everybody_gets_the_reply_to_its_own_command(client: AsyncClient) -> None:
    trips = RoundTrips(client)
    replies = await asyncio.gather(*(trips.send(("ECHO", str(number))) for number in range(100)))
    assert replies == [str(number).encode() for number in range(100)]


async def test_one_refused_command_does_not_spoil_the_others(client: AsyncClient) -> None:
    trips = RoundTrips(client)
    fine, wrong, fine_too = (
        trips.send(("ECHO", "a")),
        trips.send(("HGET", "only-two-words")),
        trips.send(("ECHO", "b")),
    )
    assert (await fine, await fine_too) == (b"a", b"b")
    with pytest.raises(ResponseError, match="wrong number of arguments"):
        await wrong


async def test_one_command_that_cannot_be_sent_does_not_spoil_the_others(client: AsyncClient) -> None:
    trips = RoundTrips(client)
    fine, wrong, fine_too = (trips.send(("ECHO", word)) for word in ("a", "\ud800", "b"))
    assert (await fine, await fine_too) == (b"a", b"b")
    with pytest.raises(UnicodeEncodeError):
        await wrong


async def test_commands_of_the_same_moment_take_one_connection(client: AsyncClient) -> None:
    trips = RoundTrips(client)
    ids = await asyncio.gather(*(trips.send(("CLIENT", "ID")) for _ in range(20)))
    assert len(set(ids)) == 1


async def test_what_is_asked_during_a_trip_shares_the_next(
    client: AsyncClient, redis_client: redis.Redis
) -> None:
    trips = RoundTrips(client)
    first = trips.send(("CLIENT", "ID"))
    await asyncio.sleep(0)
    later = [trips.share(("STRLEN", "nothing")), trips.share(("STRLEN", "nothing"))]
    before = calls(redis_client, "strlen")
    await first
    assert await asyncio.gather(*later) == [0, 0]
    assert calls(redis_client, "strlen") == before + 1


async def test_what_nobody_waits_for_any_more_is_not_sent(client: AsyncClient) -> None:
    trips = RoundTrips(client)
    trips.send(("SET", "mm:gone", "1")).cancel()
    assert await trips.send(("EXISTS", "mm:gone")) == 0


async def test_a_shared_read_is_asked_once(client: AsyncClient, redis_client: redis.Redis) -> None:
    trips, before = RoundTrips(client), calls(redis_client, "strlen")
    assert await asyncio.gather(*(trips.share(("STRLEN", "nothing")) for _ in range(20))) == [0] * 20
    assert calls(redis_client, "strlen") == before + 1


async def test_a_shared_read_is_never_older_than_its_question() -> None:
    node = Node(b"old", b"new")  # a cluster: the second question need not wait for the first
    trips = RoundTrips(node)
    first = trips.share(("GET", "version"))
    await asyncio.wait_for(node.called.wait(), 5)
    assert [await first, await trips.share(("GET", "version"))] == [b"old", b"new"]


async def test_who_goes_away_takes_no_reply_from_the_others(client: AsyncClient) -> None:
    trips = RoundTrips(client)
    gone, staying = trips.share(("ECHO", "a")), trips.share(("ECHO", "a"))
    gone.cancel()
    assert await staying == b"a"


async def test_a_server_that_has_become_a_replica_is_asked_again(client: AsyncClient) -> None:
    """As the client does with single commands: it may find the new primary meanwhile."""
    assert isinstance(client, redis.asyncio.Redis)

    class Demoted(redis.asyncio.client.Pipeline):
        async def execute(self, raise_on_error: bool = True) -> list[Any]:
            replies: list[Any] = await super().execute(raise_on_error)
            return [ReadOnlyError("a replica"), *replies[1:]]

    pool = client.connection_pool
    client.pipeline = lambda transaction: Demoted(pool, {}, transaction, None)  # type: ignore[assignment,method-assign,misc]
    trips = RoundTrips(client)
    replies = await asyncio.gather(*(trips.send(("ECHO", word)) for word in "ab"))
    assert replies == [b"a", b"b"]


async def test_a_server_that_takes_no_writes_still_answers_reads(
    client: AsyncClient, redis_client: redis.Redis
) -> None:
    redis_client.execute_command("REPLICAOF", "127.0.0.1", "1")
    try:
        trips = RoundTrips(client)
        writes = [trips.send(("SET", f"mm:{number}", "")) for number in range(20)]
        assert await trips.send(("EXISTS", "mm:0")) == 0
        errors = await asyncio.gather(*writes, return_exceptions=True)
        assert {type(error) for error in errors} == {ReadOnlyError}
    finally:
        redis_client.execute_command("REPLICAOF", "NO", "ONE")


@pytest.mark.parametrize(("limit", "most"), [("_MOST_COMMANDS", 2), ("_MOST_WORDS", 4)])
async def test_a_trip_takes_only_so_much_lest_others_wait_for_it(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(round_trips, "_MOST_TRIPS", 1)
    monkeypatch.setattr(round_trips, limit, most)
    trips = RoundTrips(client)
    first, second, third = (trips.send(("ECHO", word)) for word in "abc")
    assert (await first, second.done(), third.done()) == (b"a", True, False)
    assert await third == b"c"


async def test_a_single_server_is_sent_a_few_trips_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_trips, "_MOST_TRIPS", 2)
    stuck = asyncio.Event()
    trips = RoundTrips(Single(stuck, b"meanwhile", b"next"))
    replies = []
    for key in "abc":
        replies.append(trips.send(("GET", key)))
        await asyncio.sleep(0)
    assert await replies[1] == b"meanwhile"
    assert await replies[2] == b"next"
    assert not replies[0].done()
    stuck.set()
    await replies[0]


async def test_on_a_cluster_a_slow_node_holds_up_only_its_own_commands() -> None:
    stuck = asyncio.Event()
    trips = RoundTrips(Node(stuck, b"quick"))
    slow, quick = trips.send(("GET", "far")), trips.send(("GET", "near"))
    assert await quick == b"quick"
    assert not slow.done()
    stuck.set()
    await slow


async def test_a_store_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_trips, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(round_trips, "_LEAST_SECONDS", 0.01)
    stuck = asyncio.Event()
    with pytest.raises(StoreTimeoutError, match="no answer within"):
        await RoundTrips(Node(stuck)).send(("PING",))
    stuck.set()


async def test_a_connection_that_is_closed_while_it_is_written_to_counts_as_lost() -> None:
    with pytest.raises(StoreConnectionError, match="closed"):
        await RoundTrips(Node(RuntimeError("the handler is closed"))).send(("PING",))


async def test_a_queue_that_moves_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"PATIENCE_SECONDS": 0.3, "_LEAST_SECONDS": 0.05, "_MOST_COMMANDS": 1, "_MOST_TRIPS": 1}
    for name, value in values.items():
        monkeypatch.setattr(round_trips, name, value)
    trips = RoundTrips(Slow())
    assert await asyncio.gather(*(trips.send(("GET", "a")) for _ in range(5))) == [b"at last"] * 5


async def test_whoever_has_waited_long_for_a_trip_gives_up_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_trips, "PATIENCE_SECONDS", 0.6)
    monkeypatch.setattr(round_trips, "_LEAST_SECONDS", 0.4)
    monkeypatch.setattr(round_trips, "_MOST_TRIPS", 1)
    trips = RoundTrips(Single(asyncio.Event(), b"another"))
    travelling = trips.send(("GET", "a"))
    await asyncio.sleep(0)
    waiting = trips.send(("GET", "b"))
    await asyncio.wait([travelling], timeout=0.5)
    late = trips.send(("GET", "c"))
    for early in (travelling, waiting):
        with pytest.raises(StoreTimeoutError):
            await early
    assert await late == b"another"


async def test_a_reply_that_came_while_this_process_was_busy_counts(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await RoundTrips(client).send(("PING",))  # connects
    for name, seconds in (("PATIENCE", 0.1), ("_LEAST", 0.1), ("_LATE", 0.05)):
        monkeypatch.setattr(round_trips, f"{name}_SECONDS", seconds)
    reply = RoundTrips(client).send(("ECHO", "a"))
    await asyncio.sleep(0.01)
    time.sleep(0.3)  # noqa: ASYNC251 - which is the point
    assert await reply == b"a"


async def test_who_closes_breaks_off_what_is_under_way_and_what_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(round_trips, "_MOST_TRIPS", 1)
    trips = RoundTrips(Single(asyncio.Event(), b"never asked"))
    travelling = trips.send(("GET", "a"))
    await asyncio.sleep(0)
    waiting = trips.send(("GET", "b"))
    await trips.close()
    for reply in (travelling, waiting):
        with pytest.raises(StoreConnectionError, match="being closed"):
            await reply
