"""A store with the preset ladders."""

import pytest

from matchmaker.store.client import Store
from matchmaker.store.presets import create_presets


@pytest.fixture
def store(store: Store) -> Store:
    create_presets(store)
    return store
