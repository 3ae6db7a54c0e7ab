"""A store with the preset ladders."""

import pytest
import redis

from matchmaker.store.client import Store
from matchmaker.store.presets import create_presets


@pytest.fixture
def store(redis_client: redis.Redis) -> Store:
    store = Store(redis_client)
    create_presets(store)
    return store
