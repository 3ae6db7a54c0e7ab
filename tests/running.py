"""`matchmaker up` as a user starts it: one process tree, a real port."""

import contextlib
import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from matchmaker.admin_key import KEY_FILE
from matchmaker.config import ENV_PREFIX
from tests import processes
from tests.waiting import wait_until


@dataclass(frozen=True)
class Running:
    """The service and what it has printed so far."""

    process: "subprocess.Popen[str]"
    printed: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def admin_key(self) -> str:
        return (self.printed.parent / "data" / KEY_FILE).read_text().strip()

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=10)

    def announced(self) -> bool:
        assert self.process.poll() is None, self.printed.read_text()
        return "Admin key" in self.printed.read_text()

    def children(self) -> dict[int, str]:
        """Process number and command line of each."""
        pids = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return {int(pid): Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ") for pid in pids}

    def child(self, words: str) -> int | None:
        """Number of the first child whose command line contains `words`."""
        return next((pid for pid, line in self.children().items() if words in line), None)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def environment(directory: Path, port: int) -> dict[str, str]:
    """Settings for a service in that directory, and none from outside."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ENV_PREFIX)}
    return inherited | {"MATCHMAKER_DATA_DIR": str(directory / "data"), "MATCHMAKER_PORT": str(port)}


@contextlib.contextmanager
def up(directory: Path) -> Iterator[Running]:
    """Starts it and waits until it has announced itself; ends it at the end."""
    port, printed = free_port(), directory / "printed"
    with (
        printed.open("w") as output,
        processes.program(
            "up", cwd=directory, env=environment(directory, port), stdout=output, stderr=output
        ) as process,
    ):
        running = Running(process, printed, port)
        wait_until(running.announced, timeout=30, message="it did not come up")
        yield running
