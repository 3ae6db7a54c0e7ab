"""Processes of the service on a store that a benchmark has filled."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep

from matchmaker.listener import is_ready

HOST = "127.0.0.1"
ADMIN_KEY = "benchmark"

# Requests are counted as in production; no benchmark is slow enough for the usual limits.
_LIMIT = "1000000/second"


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server((HOST, 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def api_process(store_url: str, port: int) -> Iterator[int]:
    """A running API process; its pid."""
    settings = {"PORT": str(port), "RATE_LIMIT": _LIMIT, "PUBLIC_RATE_LIMIT": _LIMIT}
    with _process("api", store_url, settings) as process:
        while not is_ready(HOST, port):
            if process.poll() is not None:
                raise RuntimeError("the API has ended")
            sleep(0.05)
        yield process.pid


@contextmanager
def worker_process(store_url: str) -> Iterator[int]:
    """A running worker; its pid."""
    with _process("worker", store_url, {}) as process:
        yield process.pid


@contextmanager
def _process(command: str, store_url: str, settings: dict[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    chosen = {"STORE_URL": store_url, "ADMIN_KEY": ADMIN_KEY, **settings}
    environment = os.environ | {f"MATCHMAKER_{name}": value for name, value in chosen.items()}
    process = subprocess.Popen([sys.executable, "-m", "matchmaker", command], env=environment)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()
