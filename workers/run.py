"""A worker process: runs the jobs of the folding queue, and sweeps. It outlasts failures of the queue."""

import logging
import time
from types import FrameType
from typing import Final

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested

from matchmaker.config import load_settings
from matchmaker.log import logging_to_stderr
from workers.jobs import bench
from workers.sweep import Sweeper

_TTL: Final = 30
"""Seconds within which a worker shows itself. It waits at a silent queue for half of them before it asks
again: so long may it take to notice that the queue's machine is gone."""

_PAUSE_SECONDS: Final = 1.0

_log = logging.getLogger(__name__)


class FoldingWorker(SimpleWorker):
    """Runs jobs inside its own process: a fork for each would cost more than the folding, and a killed job is
    made up for by the sweep anyway."""

    max_connection_wait_time = 1.0
    """Seconds between two looks for a store that is gone. RQ waits up to a minute, and results would wait as
    long when the store is back."""

    asked_to_stop = False

    def _set_ip_address(self, connection: Redis) -> None:
        # redis-py cannot read what the server says of its clients when the path of the socket holds a space
        # or a "="; the address is only for show.
        try:
            super()._set_ip_address(connection)
        except ValueError:
            self.ip_address = "unknown"

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        self.asked_to_stop = True
        SimpleWorker.request_stop(self, signum, frame)

    def teardown(self) -> None:
        # With sentinels, redis-py keeps the connection on which a signal has interrupted the wait for a job:
        # the server would not answer on it until that wait is over.
        self.connection.connection_pool.disconnect(inuse_connections=False)
        SimpleWorker.teardown(self)


def main() -> None:
    """Works until SIGTERM or SIGINT; a job that is running then is finished first."""
    settings = load_settings()
    with logging_to_stderr(settings.log, settings.secrets):
        _work(settings.archive_interval)


def _work(archive_interval: int) -> None:
    tools = bench()
    sweeper = Sweeper(tools.store, tools.queue, archive_interval)
    sweeper.start()
    try:
        while not _work_on(tools.queue):
            time.sleep(_PAUSE_SECONDS)
    except StopRequested:
        return  # while no worker was at work
    finally:
        sweeper.stop()


def _work_on(queue: Queue) -> bool:
    """Works on the queue until that fails; True if it was asked to stop."""
    try:
        worker = FoldingWorker([queue], connection=queue.connection, worker_ttl=_TTL)
    except RedisError as error:
        _log.warning("the queue does not answer: %s", error)
        return False
    worker.log_job_description = False
    try:
        worker.work(logging_level="WARNING")
    except RedisError as error:
        _log.warning("the queue does not answer: %s", error)
        if worker.pubsub_thread:
            worker.pubsub_thread.stop()
    return worker.asked_to_stop
