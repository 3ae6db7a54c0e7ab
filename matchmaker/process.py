"""Child processes that end with their parent and don't share its terminal's Ctrl-C."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import current_thread, main_thread
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
    with _ctrl_c_waits():
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


@contextlib.contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """A Ctrl-C takes effect at the end: Python would lose its exception in the hooks that run at a fork."""
    handler = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(handler):
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def _die_with(parent: int) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the call above
            os._exit(1)

    return tie
