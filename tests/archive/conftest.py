"""A ladder with an archive, and a moment at which all that has happened on it is old."""

import time
from functools import partial
from pathlib import Path

import pytest

from matchmaker.archive import Archive
from matchmaker.results import Result
from matchmaker.store import players
from matchmaker.store.client import Store
from matchmaker.timestamps import DAY_MS
from tests.stage import Stage, wins

NAMES = ["ann", "bob", "Žluťoučký kůň", "guest"]


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(str(tmp_path / "archive"))


@pytest.fixture
def store(store: Store, archive: Archive) -> Store:
    return Store(store.client, archive=archive)


@pytest.fixture
def later() -> int:
    """The day after tomorrow, in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000 + 2 * DAY_MS


@pytest.fixture
def season(store: Store) -> Stage:
    """A ladder that keeps a day, on which something of everything has happened; the last entry is a
    result."""
    stage = Stage(store, keep_days=1, history_limit=50)
    stage.join("ann", "bob", "Žluťoučký kůň", owner="cid")
    stage.join("guest", rating=2399.5)
    stage.on(partial(players.join, player="ann", name="Ann\u2028 {x}", owner=None))
    stage.report(*wins(*[("ann", "bob"), ("bob", "guest"), ("guest", "ann")] * 4))
    stage.report(Result.duel("draw", "Žluťoučký kůň", "ann", "draw", {}, -3_063_744_000_000))
    stage.report(Result("team", (("guest", "ann"), ("bob", "Žluťoučký kůň")), "loss", {}))
    stage.fold()
    stage.put(keep_days=1, history_limit=40, title="Later")
    stage.annul("r0")
    stage.suspend("guest")
    stage.fold()
    stage.adjust("ann", "shift", -7.25)
    stage.suspend("bob")
    stage.reinstate("bob")
    stage.report(*wins(("ann", "bob"), ("bob", "ann"), prefix="late"))
    stage.fold()
    return stage
