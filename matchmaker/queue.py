"""Calling jobs: those that fold, those that review players, those that archive. All stand in one queue.

RQ is the alarm clock, never the ledger: a lost job delays results, the log keeps them. So it is with the
others.
"""

from collections.abc import Iterator
from uuid import uuid4

from redis import Redis
from rq import Queue

from matchmaker.store.connect import connect

QUEUE_NAME = "folding"
FOLD_JOB = "workers.jobs.fold_ladder"  # by name: the engine knows nothing of the workers' code
REVIEW_JOB = "workers.jobs.review_ladder"
ARCHIVE_JOB = "workers.jobs.archive_ladder"
_JOB_TIMEOUT = 60  # seconds; a job makes room after a second or so
_REVIEW = "review"
_ARCHIVE = "archive"
_FAILURE_TTL = 24 * 3600  # seconds for which `rq info` shows a failed job


def folding_queue(url: str) -> Queue:
    """The queue that folding jobs stand in. Raises ValueError for a cluster, on which RQ does not run."""
    connection = connect(url)
    if not isinstance(connection, Redis):
        raise ValueError("the job queue does not run on a cluster")
    return Queue(QUEUE_NAME, connection=connection)


def call_folding_job(queue: Queue, ladder_id: str) -> None:
    """Puts a folding job for the ladder in the queue. Raises redis.exceptions.RedisError if that fails."""
    _call(queue, FOLD_JOB, f"fold {ladder_id}", ladder_id, uuid4().hex)


def call_review_job(queue: Queue, ladder_id: str) -> None:
    """The same for a job that reviews players of the ladder."""
    _call(queue, REVIEW_JOB, f"review {ladder_id}", ladder_id, f"{_REVIEW}_{uuid4().hex}")


def call_archive_job(queue: Queue, ladder_id: str) -> None:
    """The same for a job that archives what is settled in the ladder."""
    _call(queue, ARCHIVE_JOB, f"archive {ladder_id}", ladder_id, f"{_ARCHIVE}_{uuid4().hex}")


def _call(queue: Queue, job: str, description: str, ladder_id: str, number: str) -> None:
    queue.enqueue(
        job,
        ladder_id,
        job_id=f"{ladder_id}_{number}",
        description=description,
        job_timeout=_JOB_TIMEOUT,
        result_ttl=0,
        failure_ttl=_FAILURE_TTL,
    )


def queued_ladders(queue: Queue) -> set[str]:
    """Ladders for which a folding job waits its turn. Raises redis.exceptions.RedisError."""
    return {ladder for ladder, kind, _ in _queued(queue) if kind not in (_REVIEW, _ARCHIVE)}


def queued_reviews(queue: Queue) -> set[str]:
    """The same for jobs that review."""
    return {ladder for ladder, kind, _ in _queued(queue) if kind == _REVIEW}


def _queued(queue: Queue) -> Iterator[tuple[str, str, str]]:
    for job_id in queue.get_job_ids():
        ladder, _, number = job_id.partition("_")
        yield (ladder, *number.partition("_")[::2])
