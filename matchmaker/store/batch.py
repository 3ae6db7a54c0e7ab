"""Commands that must go over one connection, to the server that owns a key.

A client's own pipelines do not promise that: on a cluster they send what has failed again, over another one.
"""

from collections.abc import Sequence
from typing import Any

import redis
import redis.asyncio
from redis.asyncio.cluster import PipelineCommand
from redis.exceptions import RedisClusterException

from matchmaker.store.call import Argument
from matchmaker.store.connect import AsyncClient, Client

Commands = Sequence[Sequence[Argument]]


def send(client: Client, key: str, commands: Commands) -> list[Any]:
    """The replies; an error that is the reply to one command stands in its place.

    Raises redis.exceptions.RedisError if the server cannot be reached.
    """
    try:
        if isinstance(client, redis.RedisCluster):
            client = client.get_redis_connection(client.get_node_from_key(key))
        with client.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            return pipeline.execute(raise_on_error=False)
    except RedisClusterException as error:
        raise redis.ConnectionError(str(error)) from error


async def send_async(client: AsyncClient, key: str, commands: Commands) -> list[Any]:
    """See send."""
    if not isinstance(client, redis.asyncio.RedisCluster):
        async with client.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            return await pipeline.execute(raise_on_error=False)
    try:
        await client.initialize()
        batch = [PipelineCommand(place, *command) for place, command in enumerate(commands)]
        await client.nodes_manager.get_node_from_slot(client.keyslot(key)).execute_pipeline(batch)
        replies = [command.result for command in batch]
        for reply in replies:
            if isinstance(reply, Exception) and not isinstance(reply, redis.ResponseError):
                raise reply
    except (RedisClusterException, AttributeError) as error:  # for the latter see AsyncCluster
        raise redis.ConnectionError(str(error)) from error
    return replies
