"""Requests that several processes count together."""

import redis

from matchmaker.store import rates
from matchmaker.store.client import Store


def test_what_processes_add_comes_together(store: Store) -> None:
    assert store.run(rates.count(1, 7, {"ann": 2, "bob": 1})) == {"ann": 2, "bob": 1}
    assert store.run(rates.count(1, 7, {"bob": 4})) == {"bob": 5}


def test_every_window_begins_at_nothing(store: Store) -> None:
    store.run(rates.count(1, 7, {"ann": 2}))
    assert store.run(rates.count(1, 8, {"ann": 1})) == {"ann": 1}
    assert store.run(rates.count(60, 7, {"ann": 1})) == {"ann": 1}


def test_windows_expire(store: Store, redis_client: redis.Redis) -> None:
    store.run(rates.count(10, 7, {"ann": 2}))
    assert 10 <= redis_client.ttl("mm:rates:10:7") <= 70
