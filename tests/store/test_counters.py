"""How a ladder is doing, and what its folding jobs have counted."""

import time

import redis

from matchmaker.folding import fold_batch
from matchmaker.store import counters, folds
from matchmaker.store.counters import Pulse, size_field, time_field
from matchmaker.store.keys import LadderKeys
from tests.stage import Stage, wins
from tests.store.test_commit import prepared


def pulse(stage: Stage) -> Pulse:
    found = stage.store.run(counters.pulse(stage.keys))
    assert found is not None
    return found


def test_a_new_ladder_has_nothing_to_show(stage: Stage) -> None:
    shown = pulse(stage)
    assert (shown.players, shown.on_board, shown.backlog, shown.lag_seconds, shown.rated) == (0, 0, 0, 0, 0)
    assert shown.batch_sizes[-1] == ("+Inf", 0)


def test_a_ladder_that_is_not_there_has_no_pulse(stage: Stage) -> None:
    assert stage.store.run(counters.pulse(LadderKeys("nowhere"))) is None


def test_entries_behind_the_cursor_are_the_backlog(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(*[("ann", "bob")] * 5))
    assert pulse(stage).backlog == 7
    fold_batch(stage.store, stage.id, batch=3)
    assert pulse(stage).backlog == 4
    stage.fold()
    assert (pulse(stage).backlog, pulse(stage).lag_seconds) == (0, 0)


def test_the_lag_is_the_age_of_the_oldest_entry_behind_the_cursor(
    stage: Stage, redis_client: redis.Redis
) -> None:
    minute_ago = (time.time_ns() // 1_000_000) - 60_000
    redis_client.xadd(stage.keys.log, {"rename": '["ann",null]'}, id=f"{minute_ago}-0")
    stage.join("bob")
    assert 60 <= pulse(stage).lag_seconds < 70


def test_the_backlog_is_right_also_when_old_entries_were_trimmed(
    stage: Stage, redis_client: redis.Redis
) -> None:
    stage.join("ann", "bob", "cid")
    stage.fold()
    redis_client.xtrim(stage.keys.log, maxlen=0, approximate=False)
    stage.join("dan", "eve")
    assert pulse(stage).backlog == 2


def test_counts_that_were_lost_are_set_straight_when_the_ladder_rests(
    stage: Stage, redis_client: redis.Redis
) -> None:
    stage.join("ann", "bob")
    stage.fold()
    redis_client.delete(stage.keys.counters)
    assert stage.store.run(folds.rest(stage.keys))
    stage.join("cid")
    assert (pulse(stage).folded, pulse(stage).backlog) == (2, 1)


def test_batches_are_counted_by_size_and_time(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(*[("ann", "bob")] * 10))
    for batch in (1, 3, 8):
        fold_batch(stage.store, stage.id, batch=batch)
    shown = pulse(stage)
    assert (shown.folded, shown.rated) == (12, 10)
    assert shown.batch_sizes[:4] == [("1", 1), ("3", 2), ("10", 3), ("30", 3)]
    assert shown.fold_seconds[-1] == ("+Inf", 3)
    assert shown.busy_seconds > 0


def test_a_superseded_commit_is_counted(stage: Stage) -> None:
    stage.join("ann")
    slow = prepared(stage)
    stage.fold()
    assert not stage.store.run(slow)
    assert (pulse(stage).superseded, pulse(stage).folded) == (1, 1)


def test_players_off_the_board_still_are_in_the_ladder(stage: Stage, redis_client: redis.Redis) -> None:
    stage.join("ann", "bob")
    redis_client.zrem(stage.keys.ratings, "bob")
    assert (pulse(stage).players, pulse(stage).on_board) == (2, 1)


def test_a_bound_belongs_to_its_bucket() -> None:
    assert [size_field(n) for n in (1, 2, 3, 4, 1000, 1001)] == [
        *("size:1", "size:3", "size:3", "size:10", "size:1000", "size:+Inf"),
    ]
    assert [time_field(seconds) for seconds in (0.0, 0.001, 2.0, 60.0)] == [
        *("time:0.001", "time:0.001", "time:3", "time:+Inf"),
    ]
