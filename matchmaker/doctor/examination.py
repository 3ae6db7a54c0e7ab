"""All checks, one after the other."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import redis

from matchmaker.config import Settings
from matchmaker.doctor.archive import check_archive
from matchmaker.doctor.directory import check_directory
from matchmaker.doctor.finding import Finding
from matchmaker.doctor.folding import check_ladders, check_queue, check_workers
from matchmaker.doctor.topology import check_store
from matchmaker.endpoints import archive, fence, queue_url, store_url
from matchmaker.errors import StoreUnavailableError
from matchmaker.queue import folding_queue
from matchmaker.store import ladders
from matchmaker.store.address import parse_address
from matchmaker.store.client import Store
from matchmaker.store.connect import UNAVAILABLE, connect


def examine(settings: Settings) -> Iterator[Finding]:
    """What there is to say about this installation. Checks that need a store which is away are left out."""
    yield from check_directory(settings.data_dir, embedded=settings.store_url is None)
    with ExitStack() as stack:
        try:
            url = store_url(settings)
            client = stack.enter_context(connect(url))
            client.ping()
        except StoreUnavailableError as error:
            yield Finding("store", "bad", error.detail, "Without it nothing else can be checked.")
            return
        except (*UNAVAILABLE, redis.ResponseError) as error:
            yield Finding(
                "store",
                "bad",
                f"it does not answer: {error}",
                "Start it, or correct MATCHMAKER_STORE_URL (host, port, password).",
            )
            return
        store = Store(client, archive=archive(settings))
        yield Finding("store", "ok", "it answers")
        try:
            yield from check_store(
                client, parse_address(url), fence(settings), embedded=settings.store_url is None
            )
        except redis.RedisError as error:
            yield Finding(
                "store settings",
                "unknown",
                f"they can't be read: {error}",
                "Allow INFO and TIME to this user.",
            )
        yield from _check_folding(settings, store)
        yield from check_archive(store)


def _check_folding(settings: Settings, store: Store) -> Iterator[Finding]:
    index = store.run(ladders.index())
    try:
        queue = folding_queue(queue_url(settings))
        with closing(queue.connection):
            yield from check_queue(queue, len(index))
            yield check_workers(store, queue)
    except redis.RedisError as error:
        yield Finding(
            "queue", "bad", f"it does not answer: {error}", "Start it, or correct MATCHMAKER_QUEUE_URL."
        )
    yield from check_ladders(store)
