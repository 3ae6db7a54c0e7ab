"""What every test of the store begins with."""

import pytest

from matchmaker.store.client import Store
from tests.stage import Stage


@pytest.fixture
def stage(store: Store) -> Stage:
    """A ladder with the default settings."""
    return Stage(store)
