"""From a report to its rating on an idle service: a client, one API process, one worker.

Run alone with `python -m benchmarks.latency [RESULTS]`.
"""

import http.client
import json
import sys
from contextlib import ExitStack
from random import Random
from statistics import median, quantiles
from time import perf_counter, sleep

from benchmarks.ladders import OUTCOMES, fresh_server, populate, rivals
from benchmarks.report import line, title
from benchmarks.service import ADMIN_KEY, HOST, api_process, free_port, worker_process
from matchmaker.folding import fold_to_rest

PLAYERS = 1_000
RESULTS = 200
_PATH = "/v1/ladders/crowd/results?wait=10"
_PAUSE_SECONDS = 0.15
"""Between two reports: longer than the job of the one before lingers."""


def _report(connection: http.client.HTTPConnection, number: int, random: Random) -> float:
    """Reports one result and waits until it is rated; the seconds that it took."""
    initiator, opponent = rivals(random, PLAYERS)
    body = {
        "id": f"{number}",
        "initiator": initiator,
        "opponent": opponent,
        "outcome": random.choice(OUTCOMES),
    }
    start = perf_counter()
    connection.request(
        "POST",
        _PATH,
        json.dumps(body),
        {"Authorization": f"Bearer {ADMIN_KEY}", "Content-Type": "application/json"},
    )
    response = connection.getresponse()
    answer = json.load(response)
    seconds = perf_counter() - start
    if answer.get("status") != "rated":
        raise RuntimeError(f"not rated: {answer}")
    return seconds


def measure(results: int = RESULTS) -> None:
    """Prints the measurements."""
    random, port = Random(1), free_port()
    with fresh_server() as (store, client, url), ExitStack() as stack:
        populate(store, client, "crowd", PLAYERS)
        fold_to_rest(store, "crowd")
        stack.enter_context(worker_process(url))
        stack.enter_context(api_process(url, port))
        connection = http.client.HTTPConnection(HOST, port)
        times = []
        for number in range(results):
            sleep(_PAUSE_SECONDS)
            times.append(1000 * _report(connection, number, random))
    title(f"From report to rated, an idle service, {results} results one after the other")
    line("POST results with ?wait, median", f"{median(times):.1f} ms", "under 20 ms")
    line("POST results with ?wait, 95 %", f"{quantiles(times, n=20)[-1]:.1f} ms")


if __name__ == "__main__":
    measure(*map(int, sys.argv[1:]))
