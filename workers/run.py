"""A worker process: runs the jobs of the folding queue, and sweeps."""

from rq import SimpleWorker

from workers.jobs import bench
from workers.sweep import Sweeper


def main() -> None:
    """Works until SIGTERM or SIGINT; a job that is running then is finished first.

    Jobs run inside this process: a fork for each would cost more than the folding, and a killed job is made
    up for by the sweep anyway.
    """
    tools = bench()
    sweeper = Sweeper(tools.store, tools.queue)
    sweeper.start()
    try:
        worker = SimpleWorker([tools.queue], connection=tools.queue.connection)
        worker.log_job_description = False
        worker.work(logging_level="WARNING")
    finally:
        sweeper.stop()
