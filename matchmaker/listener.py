"""The address that the API listens on, and whether it answers there."""

import errno
import http.client
import ipaddress
import socket
from http import HTTPStatus

from matchmaker.errors import MatchmakerError

_PATIENCE_MS = 30_000
_BACKLOG = 2048
_ANSWER_SECONDS = 2.0


class CannotListenError(MatchmakerError):
    """The configured address can't be listened on."""

    status = 409
    code = "cannot_listen"


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises CannotListenError with a line that says what to do."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        server = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Its connections inherit it: one whose peer takes nothing any more is given up.
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _PATIENCE_MS)
        return server
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotListenError(
                f"port {port} on {host} is taken by another program; set MATCHMAKER_PORT to a free one"
            ) from None
        raise CannotListenError(
            f"cannot listen on port {port} of {host}: {error.strerror or error}"
        ) from None


def _reachable_host(host: str) -> str:
    """Where a client on this machine finds a server that listens on `host`, which may mean all addresses."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return ("::1" if address.version == 6 else "127.0.0.1") if address.is_unspecified else host


def base_url(host: str, port: int) -> str:
    """URL of that server, without a slash at its end."""
    name = _reachable_host(host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def is_ready(host: str, port: int) -> bool:
    """Whether the API that listens there says that it is ready to serve."""
    connection = http.client.HTTPConnection(_reachable_host(host), port, timeout=_ANSWER_SECONDS)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
