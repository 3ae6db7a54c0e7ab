from collections.abc import Callable

import pytest
import redis
from rq import Queue

from matchmaker.devices import Block, tag_of
from matchmaker.queue import call_folding_job
from matchmaker.rebuilding import apply
from matchmaker.store import blocks, folds, generations
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from tests.replay.takeover import K60, KilledError, Mortal, rebuild
from tests.stage import Stage, wins
from workers.jobs import fold_ladder
from workers.sweep import clear_rebuilds, complete_blocks, sweep

TAG = tag_of("phone", b"key")
Report = Callable[..., bool]


def forget_the_call(store: Store, ladder: str = "nft") -> None:
    """What time does to a job that was lost."""
    store.client.execute_command("DEL", store.edition(ladder).keys.awake)


def test_a_ladder_whose_job_was_lost_is_woken(queue: Queue, report: Report, store: Store) -> None:
    fold_ladder("cards")
    fold_ladder("backgammon")
    report()
    forget_the_call(store)
    assert sweep(store, queue) == ["nft"]
    assert [job.args for job in queue.jobs] == [("nft",)]


def test_a_ladder_is_not_woken_twice(queue: Queue, report: Report, store: Store) -> None:
    report()
    forget_the_call(store)
    sweep(store, queue)
    assert sweep(store, queue) == []


def test_a_ladder_whose_job_waits_its_turn_needs_no_second_one(
    queue: Queue, report: Report, store: Store
) -> None:
    report()
    call_folding_job(queue, "nft")
    forget_the_call(store)
    assert "nft" not in sweep(store, queue)
    assert not report(), "it counts as awake"


def test_a_ladder_with_nothing_to_fold_sleeps_on(queue: Queue, store: Store) -> None:
    for ladder in ("nft", "cards", "backgammon"):
        fold_ladder(ladder)
    assert sweep(store, queue) == []
    assert queue.count == 0


def test_all_workers_together_sweep_once_in_a_while(store: Store) -> None:
    assert [store.run(folds.take_sweep(60_000)) for _ in range(3)] == [True, False, False]


def test_a_block_that_was_killed_half_way_is_completed(store: Store) -> None:
    stage = Stage(store)
    stage.join("ann")
    store.run(blocks.see(TAG, stage.id, "ann", 0))
    plan = blocks.block_device(TAG, Block("admin", "trades wins", 0), "word")
    for call in (next(plan), plan.send(None)):
        store.run(call)
    assert complete_blocks(store) == 1
    assert stage.standing("ann").status == "suspended"
    assert complete_blocks(store) == 0


def test_what_a_killed_rebuild_has_left_is_freed_when_its_turn_has_passed(
    store: Store, redis_client: redis.Redis
) -> None:
    stage = Stage(store)
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    stage.fold()
    rebuild(stage)
    left = LadderKeys(stage.id, "rebuilt").derived

    def kill(command: int) -> None:
        if redis_client.exists(*left):
            raise KilledError

    with pytest.raises(KilledError):
        apply(Store(Mortal(store.client, kill)), stage.id, K60, 1600.0, lambda _: None)
    assert clear_rebuilds(store) == []
    assert redis_client.exists(*left), "its turn has not passed"
    redis_client.delete(stage.keys.rebuilding)
    assert clear_rebuilds(store) == [stage.id]
    assert not redis_client.exists(*left)
    assert clear_rebuilds(store) == []
    assert store.run(generations.kept(stage.keys)), "what is kept stays"
    assert redis_client.exists(*LadderKeys(stage.id, "previous").derived)
