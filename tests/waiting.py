"""Waiting for something to become true, instead of sleeping."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_until(condition: Callable[[], T], timeout: float = 5.0, message: str = "") -> T:
    """Polls until `condition()` is true, and returns what it gave; fails the test after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while not (outcome := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(message or f"{condition} stayed false for {timeout:g} s; last: {outcome!r}")
        time.sleep(0.01)
    return outcome
