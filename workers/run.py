"""A worker process: runs the jobs of the folding queue, and sweeps."""

from rq import SimpleWorker

from matchmaker.config import load_settings
from matchmaker.log import logging_to_stderr
from workers.jobs import bench
from workers.sweep import Sweeper


class FoldingWorker(SimpleWorker):
    """Runs jobs inside its own process: a fork for each would cost more than the folding, and a killed job is
    made up for by the sweep anyway."""

    max_connection_wait_time = 1.0
    """Seconds between two looks for a store that is gone. RQ waits up to a minute, and results would wait as
    long when the store is back."""


def main() -> None:
    """Works until SIGTERM or SIGINT; a job that is running then is finished first."""
    settings = load_settings()
    with logging_to_stderr(settings.log, settings.secrets):
        _work()


def _work() -> None:
    tools = bench()
    sweeper = Sweeper(tools.store, tools.queue)
    sweeper.start()
    try:
        worker = FoldingWorker([tools.queue], connection=tools.queue.connection)
        worker.log_job_description = False
        worker.work(logging_level="WARNING")
    finally:
        sweeper.stop()
