"""The auditor of the keys."""

import pytest
from rq import Queue
from rq.executions import Execution
from rq.job import JobStatus

from matchmaker.queue import QUEUE_NAME, call_folding_job
from tests.chaos.conftest import Scene


def test_a_ladder_at_rest_leaks_nothing(scene: Scene) -> None:
    scene.stage.battle("ann")
    scene.stage.suspend("bob")
    scene.stage.annul("r0")
    scene.fold()
    assert scene.leaks() == []


def test_a_ladder_that_is_awake_is_not_at_rest(scene: Scene) -> None:
    scene.client.set(scene.stage.keys.awake, "1")
    assert scene.leaks() == [scene.stage.keys.awake]


@pytest.mark.parametrize("key", ["mm:{{nobody}}:ratings", "mm:{{{ladder}}}:other", "mm:else", "anything"])
def test_a_key_that_is_not_in_the_list_is_a_leak(scene: Scene, key: str) -> None:
    key = key.format(ladder=scene.stage.id)
    scene.client.set(key, "1", ex=60)
    assert scene.leaks() == [key]


def test_the_history_of_nobody_is_a_leak(scene: Scene) -> None:
    scene.client.lpush(scene.stage.keys.history("zed"), "1-0")
    assert scene.leaks() == [scene.stage.keys.history("zed")]


def test_what_moderators_did_to_nobody_is_a_leak(scene: Scene) -> None:
    scene.client.lpush(scene.stage.keys.measures("zed"), "1-0")
    assert scene.leaks() == [scene.stage.keys.measures("zed")]


def test_a_history_over_the_limit_is_a_leak(scene: Scene) -> None:
    scene.client.lpush(scene.stage.keys.history("ann"), *range(100))
    assert scene.leaks() == [scene.stage.keys.history("ann")]


def test_a_battle_that_does_not_expire_is_a_leak(scene: Scene) -> None:
    key = scene.stage.keys.battle(scene.stage.battle("ann").id)
    scene.client.persist(key)
    assert scene.leaks() == [key]


def test_an_open_battle_that_its_challenger_is_not_in_is_a_leak(scene: Scene) -> None:
    key = scene.stage.keys.battle(scene.stage.battle("ann").id)
    scene.client.hdel(scene.stage.keys.open, "ann")
    assert scene.leaks() == [key]


def test_a_job_of_a_killed_worker_is_given_up_in_time(scene: Scene) -> None:
    queue = Queue(QUEUE_NAME, connection=scene.client)
    call_folding_job(queue, "nft")
    (job,) = queue.jobs
    scene.client.delete(queue.key)
    job.set_status(JobStatus.STARTED)
    with scene.client.pipeline() as pipeline:
        Execution.create(job, ttl=60, pipeline=pipeline)
        pipeline.execute()
    assert scene.leaks() == []
    assert 0 < scene.client.ttl(job.key) <= 24 * 3600


def test_a_job_that_no_registry_knows_is_a_leak(scene: Scene) -> None:
    scene.client.hset("rq:job:17", "data", "what to do")
    assert scene.leaks() == ["rq:job:17"]


def test_each_worker_may_leave_the_shell_of_one_job(scene: Scene) -> None:
    shells = ["rq:job:17", "rq:job:18", "rq:job:19"]
    for shell in shells:
        scene.client.hset(shell, "status", "started")
    assert scene.leaks(workers=3) == []
    assert len(scene.leaks(workers=2)) == 1


def test_a_job_that_waits_is_a_leak(scene: Scene) -> None:
    queue = Queue(QUEUE_NAME, connection=scene.client)
    call_folding_job(queue, "nft")
    assert scene.leaks() == sorted([f"rq:job:{queue.job_ids[0]}", queue.key])
