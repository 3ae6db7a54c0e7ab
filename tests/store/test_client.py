"""The two stores that run calls, and what they do about a server that lacks a script."""

import asyncio

import pytest
import redis

from matchmaker.store import boards, ladders
from matchmaker.store.call import Call
from matchmaker.store.client import AsyncStore, Store
from matchmaker.store.connect import connect_async
from tests.stage import Stage


def test_a_server_that_forgot_the_scripts_is_taught_them_again(
    stage: Stage, redis_client: redis.Redis
) -> None:
    stage.join("ann")
    redis_client.script_flush()
    assert stage.standing("ann").rank == 1


async def test_the_asynchronous_store_answers_alike(stage: Stage, clean_store: str) -> None:
    stage.join("ann", "bob")
    async with connect_async(clean_store) as client:
        store = AsyncStore(client)
        assert await store.run(ladders.index()) == [stage.id]
        assert await store.on(stage.id, lambda edition: boards.page(edition, 0, 10)) == stage.page(0, 10)


async def test_the_asynchronous_store_teaches_scripts_and_reads_outdated_settings_again(
    stage: Stage, clean_store: str, redis_client: redis.Redis
) -> None:
    stage.join("ann")
    async with connect_async(clean_store) as client:
        store = AsyncStore(client)
        await store.edition(stage.id)
        stage.put(tiers=[{"name": "everybody", "from": 0}])
        redis_client.script_flush()
        page = await store.on(stage.id, lambda edition: boards.page(edition, 0, 10))
    assert page.entries[0].tier == "everybody"


async def test_nobody_waits_for_what_a_long_command_does(clean_store: str, redis_client: redis.Redis) -> None:
    async with connect_async(clean_store) as client:
        store = AsyncStore(client)
        long = asyncio.create_task(
            store.run(Call(("BLPOP", *(f"mm:{number}" for number in range(1000)), 0), str))
        )
        await asyncio.sleep(0)
        assert await store.run(Call(("ECHO", "a"), str)) == "b'a'"
        assert not long.done()
        redis_client.rpush("mm:7", "done")
        await long


async def test_a_store_that_is_closed_breaks_off_long_commands_too(clean_store: str) -> None:
    async with connect_async(clean_store) as client:
        store = AsyncStore(client)
        long = asyncio.create_task(
            store.run(Call(("BLPOP", *(f"mm:{number}" for number in range(1000)), 0), str))
        )
        await asyncio.sleep(0)
        await store.close()
        with pytest.raises(redis.ConnectionError, match="being closed"):
            await asyncio.wait_for(long, 1)


def test_a_store_asks_for_a_ladders_settings_once(stage: Stage, store: Store) -> None:
    assert store.edition(stage.id) is store.edition(stage.id)
