"""API keys as the store keeps them."""

import fakeredis
import pytest

from matchmaker.apikeys import ENTROPY_BYTES, Key, make
from matchmaker.errors import NotFoundError
from matchmaker.store import apikeys
from matchmaker.store.client import Store


@pytest.fixture
def store() -> Store:
    return Store(fakeredis.FakeRedis())


def key(number: int, created_at: int = 0) -> Key:
    return make(bytes([number] * ENTROPY_BYTES), scope="read", ladders=(), label="", created_at=created_at)[0]


def test_a_created_key_is_found(store: Store) -> None:
    store.run(apikeys.create(key(1)))
    assert store.run(apikeys.find(key(1).id)) == key(1)


def test_an_unknown_key_is_not_found(store: Store) -> None:
    assert store.run(apikeys.find("000000000000")) is None


def test_keys_are_listed_oldest_first(store: Store) -> None:
    for each in (key(1, created_at=3), key(2, created_at=1), key(3, created_at=2)):
        store.run(apikeys.create(each))
    assert [each.created_at for each in store.run(apikeys.index())] == [1, 2, 3]


def test_a_revoked_key_is_gone(store: Store) -> None:
    store.run(apikeys.create(key(1)))
    store.run(apikeys.revoke(key(1).id))
    assert store.run(apikeys.find(key(1).id)) is None


def test_revoking_an_unknown_key_says_so(store: Store) -> None:
    with pytest.raises(NotFoundError) as refused:
        store.run(apikeys.revoke("000000000000"))
    assert refused.value.code == "unknown_key"


def test_the_last_use_of_each_key_is_remembered(store: Store) -> None:
    for at in (5, 7):
        store.run(apikeys.note_use(key(1).id, at))
    assert store.run(apikeys.uses([key(1).id, key(2).id])) == [7, None]


def test_a_use_can_be_forgotten(store: Store) -> None:
    store.run(apikeys.note_use(key(1).id, 5))
    store.run(apikeys.forget_use(key(1).id))
    assert store.run(apikeys.uses([key(1).id])) == [None]
