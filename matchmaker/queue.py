"""Calling folding jobs.

RQ is the alarm clock, never the ledger: a lost job delays results, the log keeps them.
"""

from uuid import uuid4

from redis import Redis
from rq import Queue

from matchmaker.store.connect import connect

QUEUE_NAME = "folding"
FOLD_JOB = "workers.jobs.fold_ladder"  # by name: the engine knows nothing of the workers' code
_JOB_TIMEOUT = 60  # seconds; a job makes room after a second or so
_FAILURE_TTL = 24 * 3600  # seconds for which `rq info` shows a failed job


def folding_queue(url: str) -> Queue:
    """The queue that folding jobs stand in. Raises ValueError for a cluster, on which RQ does not run."""
    connection = connect(url)
    if not isinstance(connection, Redis):
        raise ValueError("the job queue does not run on a cluster")
    return Queue(QUEUE_NAME, connection=connection)


def call_folding_job(queue: Queue, ladder_id: str) -> None:
    """Puts a folding job for the ladder in the queue. Raises redis.exceptions.RedisError if that fails."""
    queue.enqueue(
        FOLD_JOB,
        ladder_id,
        job_id=f"{ladder_id}_{uuid4().hex}",
        description=f"fold {ladder_id}",
        job_timeout=_JOB_TIMEOUT,
        result_ttl=0,
        failure_ttl=_FAILURE_TTL,
    )


def queued_ladders(queue: Queue) -> set[str]:
    """Ladders for which a folding job waits its turn. Raises redis.exceptions.RedisError."""
    return {job_id.partition("_")[0] for job_id in queue.get_job_ids()}
