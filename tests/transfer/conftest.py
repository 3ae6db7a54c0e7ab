"""A store with the preset ladders, and ladders that are worth a backup."""

import pytest

from matchmaker.store.client import Store
from matchmaker.store.presets import create_presets
from tests.stage import Stage
from tests.transfer.files import play


@pytest.fixture
def store(store: Store) -> Store:
    create_presets(store)
    return store


@pytest.fixture
def stage(store: Store) -> Stage:
    """A ladder with the default settings."""
    return Stage(store)


@pytest.fixture
def season(stage: Stage) -> Stage:
    """A ladder on which something of everything has happened."""
    return play(stage, "initiator_k")
