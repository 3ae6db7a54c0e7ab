"""Where a store is: a store URL, parsed. Pure, so that settings are checked without a client library."""

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

DEFAULT_PORT = 6379
DEFAULT_SENTINEL_PORT = 26379

_SCHEMES: dict[str, tuple[Literal["server", "sentinel", "cluster"], bool]] = {
    "redis": ("server", False),
    "rediss": ("server", True),
    "unix": ("server", False),
    "redis+sentinel": ("sentinel", False),
    "rediss+sentinel": ("sentinel", True),
    "redis+cluster": ("cluster", False),
    "rediss+cluster": ("cluster", True),
}
_TLS_OPTIONS = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs")


@dataclass(frozen=True)
class StoreAddress:
    """One server, a cluster, or the server that sentinels call `service`; repr leaves the password out.

    `hosts` is empty and `path` set for a unix socket. `tls_options` are redis-py's `ssl_…` arguments.
    """

    kind: Literal["server", "sentinel", "cluster"]
    hosts: tuple[tuple[str, int], ...] = ()
    path: str | None = None
    service: str = ""
    database: int = 0
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False
    tls_options: tuple[tuple[str, str], ...] = ()


def parse_address(url: str) -> StoreAddress:
    """The address that `url` names.

    Every kind takes `user:password@`; a single server also takes the number of a database as path (`?db=`
    for a socket). The schemes with TLS (`rediss…`) take the options `ssl_ca_certs`, `ssl_certfile`,
    `ssl_keyfile` and `ssl_cert_reqs` (required, optional, none).
    Raises ValueError with a sentence that repeats no part of the URL: even what looks like its port may be
    part of a password that was not escaped.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError("the store URL is malformed") from None
    if parts.scheme not in _SCHEMES:
        raise ValueError(f"a store URL begins with one of {', '.join(f'{scheme}://' for scheme in _SCHEMES)}")
    if parts.fragment:
        raise ValueError("a store URL has no '#' part; write '#' in a password as %23")
    kind, tls = _SCHEMES[parts.scheme]
    credentials, _, authority = parts.netloc.rpartition("@")
    username, _, password = credentials.partition(":")
    options = _options(parts, tls)
    path = unquote(parts.path)
    if parts.scheme == "unix":
        if not path.startswith("/") or authority:
            raise ValueError("a unix:// store URL needs an absolute path, as in unix:///run/valkey.sock")
        return StoreAddress(
            kind,
            path=path,
            database=_database(options.get("db", "")),
            username=unquote(username) or None,
            password=unquote(password) or None,
        )
    default_port = DEFAULT_SENTINEL_PORT if kind == "sentinel" else DEFAULT_PORT
    hosts = tuple(_host(host, default_port) for host in authority.split(","))
    if kind == "server" and len(hosts) > 1:
        raise ValueError("a store URL with several hosts begins with redis+sentinel:// or redis+cluster://")
    if kind == "cluster" and path.strip("/"):
        raise ValueError("a cluster has one database only: its store URL takes no path")
    return StoreAddress(
        kind,
        hosts=hosts,
        service=_service(path) if kind == "sentinel" else "",
        database=_database(path.strip("/")) if kind == "server" else 0,
        username=unquote(username) or None,
        password=unquote(password) or None,
        tls=tls,
        tls_options=tuple(options.items()),
    )


def _options(parts: SplitResult, tls: bool) -> dict[str, str]:
    allowed = _TLS_OPTIONS if tls else ("db",) if parts.scheme == "unix" else ()
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = sorted(options.keys() - set(allowed))
    if unknown:
        raise ValueError(
            f"the options of this store URL are {', '.join(allowed) or 'none'}; write '?' as %3F"
        )
    if options.get("ssl_cert_reqs", "none") not in ("required", "optional", "none"):
        raise ValueError("the store URL's ssl_cert_reqs is one of required, optional, none")
    return options


def _host(text: str, default_port: int) -> tuple[str, int]:
    """Splits `host`, `host:port`, `[v6]` or `[v6]:port`."""
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, port = text, str(default_port)
    if not host:
        raise ValueError("the store URL names no host")
    if not (port.isascii() and port.isdecimal() and 1 <= int(port) <= 65535):
        raise ValueError("the store URL has a port that is not a number from 1 to 65535")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _service(path: str) -> str:
    service = path.strip("/")
    if not service or "/" in service:
        raise ValueError(
            "a sentinel URL ends in the name of the service, as in redis+sentinel://host:26379/mymaster"
        )
    return service


def _database(text: str) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise ValueError("the store URL has a path that is not the number of a database; write '/' as %2F")
    return int(text)
