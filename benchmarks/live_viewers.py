"""Viewers of a live board, in a process of their own: connects them, notes when each event arrives.

Run by benchmarks.live as `python -m benchmarks.live_viewers HOST PORT PATH COUNT`. Says `ready` when all have
received their first event; at the end of its input it writes one JSON list of [version, seconds on the
monotonic clock] per viewer, and ends.
"""

import asyncio
import json
import re
import sys
from time import monotonic

_EVENT_ID = re.compile(rb"^id: (\S+)$", re.MULTILINE)
_CONNECTING_AT_ONCE = 50


class Viewer(asyncio.Protocol):
    """One connection; remembers the id of every event and when it arrived."""

    def __init__(self, request: bytes) -> None:
        self.seen: list[tuple[str, float]] = []
        self.first = asyncio.Event()
        self._request = request
        self._tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = monotonic()
        lines = self._tail + data
        whole, _, self._tail = lines.rpartition(b"\n")
        for match in _EVENT_ID.finditer(whole):
            self.seen.append((match[1].decode(), now))
            self.first.set()


async def watch(host: str, port: int, path: str, count: int) -> None:
    """Opens `count` streams, and reads them until standard input ends."""
    loop = asyncio.get_running_loop()
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    gate = asyncio.Semaphore(_CONNECTING_AT_ONCE)

    async def connect() -> Viewer:
        async with gate:
            _, viewer = await loop.create_connection(lambda: Viewer(request), host, port)
            await viewer.first.wait()
            return viewer

    viewers = await asyncio.gather(*(connect() for _ in range(count)))
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for viewer in viewers:
        print(json.dumps(viewer.seen))


if __name__ == "__main__":
    _, host, port, path, count = sys.argv
    asyncio.run(watch(host, int(port), path, int(count)))
