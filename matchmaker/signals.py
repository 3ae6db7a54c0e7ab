"""Signals as something to wait for, without polling and without handlers that do work."""

import contextlib
import os
import select
import signal
from types import TracebackType
from typing import Self

_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """While its context lasts, the main thread counts requests to stop and learns of ended children.

    `stops` is the number of requests so far. A signal that was ignored before (SIGHUP under nohup) stays so.
    """

    def __init__(self) -> None:
        self.stops = 0

    def __enter__(self) -> Self:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        self._previous_writer = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        self._previous = {
            number: signal.signal(number, handler)
            for number, handler in {**dict.fromkeys(_STOP, self._stop), signal.SIGCHLD: self._notice}.items()
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._previous_writer)
        os.close(self._reader)
        os.close(self._writer)

    def wait(self, seconds: float | None) -> None:
        """Returns after `seconds` (None: no limit), or when a signal has come since the last wait."""
        select.select([self._reader], [], [], seconds)
        with contextlib.suppress(BlockingIOError):
            os.read(self._reader, 4096)

    def _stop(self, *_: object) -> None:
        self.stops += 1

    def _notice(self, *_: object) -> None:
        """SIGCHLD: the byte in the pipe says it all."""
