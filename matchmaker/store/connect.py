"""Clients for a store URL.

Answers are bytes: what is text is decided where it is decoded. RESP2 is spoken on purpose: in it scripts
answer bytes, integers and lists, and nothing else, whatever the server.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import redis
import redis.asyncio
from hiredis import pack_command
from redis.asyncio.cluster import ClusterNode as AsyncClusterNode
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import EqualJitterBackoff, NoBackoff
from redis.cluster import ClusterNode
from redis.exceptions import RedisClusterException
from redis.retry import Retry
from redis.typing import EncodableT

from matchmaker.store.address import StoreAddress, parse_address
from matchmaker.store.redundant import AsyncCluster, AsyncWatched, AsyncWatchedPool, Cluster

Client: TypeAlias = redis.Redis | redis.RedisCluster
AsyncClient: TypeAlias = redis.asyncio.Redis | redis.asyncio.RedisCluster

UNAVAILABLE: Final = (redis.ConnectionError, redis.TimeoutError, RedisClusterException)
"""What a client raises when the store does not answer."""

_CONNECT_SECONDS = 1.0
_ANSWER_SECONDS = 2.0
_SENTINEL_SECONDS = 0.3

# redis-py refuses the caller that finds all connections in use, by default the 101st.
_CONNECTIONS = 1_000

# A lost connection is tried again for up to 0.45 s, enough for a restart of the server. So is one to a server
# that is a replica now: the URL may lead to another one. A timeout is not: it has taken its seconds already.
_RETRIES = 3
_BACKOFF = EqualJitterBackoff(cap=0.15, base=0.05)
_RETRY_ON = (redis.ConnectionError, redis.ReadOnlyError)

# While one node is down, the ladders of the others go on. A client that hears that a slot has moved notes it;
# by default it would read the whole map again every fifth time, and close all connections for that.
_CLUSTER: Final[Mapping[str, Any]] = {"require_full_coverage": False, "reinitialize_steps": 0}


class _Packed(AbstractConnection):
    """A connection that packs commands with hiredis, as blocking ones do. By itself it does so in Python,
    which takes five times as long."""

    def pack_command(self, *args: EncodableT) -> list[bytes]:
        name, *words = args
        return [pack_command((*str(name).split(), *words))]  # type: ignore[arg-type]  # it takes them all

    def pack_commands(self, commands: Iterable[Iterable[EncodableT]]) -> list[bytes]:
        return [b"".join(packed for command in commands for packed in self.pack_command(*command))]


class _TcpConnection(_Packed, redis.asyncio.Connection):
    pass


class _TlsConnection(_Packed, redis.asyncio.SSLConnection):
    pass


class _UnixConnection(_Packed, redis.asyncio.UnixDomainSocketConnection):
    pass


_PACKED: Final[Mapping[type[AbstractConnection], type[AbstractConnection]]] = {
    redis.asyncio.Connection: _TcpConnection,
    redis.asyncio.SSLConnection: _TlsConnection,
    redis.asyncio.UnixDomainSocketConnection: _UnixConnection,
}


def connect(url: str) -> Client:
    """A client for blocking code. Raises ValueError for a bad URL; only a cluster is contacted at once."""
    address = parse_address(url)
    options = _options(address) | {"retry": Retry(_BACKOFF, _RETRIES, _RETRY_ON)}
    if address.kind == "cluster":
        nodes = [ClusterNode(host, port) for host, port in address.hosts]
        return Cluster(startup_nodes=nodes, max_connections=_CONNECTIONS, **_CLUSTER, **options)
    if address.kind == "sentinel":
        sentinels = _sentinel_options(address) | {"retry": Retry(NoBackoff(), 0)}
        watched = redis.Sentinel(
            address.hosts, sentinel_kwargs=sentinels, max_connections=_CONNECTIONS, **options
        )
        master: redis.Redis = watched.master_for(address.service, db=address.database)
        return master
    return redis.Redis(**_place(address), max_connections=_CONNECTIONS, **options)


def connect_async(url: str, answer_seconds: float = _ANSWER_SECONDS) -> AsyncClient:
    """A client for asyncio code; it connects on first use. Raises ValueError for a bad URL.

    One that knows several machines waits `answer_seconds` for an answer before it looks for another; with a
    single server it is the caller who limits the time: see RoundTrips.
    """
    address = parse_address(url)
    retry = AsyncRetry(_BACKOFF, _RETRIES, _RETRY_ON)
    options = _options(address) | {"retry": retry, "socket_timeout": answer_seconds}
    if address.kind == "cluster":
        nodes = [AsyncClusterNode(host, port) for host, port in address.hosts]
        return AsyncCluster(startup_nodes=nodes, max_connections=_CONNECTIONS, **_CLUSTER, **options)
    if address.kind == "sentinel":
        sentinels = _sentinel_options(address) | {"retry": AsyncRetry(NoBackoff(), 0)}
        watched = redis.asyncio.Sentinel(
            address.hosts, sentinel_kwargs=sentinels, max_connections=_CONNECTIONS, **options
        )
        master: redis.asyncio.Redis = watched.master_for(
            address.service, AsyncWatched, AsyncWatchedPool, db=address.database
        )
        return master
    # To limit the time for each reply would cost more than to read it.
    client = redis.asyncio.Redis(**_place(address), **options | {"socket_timeout": None})
    pool = client.connection_pool
    client.connection_pool = redis.asyncio.ConnectionPool(
        connection_class=_PACKED[pool.connection_class],
        max_connections=_CONNECTIONS,
        **pool.connection_kwargs,
    )
    return client


def _options(address: StoreAddress) -> dict[str, Any]:
    return {
        "username": address.username,
        "password": address.password,
        "protocol": 2,
        "socket_connect_timeout": _CONNECT_SECONDS,
        "socket_timeout": _ANSWER_SECONDS,
        **_tls(address),
    }


def _sentinel_options(address: StoreAddress) -> dict[str, Any]:
    """For the sentinels themselves; the URL's user and password are those of the servers they watch."""
    return {
        "protocol": 2,
        "socket_connect_timeout": _SENTINEL_SECONDS,
        "socket_timeout": _SENTINEL_SECONDS,
        **_tls(address),
    }


def _tls(address: StoreAddress) -> Mapping[str, Any]:
    return {"ssl": True, **dict(address.tls_options)} if address.tls else {}


def _place(address: StoreAddress) -> dict[str, Any]:
    if address.path is not None:
        return {"unix_socket_path": address.path, "db": address.database}
    ((host, port),) = address.hosts
    return {"host": host, "port": port, "db": address.database}
