"""Pages of boards that are kept are as new as any."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import redis
from httpx import AsyncClient

from api import board_pages
from api.board_pages import BoardPages
from matchmaker.presets import PRESETS
from matchmaker.store import ladders, players
from matchmaker.store.call import Call
from matchmaker.store.client import AsyncStore, Store
from matchmaker.store.connect import connect_async
from tests.api.conftest import join

pytestmark = pytest.mark.anyio

BOARD = "/ladders/nft/board"


class Hurried(AsyncStore):
    """Somebody joins right after the first look at the mark."""

    looks = 0

    async def glance(self, call: Call[Any]) -> Any:
        mark = await super().glance(call)
        self.looks += 1
        if self.looks == 1:
            await self.on("nft", lambda edition: players.join(edition, "late"))
        return mark


@pytest.fixture
async def pages(clean_store: str, store: Store) -> AsyncIterator[BoardPages]:
    for ladder in PRESETS:
        store.run(ladders.put(ladder))
    async with connect_async(clean_store) as client:
        yield BoardPages(AsyncStore(client))


def snapshot(client: redis.Redis) -> Callable[[], None]:
    """Returns what makes the store the one that it is now."""
    keys = {key: client.dump(key) or b"" for key in client.scan_iter()}

    def restore() -> None:
        client.flushall()
        for key, value in keys.items():
            client.restore(key, 0, value)

    return restore


async def listed(client: AsyncClient) -> list[tuple[str, str | None]]:
    entries = (await client.get(BOARD)).json()["entries"]
    return [(row["player"], row["name"]) for row in entries]


async def test_joins_and_renamings_through_another_process_are_on_the_board_at_once(
    client: AsyncClient, private: AsyncClient
) -> None:
    private.headers.update(client.headers)
    for name in (None, "Ann", "Anna"):
        await join(private, "ann", name=name)
        assert await listed(client) == await listed(private) == [("ann", name)]


async def test_who_was_lost_in_a_failover_is_gone_from_the_board(
    client: AsyncClient, redis_client: redis.Redis
) -> None:
    fail_over = snapshot(redis_client)
    await join(client, "ann")
    assert await listed(client) == [("ann", None)]
    fail_over()
    await join(client, "bob")
    assert await listed(client) == [("bob", None)]


async def test_a_page_is_kept_until_others_have_taken_its_place(
    pages: BoardPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_pages, "_MOST_ROWS", 25)  # two empty pages
    first, second = await pages.page("nft", 0, 1), await pages.page("nft", 0, 2)
    assert await pages.page("nft", 0, 1) is first
    await pages.page("nft", 0, 3)
    assert await pages.page("nft", 0, 1) is first
    assert await pages.page("nft", 0, 2) is not second


@pytest.mark.usefixtures("pages")
async def test_a_page_that_is_newer_than_the_question_is_kept_as_what_it_is(
    clean_store: str, redis_client: redis.Redis
) -> None:
    fail_over = snapshot(redis_client)
    async with connect_async(clean_store) as client:
        hurried = BoardPages(Hurried(client))
        assert [row.player for row in (await hurried.page("nft", 0, 1)).page.entries] == ["late"]
        fail_over()
        assert (await hurried.page("nft", 0, 1)).page.entries == []
