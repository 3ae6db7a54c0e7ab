"""Slow, oversized and malformed requests, on a real port."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from api.app import create_app
from matchmaker.config import Settings
from tests.api.conftest import ADMIN
from tests.api.serving import serving

pytestmark = pytest.mark.anyio

PATIENCE = 0.2
POST = (
    "POST /v1/ladders/nft/results HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
    f"Authorization: Bearer {ADMIN}\r\n"
)
Talk = Callable[..., Awaitable[bytes]]


async def everything(reader: asyncio.StreamReader) -> bytes:
    """All that comes. A server that hangs up while it is being sent to may cut its own answer."""
    answer = b""
    with contextlib.suppress(ConnectionError):
        while some := await reader.read(65536):
            answer += some
    return answer


@pytest.fixture
async def talk(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Talk]:
    """Sends pieces with a short pause after each, over and over the last one; all that is answered until the
    server hangs up."""
    monkeypatch.setattr("api.connection.HEAD_SECONDS", PATIENCE)
    monkeypatch.setattr("api.connection.BODY_SECONDS", PATIENCE)

    async with serving(create_app(settings)) as url:
        port = int(url.rsplit(":", 1)[1])

        async def talk(*pieces: str, dripping: str = "") -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            answer = asyncio.create_task(everything(reader))
            for piece in pieces:
                writer.write(piece.encode())
            while not answer.done():
                if dripping and not writer.is_closing():
                    writer.write(dripping.encode())
                await asyncio.wait([answer], timeout=PATIENCE / 10)
            writer.close()
            return await answer

        async with asyncio.timeout(20):
            yield talk


def read(answer: bytes) -> tuple[int, str]:
    """Status and code of the one answer in it, a problem document."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    assert b"connection: close" in head.lower()
    document = json.loads(body)
    assert int(head.split()[1]) == document["status"]
    return document["status"], document["code"]


@pytest.mark.parametrize("sent", ["G", "GET /healthz HTTP/1.1\r\n", "GET /healthz HTTP/1.1\r\nHost: te"])
async def test_a_request_that_stops_in_its_head_is_ended(talk: Talk, sent: str) -> None:
    assert read(await talk(sent)) == (408, "request_timeout")


async def test_a_head_that_comes_byte_by_byte_is_ended(talk: Talk) -> None:
    assert read(await talk("GET /healthz HTTP/1.1\r\nX: ", dripping="x")) == (408, "request_timeout")


@pytest.mark.parametrize("dripping", ["", " "], ids=["silent", "byte by byte"])
@pytest.mark.parametrize(
    ("header", "begun"), [("Content-Length: 100000", "["), ("Transfer-Encoding: chunked", "ffff\r\n[")]
)
async def test_a_body_that_does_not_end_is_ended(talk: Talk, header: str, begun: str, dripping: str) -> None:
    answer = await talk(f"{POST}{header}\r\n\r\n{begun}", dripping=dripping)
    assert read(answer) == (408, "request_timeout")


async def test_who_is_answered_before_the_end_of_its_body_may_not_go_on_for_ever(talk: Talk) -> None:
    answer = await talk("GET /healthz HTTP/1.1\r\nHost: test\r\nContent-Length: 9999\r\n\r\n", dripping="x")
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b" 408 " not in answer


@pytest.mark.parametrize("dripping", ["", "\r\n"], ids=["silent", "empty lines"])
async def test_who_asks_nothing_is_not_kept(talk: Talk, dripping: str) -> None:
    answer = await talk(dripping=dripping)
    assert answer == b"" or read(answer) == (408, "request_timeout")


async def test_empty_lines_do_not_keep_an_answered_connection(talk: Talk) -> None:
    answer = await talk("GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n", dripping="\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK")


async def test_a_request_in_pieces_that_come_in_time_is_answered(talk: Talk) -> None:
    pieces = "GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
    assert (await talk(*pieces)).startswith(b"HTTP/1.1 200 OK")


async def test_requests_that_follow_each_other_at_once_are_all_answered(talk: Talk) -> None:
    one = "GET /healthz HTTP/1.1\r\nHost: test\r\n"
    answer = await talk(f"{one}\r\n{one}\r\n{one}Connection: close\r\n\r\n")
    assert answer.count(b"HTTP/1.1 200 OK") == 3


@pytest.mark.parametrize("length", [9_000, 60_000])
async def test_a_long_address_is_refused(talk: Talk, length: int) -> None:
    answer = await talk(f"GET /v1/ladders/{'a' * length} HTTP/1.1\r\nHost: test\r\n\r\n")
    assert read(answer) == (414, "uri_too_long")


@pytest.mark.parametrize("header", ["X: " + "a" * 70_000, "X: a\r\n" * 12_000 + "Y: b"])
async def test_large_headers_are_refused(talk: Talk, header: str) -> None:
    answer = await talk(f"GET /healthz HTTP/1.1\r\nHost: test\r\n{header}\r\n\r\n")
    assert answer == b"" or read(answer) == (431, "request_header_fields_too_large")


@pytest.mark.parametrize(
    "head", [f"GET /{'a' * 500_000} HTTP/1.1\r\n", "GET /healthz HTTP/1.1\r\n" + "a" * 500_000 + ": 1\r\n"]
)
async def test_a_huge_head_is_not_even_read(talk: Talk, head: str) -> None:
    answer = await talk(f"{head}Host: test\r\n\r\n")
    assert answer == b"" or read(answer)[0] in {414, 431}


async def test_headers_without_end_are_refused_before_they_fill_the_memory(talk: Talk) -> None:
    answer = await talk("GET /healthz HTTP/1.1\r\nX: ", dripping="x" * 30_000)
    assert answer == b"" or read(answer) == (431, "request_header_fields_too_large")


@pytest.mark.parametrize("sent", ["nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02"])
async def test_what_is_not_http_is_told_so(talk: Talk, sent: str) -> None:
    assert read(await talk(sent)) == (400, "bad_request")


async def test_too_large_a_body_is_refused_at_once(talk: Talk) -> None:
    answer = await talk(f"{POST}Content-Length: 1048577\r\n\r\n[")
    assert read(answer) == (413, "content_too_large")


async def test_a_deeply_nested_body_is_refused(talk: Talk) -> None:
    body = "[" * 500_000
    answer = await talk(f"{POST}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}")
    assert read(answer)[0] in {400, 422}
