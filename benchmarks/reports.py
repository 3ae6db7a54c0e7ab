"""Lists of 1,000 results over HTTP to one API process: accepted a second.

Run alone with `python -m benchmarks.reports`.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from random import Random
from statistics import median
from time import perf_counter

from benchmarks.http import Target, make_key
from benchmarks.ladders import OUTCOMES, fresh_server, populate, rivals
from benchmarks.report import line, title
from benchmarks.service import HOST, api_process, free_port
from matchmaker.folding import fold_all

PLAYERS = 100_000
LENGTH = 1_000
SENDERS, LISTS, ROUNDS = 4, 10, 5


def make_list(random: Random, name: str, players: int, length: int = LENGTH) -> bytes:
    """The body of a request that reports results between random players; `name` makes their ids unique."""
    results = []
    for number in range(length):
        initiator, opponent = rivals(random, players)
        outcome = random.choice(OUTCOMES)
        results.append(
            {"id": f"{name}-{number}", "initiator": initiator, "opponent": opponent, "outcome": outcome}
        )
    return json.dumps(results).encode()


def send(target: Target, bodies: Sequence[bytes]) -> int:
    """Reports these lists, one after the other; the number of results accepted."""
    connection = HTTPConnection(HOST, target.port, timeout=30)
    headers = {"Authorization": f"Bearer {target.key}", "Content-Type": "application/json"}
    accepted = 0
    for body in bodies:
        connection.request("POST", f"/v1/ladders/{target.ladder_id}/results", body, headers)
        accepted += json.loads(connection.getresponse().read())["accepted"]
    connection.close()
    return accepted


def measure() -> None:
    """Prints the line."""
    random, rates = Random(1), []
    with fresh_server() as (store, client, url), ThreadPoolExecutor(SENDERS) as threads:
        populate(store, client, "crowd", PLAYERS)
        fold_all(store, "crowd")
        target = Target(free_port(), make_key(store), "crowd", PLAYERS)
        with api_process(url, target.port):
            for number in range(ROUNDS):
                bodies = [
                    [make_list(random, f"{number}-{sender}-{each}", PLAYERS) for each in range(LISTS)]
                    for sender in range(SENDERS)
                ]
                start = perf_counter()
                accepted = sum(threads.map(lambda some: send(target, some), bodies))
                rates.append(accepted / (perf_counter() - start))
    title(f"Lists of {LENGTH:,} results, {SENDERS} at a time, one API process")
    line("accepted", f"{median(rates):,.0f} results/s", "at least 20,000/s")


if __name__ == "__main__":
    measure()
