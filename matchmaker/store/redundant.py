"""Clients for stores of several machines, with what redis-py's own lack."""

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Any, Final

import redis
import redis.asyncio
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.exceptions import ClusterDownError, RedisClusterException, SlotNotCoveredError

_LOOK_SECONDS: Final = 1.0


class Cluster(redis.RedisCluster):
    """Its commands fail with a RedisError, and with a timeout after one try."""

    ERRORS_ALLOW_RETRY: Any = (redis.ConnectionError, ClusterDownError, SlotNotCoveredError)

    def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return redis.RedisCluster.execute_command(self, *args, **kwargs)
        except RedisClusterException as error:  # which is no RedisError
            raise redis.ConnectionError(str(error)) from error


class AsyncCluster(redis.asyncio.RedisCluster):
    """The same."""

    ERRORS_ALLOW_RETRY: Any = Cluster.ERRORS_ALLOW_RETRY

    async def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super().execute_command(*args, **kwargs)
        except (RedisClusterException, AttributeError) as error:
            # An AttributeError is what remains when another task closes a connection that is being opened.
            raise redis.ConnectionError(str(error)) from error


class AsyncWatched(redis.asyncio.Redis):
    """The server that sentinels name. Closes the connections to them as well."""

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        await super().aclose(close_connection_pool)
        assert isinstance(self.connection_pool, SentinelConnectionPool)
        for sentinel in self.connection_pool.sentinel_manager.sentinels:
            await sentinel.aclose()


class AsyncWatchedPool(SentinelConnectionPool):
    """Leaves a server that is no longer the primary within a second, even while that does not know it yet.

    By itself it would ask the sentinels only when it opens a connection.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        SentinelConnectionPool.__init__(self, *args, **kwargs)
        self._looked = 0.0
        self._looking = asyncio.Lock()

    async def get_master_address(self) -> Any:
        # One at a time: the library moves the sentinel that answered to the front of its list, and two that
        # do so at once may overwrite another one, whose connections nobody closes then.
        async with self._looking:
            return await SentinelConnectionPool.get_master_address(self)

    async def get_connection(
        self, command_name: str | None = None, *keys: Any, **options: Any
    ) -> AbstractConnection:
        if monotonic() - self._looked > _LOOK_SECONDS:
            self._looked = monotonic()
            with suppress(redis.ConnectionError, redis.TimeoutError):
                await self.get_master_address()  # which drops idle connections to any other
        connection: AbstractConnection = await SentinelConnectionPool.get_connection(self)
        return connection

    async def release(self, connection: Any) -> None:
        if (connection.host, connection.port) != self.master_address:
            connection.mark_for_reconnect()
        await super().release(connection)
