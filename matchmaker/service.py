"""A process that a supervisor keeps running."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence

from matchmaker.process import spawn


class Service:
    """The program `argv` with environment `env`. Asked to stop, it is given `patience` seconds."""

    def __init__(
        self, name: str, argv: Sequence[str], env: Mapping[str, str], patience: float = 10.0
    ) -> None:
        self.name = name
        self.patience = patience
        self._argv = argv
        self._env = env
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Number of its process, which may have ended; None before the first launch."""
        return None if self._process is None else self._process.pid

    def launch(self) -> None:
        """Starts the process and returns at once. Raises OSError."""
        self._process = spawn(self._argv, env=self._env)

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def ask_to_stop(self) -> None:
        """Sends the process a SIGTERM, if it runs."""
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        """Kills the process and those it has started."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
