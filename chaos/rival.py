"""A rival of the workers: folds what they are about to fold, and calls folding jobs that nobody needs.

Run by chaos as `python -m chaos.rival STORE_URL SEED`. Ends at a SIGTERM, and writes one line of JSON: folds
that it made, and jobs that it called.
"""

import json
import signal
import sys
import time
from random import Random
from threading import Event
from typing import Final

from redis.exceptions import RedisError

from matchmaker.folding import fold_batch
from matchmaker.presets import PRESETS
from matchmaker.queue import call_folding_job, folding_queue
from matchmaker.store.client import Store
from matchmaker.store.connect import connect

_LONGEST_PAUSE: Final = 0.05
_CALLS: Final = 0.1  # share of the rounds in which it calls a job
_OUTAGE_SECONDS: Final = 0.1


def main(url: str, seed: str) -> None:
    """Works until SIGTERM."""
    stopped = Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    random = Random(seed)
    store, queue = Store(connect(url)), folding_queue(url)
    folds = jobs = 0
    while not stopped.is_set():
        ladder = random.choice(PRESETS).id
        try:
            folds += fold_batch(store, ladder) > 0
            if random.random() < _CALLS:
                call_folding_job(queue, ladder)
                jobs += 1
        except RedisError:
            time.sleep(_OUTAGE_SECONDS)
        time.sleep(random.uniform(0, _LONGEST_PAUSE))
    print(json.dumps({"folds": folds, "jobs": jobs}))


if __name__ == "__main__":
    main(*sys.argv[1:])
