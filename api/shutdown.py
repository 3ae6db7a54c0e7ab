"""Streams have no end of their own: they are ended when the server is asked to stop.

A server first waits until all requests are answered and only then tells the application, so the
application must hear of the signal itself.
"""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def on_stop(action: Callable[[], None]) -> Iterator[None]:
    """Does `action` on the running event loop when SIGTERM or SIGINT arrives, before the server's own
    handling. Only the main thread hears signals; elsewhere nothing is done."""
    if current_thread() is not main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(action)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for each in before:
        signal.signal(each, handle)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
