"""A client's connection: requests that come too slowly, or whose head is too long, are ended."""

from asyncio import Transport
from asyncio.events import TimerHandle
from http import HTTPStatus
from typing import Literal

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from api.problems import refusal

HEAD_SECONDS = 10.0
"""In which the line and the headers of a request must arrive, from the connection's start or the first byte
after another request."""

BODY_SECONDS = 20.0
"""In which the body must arrive after that: 1 MiB at 52 kB a second."""

LONGEST_URL = 8 * 1024
LARGEST_HEAD = 64 * 1024
"""Bytes."""

_PUNCTUATION = len(": \r\n")
_Part = Literal["head", "body", "nothing"]


class _TooLongError(Exception):
    """Stops the parser."""


class Connection(HttpToolsProtocol):
    """uvicorn's protocol with deadlines and limits. What is not HTTP is answered with a problem document too.

    A request that arrives in one piece, as nearly all do, never starts a timer.
    """

    _receiving: _Part = "head"
    _head_size = 0
    _deadline: TimerHandle | None = None
    _fault = HTTPStatus.BAD_REQUEST

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_within(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._receiving == "nothing":
            self._receiving, self._head_size = "head", 0
        before: _Part = self._receiving
        super().data_received(data)
        if self._finished() or self.transport.is_closing():
            self._expect_nothing()
            return
        if self._receiving != before or self._deadline is None:
            self._expect_within(HEAD_SECONDS if self._receiving == "head" else BODY_SECONDS)
        if self._receiving == "head":
            self._head_size += len(data)
            if self._head_size > LARGEST_HEAD:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        self._receiving, self._head_size = "head", 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if len(self.url) > LONGEST_URL:
            self._fault = HTTPStatus.REQUEST_URI_TOO_LONG
            raise _TooLongError
        lines = sum(len(name) + len(value) + _PUNCTUATION for name, value in self.headers)
        if len(self.url) + lines > LARGEST_HEAD:
            self._fault = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _TooLongError
        self._receiving = "body"
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._receiving = "nothing"
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """The parser gave up."""
        self._refuse(self._fault)

    def _finished(self) -> bool:
        return self._receiving == "nothing"

    def _expect_within(self, seconds: float) -> None:
        self._expect_nothing()
        self._deadline = self.loop.call_later(seconds, self._on_deadline)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _on_deadline(self) -> None:
        if self._receiving == "head" and not self._head_size:
            self.transport.close()  # nothing was asked
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _refuse(self, status: HTTPStatus) -> None:
        """Answers, unless another answer is under way, and hangs up."""
        self._expect_nothing()
        if self.transport.is_closing():
            return
        if self._may_answer():
            answer = refusal(status)
            headers = (*self.server_state.default_headers, *answer.raw_headers)
            lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
            self.transport.write(STATUS_LINE[status] + lines + b"\r\n" + bytes(answer.body))
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _may_answer(self) -> bool:
        if self.cycle is None:
            return True
        if self._receiving == "head":
            return self.cycle.response_complete
        return not self.pipeline and not self.cycle.response_started
