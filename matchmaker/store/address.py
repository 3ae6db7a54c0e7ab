"""Where a store is: a store URL, parsed. Pure, so that settings are checked without a client library."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qsl, unquote

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
# Not urllib's urlsplit: from one patch release to the next it changes what it takes for a list of IPv6 hosts.
_REST = re.compile(r"(?P<authority>[^/?#\s]*)(?P<path>[^?#\s]*)(?:\?(?P<query>[^#\s]*))?")
_HOST = re.compile(r"(?:\[(?P<v6>[^\[\]]+)\]|(?P<name>[^\[\]:]+))(?::(?P<port>[0-9]{1,5}))?")
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
    scheme, _, rest = url.partition("://")
    if scheme not in _SCHEMES:
        raise ValueError(f"a store URL begins with one of {', '.join(f'{scheme}://' for scheme in _SCHEMES)}")
    parts = _REST.fullmatch(rest)
    if parts is None:
        raise ValueError("a store URL has neither spaces nor '#' in it; write %20 and %23")
    kind, tls = _SCHEMES[scheme]
    credentials, _, authority = parts["authority"].rpartition("@")
    username, _, password = credentials.partition(":")
    path = unquote(parts["path"])
    allowed = _TLS_OPTIONS if tls else ("db",) if scheme == "unix" else ()
    options = _options(parts["query"] or "", allowed)
    if scheme == "unix":
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


def _options(query: str, allowed: Sequence[str]) -> dict[str, str]:
    options = dict(parse_qsl(query, keep_blank_values=True))
    if not options.keys() <= set(allowed):
        raise ValueError(
            f"the options of this store URL are {', '.join(allowed) or 'none'}; write '?' as %3F"
        )
    if options.get("ssl_cert_reqs", "none") not in ("required", "optional", "none"):
        raise ValueError("the store URL's ssl_cert_reqs is one of required, optional, none")
    return options


def _host(text: str, default_port: int) -> tuple[str, int]:
    """Splits `host`, `host:port`, `[v6]` or `[v6]:port`."""
    match = _HOST.fullmatch(text)
    port = int(match["port"] or default_port) if match else 0
    if match is None or not 1 <= port <= 65535:
        raise ValueError("the store URL needs hosts as in host:port, with ports from 1 to 65535")
    host = match["v6"] or match["name"]
    try:
        host.encode("idna")  # as it is when it is looked up
    except UnicodeError:
        raise ValueError("the store URL names a host that can't be: empty or too long between dots") from None
    return host, port


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
