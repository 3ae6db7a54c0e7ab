"""Runs the whole service: starts its parts in order, keeps each running, stops them in reverse order."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from matchmaker.errors import MatchmakerError
from matchmaker.service import Service
from matchmaker.signals import Signals
from matchmaker.store.embedded import EmbeddedServer

_FIRST_DELAY: Final = 0.1
_LONGEST_DELAY: Final = 5.0
_STEADY_SECONDS: Final = 3.0
_READY_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.05


class NotReadyError(MatchmakerError):
    """The service was started and does not become ready."""

    code = "not_ready"


class _Part(Protocol):
    @property
    def name(self) -> str: ...

    def launch(self) -> None: ...

    def alive(self) -> bool: ...


class _Guard:
    """Launches a part again when it has ended, and waits longer each time if it ends again soon.

    What cannot start ends within the steady seconds. What lived longer has served, and is needed at once.
    """

    def __init__(self, part: _Part) -> None:
        self._part = part
        self._delay = _FIRST_DELAY
        self._launched = 0.0
        self._due: float | None = None

    def launch(self) -> None:
        self._launched = time.monotonic()
        self._due = None
        self._part.launch()

    def tend(self) -> float | None:
        """Seconds until the part is launched again; None while it lives."""
        now = time.monotonic()
        if self._due is None:
            if self._part.alive():
                return None
            if now - self._launched > _STEADY_SECONDS:
                self._delay = _FIRST_DELAY
            print(f"matchmaker: {self._part.name} ended; again in {self._delay:g} s", file=sys.stderr)
            self._due = now + self._delay
            self._delay = min(2 * self._delay, _LONGEST_DELAY)
        if now < self._due:
            return self._due - now
        self.launch()
        return None


class Supervisor:
    """The service's parts, of which `store` comes up first; the `groups` follow one after the other.

    `prepare` is called once between the two, `announce` once when `is_ready` says so for the first time.
    """

    def __init__(
        self,
        store: EmbeddedServer | None,
        groups: Sequence[Sequence[Service]],
        *,
        prepare: Callable[[], None],
        is_ready: Callable[[], bool],
        announce: Callable[[], None],
    ) -> None:
        self._store = store
        self._groups = groups
        self._prepare = prepare
        self._is_ready = is_ready
        self._announce = announce
        self._guards: list[_Guard] = []

    def run(self) -> None:
        """Returns when it was asked to stop (SIGINT, SIGTERM, SIGHUP) and everything has ended.

        Only the main thread may call it. Raises NotReadyError or ServerFailedError if the service doesn't
        come up, and what `prepare` raises; everything has been stopped then too.
        """
        with Signals() as signals:
            try:
                self._start(signals)
                while not signals.stops:
                    self._tend(signals)
            finally:
                self._stop(signals)

    def _start(self, signals: Signals) -> None:
        if self._store is not None:
            self._store.launch()
            while not signals.stops and not self._store.ready():
                signals.wait(_POLL_SECONDS)
            self._guards.append(_Guard(self._store))
        if not signals.stops:
            self._prepare()
        for service in (service for group in self._groups for service in group):
            if not signals.stops:
                self._guards.append(_Guard(service))
                self._guards[-1].launch()
        deadline = time.monotonic() + _READY_SECONDS
        while not signals.stops and not self._is_ready():
            if time.monotonic() > deadline:
                raise NotReadyError(f"the service was not ready within {_READY_SECONDS:g} s")
            self._tend(signals, _POLL_SECONDS)
        if not signals.stops:
            self._announce()

    def _tend(self, signals: Signals, at_most: float | None = None) -> None:
        """Launches what has ended, then waits for a signal or for the next thing to do."""
        waits = [seconds for guard in self._guards if (seconds := guard.tend()) is not None]
        if self._store is not None:
            waits.append(self._store.flush())
        if at_most is not None:
            waits.append(at_most)
        signals.wait(min(waits, default=None))

    def _stop(self, signals: Signals) -> None:
        for group in reversed(self._groups):
            self._stop_together(group, signals)
        if self._store is not None:
            self._store.stop()

    def _stop_together(self, group: Sequence[Service], signals: Signals) -> None:
        """A second request to stop, or a service's lost patience, kills what still runs."""
        for service in group:
            service.ask_to_stop()
        begin = time.monotonic()
        while running := [service for service in group if service.alive()]:
            for service in running:
                if signals.stops > 1 or time.monotonic() - begin > service.patience:
                    service.kill()
            signals.wait(_POLL_SECONDS)
