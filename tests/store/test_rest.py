"""When a folding job must be called, and when it may go to rest."""

import pytest
import redis

from matchmaker.store import folds
from matchmaker.store.keys import AWAKE_MS
from tests.stage import Stage, wins


@pytest.fixture
def folded(stage: Stage, redis_client: redis.Redis) -> Stage:
    """Nothing is left to fold, nobody is awake."""
    stage.join("ann", "bob")
    stage.fold()
    redis_client.delete(stage.keys.awake)
    return stage


def _report(stage: Stage) -> None:
    stage.report(*wins(("ann", "bob")))


def test_a_job_rests_when_nothing_is_left_and_the_next_result_calls_another(
    folded: Stage, redis_client: redis.Redis
) -> None:
    folded.store.run(folds.stay_awake(folded.keys))
    assert folded.store.run(folds.rest(folded.keys))
    assert not redis_client.exists(folded.keys.awake)


def test_a_job_does_not_rest_while_there_is_more_to_fold(folded: Stage, redis_client: redis.Redis) -> None:
    _report(folded)
    assert not folded.store.run(folds.rest(folded.keys))
    assert redis_client.exists(folded.keys.awake)


def test_a_ladder_that_is_folded_up_is_not_roused(folded: Stage, redis_client: redis.Redis) -> None:
    assert not folded.store.run(folds.rouse(folded.keys))
    assert not redis_client.exists(folded.keys.awake)


def test_a_ladder_whose_job_was_lost_is_roused_once(folded: Stage, redis_client: redis.Redis) -> None:
    _report(folded)
    assert not folded.store.run(folds.rouse(folded.keys))
    redis_client.delete(folded.keys.awake)
    assert folded.store.run(folds.rouse(folded.keys))
    assert not folded.store.run(folds.rouse(folded.keys))


def test_a_ladder_that_has_no_log_is_neither_roused_nor_kept_awake(stage: Stage) -> None:
    assert not stage.store.run(folds.rouse(stage.keys))
    assert stage.store.run(folds.rest(stage.keys))


@pytest.mark.parametrize("action", ["result", "rouse", "stay_awake", "commit"])
def test_nobody_stays_awake_for_ever(folded: Stage, redis_client: redis.Redis, action: str) -> None:
    if action == "stay_awake":
        folded.store.run(folds.stay_awake(folded.keys))
    else:
        _report(folded)
    if action == "rouse":
        redis_client.delete(folded.keys.awake)
        folded.store.run(folds.rouse(folded.keys))
    if action == "commit":
        redis_client.delete(folded.keys.awake)
        folded.fold()
    assert 0 < redis_client.pttl(folded.keys.awake) <= AWAKE_MS


def test_waiting_for_an_entry_ends_with_the_entry_or_with_the_time(folded: Stage) -> None:
    cursor = folded.store.run(folds.cursor(folded.keys))
    assert not folded.store.run(folds.await_entry(folded.keys, cursor, 1))
    _report(folded)
    assert folded.store.run(folds.await_entry(folded.keys, cursor, 1))
