"""A ladder that is rebuilt and goes over to other settings while clients report over HTTP, and goes back.

Run alone with `python -m benchmarks.replay [PLAYED [PLAYERS]]`. Ends with an error if a result is lost or
counts twice, or if a rating is not what the log makes of it.
"""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random
from statistics import median
from threading import Event
from time import monotonic, sleep
from typing import Any

from benchmarks.ladders import OUTCOMES, fresh_server, populate, report, rivals
from benchmarks.report import line, title
from benchmarks.service import ADMIN_KEY, HOST, api_process, free_port, worker_process
from matchmaker.folding import fold_to_rest
from matchmaker.store import folds, members, players, reports
from matchmaker.store.client import Store
from matchmaker.verification import verify

PLAYED = 20_000
PLAYERS = 2_000
_LADDER = "crowd"
_CLIENTS = 2
_LIST = 20
_RATE = 250  # results that each of them reports in a second
_QUIET_SECONDS = 5.0
_HEADERS = {"Authorization": f"Bearer {ADMIN_KEY}", "Content-Type": "application/json"}


@dataclass
class Load:
    """What the clients have done: results that the service has answered for, and for each result that was
    waited for, when it was sent and how long that took (both in seconds)."""

    stop: Event = field(default_factory=Event)
    accepted: list[int] = field(default_factory=list)
    waits: list[tuple[float, float]] = field(default_factory=list)

    def lists(self, port: int, number: int, crowd: int) -> None:
        """Reports lists of results at a steady pace."""
        random, connection = Random(number), http.client.HTTPConnection(HOST, port)
        began = monotonic()
        for turn in count():
            if self.stop.is_set():
                return
            names = (f"{number}-{turn}-{place}" for place in range(_LIST))
            answer = _post(connection, "", [_result(random, name, crowd) for name in names])
            if answer["rejected"] or answer["accepted"] != _LIST:
                raise RuntimeError(f"not accepted: {answer}")
            self.accepted.append(_LIST)
            sleep(max(0.0, began + (turn + 1) * _LIST / _RATE - monotonic()))

    def waiting(self, port: int, crowd: int) -> None:
        """Reports results one by one, and waits until each is rated."""
        random, connection = Random(0), http.client.HTTPConnection(HOST, port)
        for turn in count():
            if self.stop.is_set():
                return
            began = monotonic()
            answer = _post(connection, "?wait=10", _result(random, f"waiting-{turn}", crowd))
            if answer.get("status") != "rated":
                raise RuntimeError(f"not rated: {answer}")
            self.waits.append((began, monotonic() - began))
            self.accepted.append(1)
            sleep(0.01)


def _result(random: Random, name: str, crowd: int) -> dict[str, Any]:
    initiator, opponent = rivals(random, crowd)
    return {"id": name, "initiator": initiator, "opponent": opponent, "outcome": random.choice(OUTCOMES)}


def _post(connection: http.client.HTTPConnection, query: str, body: Any) -> Any:
    connection.request("POST", f"/v1/ladders/{_LADDER}/results{query}", json.dumps(body), _HEADERS)
    return json.load(connection.getresponse())


@contextmanager
def _under_load(port: int, crowd: int) -> Iterator[Load]:
    load = Load()
    with ThreadPoolExecutor() as pool:
        clients = [pool.submit(load.lists, port, number, crowd) for number in range(1, 1 + _CLIENTS)]
        clients.append(pool.submit(load.waiting, port, crowd))
        try:
            yield load
        finally:
            load.stop.set()
        for client in clients:
            client.result()


def _replay(url: str, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "matchmaker", "replay", _LADDER, *options, "--json"]
    environment = os.environ | {"MATCHMAKER_STORE_URL": url}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def _longest(load: Load, since: float, until: float) -> str:
    waits = [
        seconds
        for began, seconds in load.waits
        if since <= began <= until or began <= since < began + seconds
    ]
    return f"{1000 * median(waits):.0f} / {1000 * max(waits):.0f} ms"


def measure(played: int = PLAYED, crowd: int = PLAYERS) -> None:
    """Prints the measurements."""
    port = free_port()
    with fresh_server() as (store, client, url), ExitStack() as stack:
        populate(store, client, _LADDER, crowd)
        for first in range(0, played, 1000):
            report(store, _LADDER, first, min(1000, played - first), crowd)
        fold_to_rest(store, _LADDER)
        stack.enter_context(worker_process(url))
        stack.enter_context(api_process(url, port))
        with _under_load(port, crowd) as load:
            marks = [monotonic()]
            sleep(_QUIET_SECONDS)
            marks.append(monotonic())
            before = sum(load.accepted)
            applied = _replay(url, "--set", "rule.k.provisional=32", "--apply")
            during = sum(load.accepted) - before
            marks.append(monotonic())
            sleep(_QUIET_SECONDS)
            _replay(url, "--undo")
            marks.append(monotonic())
            _replay(url, "--undo")
            sleep(_QUIET_SECONDS)
        _check(store, played, load)
    title(
        f"A ladder of {played:,} results goes over to other settings, while {_CLIENTS} clients report "
        f"{_RATE} results/s each, and one waits for each of its"
    )
    line("results/s accepted before", f"{before / (marks[1] - marks[0]):,.0f}")
    line("results/s accepted during --apply", f"{during / (marks[2] - marks[1]):,.0f}")
    line("entries rated anew", f"{applied['entries']:,}")
    line("entries/s, until the ladder has gone over", f"{applied['entries_per_second']:,.0f}")
    line("report to rated, median / longest, before", _longest(load, marks[0], marks[1]))
    line("the same during --apply", _longest(load, marks[1], marks[2]))
    line("the same during --undo", _longest(load, marks[2] + _QUIET_SECONDS, marks[3]))
    line("results lost, counted twice, or rated differently", "0", "0")


def _check(store: Store, played: int, load: Load) -> None:
    """Raises RuntimeError if anything is lost or wrong."""
    keys = store.edition(_LADDER).keys
    fold_to_rest(store, _LADDER)
    expected = played + sum(load.accepted)
    known = store.run(reports.count(keys))
    games = sum(
        state.games
        for page in members.all_players(store, keys)
        for state in store.on(_LADDER, lambda edition: players.states(edition, page)).values()  # noqa: B023
    )
    verdict = verify(store, _LADDER, lambda _: None)
    if known != expected or games != 2 * expected or verdict.differences:
        raise RuntimeError(f"{expected} accepted, {known} known, {games} games, {verdict.differences[:3]}")
    if store.run(folds.cursor(keys)) != store.run(folds.extent(keys))[1]:
        raise RuntimeError("not everything is rated")


if __name__ == "__main__":
    measure(*map(int, sys.argv[1:]))
