"""Child processes that end with their parent and don't share its terminal's Ctrl-C."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

_PR_SET_PDEATHSIG = 1


def spawn(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    output: IO[bytes] | None = None,
    umask: int = -1,
    keep_open: Sequence[int] = (),
) -> "subprocess.Popen[bytes]":
    """Starts `argv` in a session of its own, without input.

    A Ctrl-C of the terminal doesn't reach it: whoever started it decides when it stops. On Linux it gets a
    SIGTERM when the thread that started it ends, however that happens. `output` takes both its streams (None:
    those of this process), `keep_open` are file descriptors that it inherits. Raises OSError.
    """
    return subprocess.Popen(  # noqa: S603
        argv,
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        umask=umask,
        pass_fds=keep_open,
        start_new_session=True,
        preexec_fn=_die_with(os.getpid()),
    )


def _die_with(parent: int) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the call above
            os._exit(1)

    return tie
