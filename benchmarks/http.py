"""Requests over HTTP to one API process, against an endpoint of the same app that returns a constant object.

Needs the program wrk. Run alone with `python -m benchmarks.http`.
"""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from statistics import median
from time import time_ns

from benchmarks.ladders import LARGE, large_directory
from benchmarks.report import line, title
from benchmarks.service import HOST, api_process, free_port
from matchmaker import apikeys
from matchmaker.store import apikeys as kept_keys
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.embedded import embedded_server

CONNECTIONS = 32
SECONDS = 3
ROUNDS = 5
_LADDER = "/v1/ladders/{ladder}"
_SCRIPT = Path(__file__).with_name("request.lua")


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of request, and how often it is to be answered, in units of the reference."""

    name: str
    method: str
    path: str
    body: str = ""
    aim: float | None = None


REFERENCE = Case("reference: a constant object", "GET", "/healthz")
RESULT = Case(
    "POST results, one at a time",
    "POST",
    f"{_LADDER}/results",
    json.dumps({"id": "{id}", "initiator": "{player}", "opponent": "{other}", "outcome": "win"}),
    0.55,
)
BOARD = Case("GET board, top 100", "GET", f"{_LADDER}/board", aim=1.8)
CASES = (
    REFERENCE,
    RESULT,
    Case("POST battles", "POST", f"{_LADDER}/battles", json.dumps({"challenger": "{player}"}), 0.45),
    BOARD,
    Case("GET standing", "GET", f"{_LADDER}/players/{{player}}", aim=0.5),
    Case("GET neighbours", "GET", f"{_LADDER}/players/{{player}}/neighbors", aim=0.5),
)


@dataclass(frozen=True, slots=True)
class Target:
    """A ladder of benchmark players, as one API process serves it to the holder of a key."""

    port: int
    key: str
    ladder_id: str
    players: int

    def rate(self, case: Case, seconds: float = SECONDS) -> float:
        """Requests a second that it answers, all of them well."""
        path = case.path.replace("{ladder}", self.ladder_id)
        output = subprocess.run(
            [
                *("wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(_SCRIPT)),
                *(f"http://{HOST}:{self.port}", "--"),
                *(case.method, self.key, str(self.players), path, case.body),
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        if bad := re.search(r"Non-2xx or 3xx responses: (\d+)", output):
            raise RuntimeError(f"{case.name}: {bad[1]} requests failed")
        rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
        assert rate
        return float(rate[1])


def make_key(store: Store) -> str:
    """A key that may report."""
    entropy = time_ns().to_bytes(apikeys.ENTROPY_BYTES, "big")
    key, text = apikeys.make(entropy, scope="report", ladders=(), label="benchmark", created_at=0)
    store.run(kept_keys.create(key))
    return text


def demand_wrk() -> None:
    """Ends the program if it lacks the load generator."""
    if which("wrk") is None:
        raise SystemExit("This needs the program wrk (Debian and Ubuntu: apt install wrk).")


def measure() -> None:
    """Prints the table."""
    demand_wrk()
    with large_directory() as directory, embedded_server(directory) as server:
        target = Target(free_port(), make_key(Store(connect(server.url))), "large", LARGE)
        rates: dict[str, list[float]] = {case.name: [] for case in CASES}
        with api_process(server.url, target.port):
            for _ in range(ROUNDS):
                for case in CASES:
                    rates[case.name].append(target.rate(case))
    title(f"HTTP, one API process, {CONNECTIONS} connections, {LARGE:,} players; in units of the reference")
    for case in CASES:
        ratios = [own / base for own, base in zip(rates[case.name], rates[REFERENCE.name], strict=True)]
        aim = f"at least {case.aim:.2f}" if case.aim else ""
        line(case.name, f"{median(rates[case.name]):,.0f}/s  {median(ratios):.2f}", aim)


if __name__ == "__main__":
    measure()
