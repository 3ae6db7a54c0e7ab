"""The worker under a store that goes and comes."""

import pytest
import redis
from fakeredis import FakeRedis
from rq import Queue

from matchmaker.queue import QUEUE_NAME
from workers.run import FoldingWorker


def test_a_worker_looks_for_a_lost_store_every_second(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def dequeue(*_: object, **__: object) -> None:
        if len(waits) < 8:
            raise redis.ConnectionError

    monkeypatch.setattr(Queue, "dequeue_any", dequeue)
    monkeypatch.setattr("rq.worker.base.time.sleep", waits.append)
    connection = FakeRedis()
    worker = FoldingWorker([Queue(QUEUE_NAME, connection=connection)], connection=connection)
    worker.dequeue_job_and_maintain_ttl(timeout=1)
    assert waits == [1.0] * 8
