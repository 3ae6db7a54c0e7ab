"""`matchmaker up` as a user starts it: one process tree, a real port."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from matchmaker.admin_key import KEY_FILE
from matchmaker.config import ENV_PREFIX
from matchmaker.process import spawn

_COMES_UP_WITHIN: Final = 60.0  # seconds
_STOPS_WITHIN: Final = 60.0
_POLL_SECONDS: Final = 0.05


class NotUpError(Exception):
    """The service did not come up; the text is what it printed."""


@dataclass(frozen=True, slots=True)
class Running:
    """The service, its data, and the file that it and its parts print to."""

    process: "subprocess.Popen[bytes]"
    data: Path
    printed: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def admin_key(self) -> str:
        return (self.data / KEY_FILE).read_text().strip()

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=10)

    def children(self, words: str = "") -> dict[int, str]:
        """Its processes whose command line contains `words`: number and command line of each."""
        found: dict[int, str] = {}
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for child in children:
            with contextlib.suppress(OSError):  # it has ended just now
                line = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
                if line and words in line:
                    found[int(child)] = line
        return found

    def child(self, words: str) -> int | None:
        """Number of the first child whose command line contains `words`."""
        return next(iter(self.children(words)), None)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def environment(directory: Path, port: int, **settings: str) -> dict[str, str]:
    """Settings for a service in that directory, and none from outside."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ENV_PREFIX)}
    own = {"DATA_DIR": str(directory / "data"), "PORT": str(port), **settings}
    return inherited | {f"{ENV_PREFIX}{name}": value for name, value in own.items()}


@contextlib.contextmanager
def up(directory: Path, **settings: str) -> Iterator[Running]:
    """Starts it, with settings such as `WORKERS="3"`, and waits until it has announced itself; ends it
    with SIGTERM, which a shell in the background does not take away, if it still runs. Raises NotUpError."""
    port, printed = free_port(), directory / "printed"
    argv = (sys.executable, "-P", "-m", "matchmaker", "up")
    with printed.open("wb") as output:
        process = spawn(argv, cwd=directory, env=environment(directory, port, **settings), output=output)
    try:
        deadline = time.monotonic() + _COMES_UP_WITHIN
        while "Admin key" not in printed.read_text():
            if process.poll() is not None or time.monotonic() > deadline:
                raise NotUpError(printed.read_text())
            time.sleep(_POLL_SECONDS)
        yield Running(process, directory / "data", printed, port)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
