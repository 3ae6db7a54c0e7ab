"""Where the API listens."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from matchmaker.listener import CannotListenError, base_url, is_ready, listen


def test_a_taken_port_is_refused_in_a_line_that_names_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CannotListenError, match=rf"port {port} on 127\.0\.0\.1 is taken"):
            listen("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(CannotListenError, match=r"cannot listen on port 80 of 192\.0\.2\.1"):
        listen("192.0.2.1", 80)


def test_a_port_can_be_listened_on_again_at_once() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            first.accept()[0].close()
    listen("127.0.0.1", port).close()


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("example.org", "http://example.org:8000"),
    ],
)
def test_the_shown_address_is_one_that_a_browser_can_open(host: str, url: str) -> None:
    assert base_url(host, 8000) == url


@pytest.mark.parametrize(("status", "ready"), [(200, True), (503, False)])
def test_ready_is_what_the_api_says(status: int, ready: bool) -> None:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/readyz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert is_ready("127.0.0.1", server.server_port) is ready
        thread.join()


def test_nobody_listening_is_not_ready() -> None:
    with listen("127.0.0.1", 0) as closing:
        port = closing.getsockname()[1]
    assert not is_ready("127.0.0.1", port)
