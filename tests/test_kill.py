"""Folding jobs that are killed anywhere, any number of times, and whole ladders that are right in the end."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from random import Random

import redis

from matchmaker.fold import fold
from matchmaker.folding import fold_batch
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result
from matchmaker.store import folds, players
from matchmaker.store.client import Store
from tests.stage import Stage
from tests.waiting import wait_until

KILLS = 5
NAMES = [f"p{n}" for n in range(20)]
FOLD = """
import sys
from matchmaker.folding import fold_batch
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
store = Store(connect(sys.argv[1]))
while fold_batch(store, sys.argv[2], batch=100):
    pass
"""


@contextmanager
def _folding(url: str, ladder: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that folds the ladder; killed at the end if it is not done by then."""
    process = subprocess.Popen([sys.executable, "-c", FOLD, url, ladder])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _season(store: Store, count: int) -> Stage:
    """A ladder with `count` results that are waiting to be folded."""
    stage, random = Stage(store), Random(1)
    stage.join(*NAMES)
    for at in range(0, count, 1_000):
        results = []
        for n in range(at, at + 1_000):
            initiator, opponent = random.sample(NAMES, 2)
            results.append(
                Result.duel(f"r{n}", initiator, opponent, random.choice(["win", "draw", "loss"]), {})
            )
        stage.report(*results)
    return stage


def _cursor(stage: Stage) -> str:
    return stage.store.run(folds.cursor(stage.keys))


def _moved(stage: Stage, cursor: str) -> bool:
    return _cursor(stage) != cursor


def _assert_right(stage: Stage, count: int, client: redis.Redis) -> None:
    """Every result counts once, and all is as the pure fold of the log says."""
    logged = stage.store.run(folds.after(stage.keys, folds.START, 2 * count))
    assert len(logged) == len(NAMES) + count
    states: dict[str, PlayerState] = {}
    fold(states, [each.entry for each in logged], stage.store.edition(stage.id).ladder.rule)
    assert stage.on(lambda edition: players.states(edition, NAMES)) == states
    assert stage.ratings() == {name: state.rating for name, state in states.items()}
    assert sum(state.games for state in states.values()) == 2 * count
    assert sum(state.rating for state in states.values()) == 1500 * len(NAMES)
    assert client.xlen(stage.keys.changes) == count
    for name in NAMES:
        own = [
            each.entry.id for each in logged if isinstance(each.entry, Result) and name in each.entry.players
        ]
        assert [entry.result for entry in stage.history(name)] == own[: -100 - 1 : -1]


def test_folding_that_is_killed_again_and_again_counts_every_result_once(
    store: Store, store_url: str, redis_client: redis.Redis
) -> None:
    season = _season(store, 20_000)
    for _ in range(KILLS):
        before = _cursor(season)
        with _folding(store_url, season.id) as job:
            wait_until(partial(_moved, season, before), timeout=20)
            assert job.poll() is None, "the job was meant to be killed in the middle"
    assert season.fold() > 0
    _assert_right(season, 20_000, redis_client)


def test_two_jobs_at_once_count_every_result_once(
    store: Store, store_url: str, redis_client: redis.Redis
) -> None:
    season = _season(store, 5_000)
    with _folding(store_url, season.id) as other:
        wait_until(partial(_moved, season, _cursor(season)), timeout=20)
        while fold_batch(store, season.id, batch=100):
            pass
        assert other.wait(timeout=20) == 0
    _assert_right(season, 5_000, redis_client)
