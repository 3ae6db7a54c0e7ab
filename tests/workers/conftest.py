"""A ladder with a queue, as worker processes see them."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count

import pytest
from rq import Queue

from matchmaker.presets import PRESETS
from matchmaker.queue import folding_queue
from matchmaker.results import Result
from matchmaker.store import ladders, players, reports
from matchmaker.store.client import Store
from workers.jobs import bench


@pytest.fixture
def queue(clean_store: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Queue]:
    """The folding queue; jobs of this process work on the same store. Ann and bob are in all ladders."""
    monkeypatch.setenv("MATCHMAKER_STORE_URL", clean_store)
    bench.cache_clear()
    for ladder in PRESETS:
        store.run(ladders.announce(ladder.id))
        store.run(ladders.put(ladder))
        for player in ("ann", "bob"):
            store.on(ladder.id, partial(players.join, player=player))
        store.client.execute_command("DEL", store.edition(ladder.id).keys.awake)
    queue = folding_queue(clean_store)
    yield queue
    tools = bench()
    for connection in (queue.connection, tools.queue.connection, tools.store.client):
        connection.close()  # type: ignore[attr-defined]  # a redis client
    bench.cache_clear()


@pytest.fixture
def report(store: Store) -> Callable[..., bool]:
    """Reports results that ann wins; says whether a job must be called."""
    numbers = count()

    def report(ladder: str = "nft", results: int = 1) -> bool:
        batch = [Result.duel(f"r{next(numbers)}", "ann", "bob", "win", {}) for _ in range(results)]
        return store.on(ladder, lambda edition: reports.accept(edition, batch, 0)).call

    return report
