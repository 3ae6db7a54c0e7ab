"""A limit of time that holds even if what is limited does not heed it."""

import asyncio

import pytest

from matchmaker.store.deadline import within

pytestmark = pytest.mark.anyio


async def test_what_is_in_time_gives_its_result() -> None:
    async def work() -> int:
        return 7

    assert await within(10, work()) == 7


async def test_what_fails_in_time_fails() -> None:
    async def work() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        await within(10, work())


async def test_what_takes_too_long_is_cancelled() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(TimeoutError):
        await within(0.01, work())
    await asyncio.wait_for(ended.wait(), 5)


async def test_what_does_not_heed_that_is_not_waited_for() -> None:
    ended, go_on = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await go_on.wait()
            ended.set()
            raise KeyError from None

    with pytest.raises(TimeoutError):
        await within(0.01, work())
    assert not ended.is_set()
    go_on.set()
    await asyncio.wait_for(ended.wait(), 5)


async def test_who_gives_up_ends_the_work() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    task = asyncio.create_task(within(10, work()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(ended.wait(), 5)
