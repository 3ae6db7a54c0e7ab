"""The servers of a store: one, those of a cluster, or those that sentinels watch."""

from collections.abc import Iterator

import redis

from matchmaker.doctor.finding import Finding
from matchmaker.doctor.server import check_server
from matchmaker.store.address import StoreAddress
from matchmaker.store.connect import Client
from matchmaker.store.fences import Fence


def check_store(
    client: Client, address: StoreAddress, fence: Fence, *, embedded: bool = False
) -> Iterator[Finding]:
    """Findings about all servers of the store; the rest as in `check_server`. Raises RedisError."""
    if isinstance(client, redis.RedisCluster):
        yield from _check_cluster(client, fence)
        return
    if address.kind == "sentinel":
        yield from _check_sentinels(client, address)
    yield from check_server(client, "store", fence, embedded=embedded)
    if client.execute_command("INFO", "cluster").get("cluster_enabled"):
        yield Finding(
            "cluster",
            "bad",
            "the URL names a single server, and this one belongs to a cluster",
            "Begin MATCHMAKER_STORE_URL with redis+cluster://.",
        )


def _check_cluster(client: redis.RedisCluster, fence: Fence) -> Iterator[Finding]:
    nodes = client.get_primaries()
    state = client.execute_command("CLUSTER INFO", target_nodes="random").get("cluster_state")
    if state == "ok":
        yield Finding("cluster", "ok", f"{len(nodes)} primaries, all slots served")
    else:
        yield Finding(
            "cluster", "bad", f"its state is {state}", "Run valkey-cli --cluster check, and --cluster fix."
        )
    for node in nodes:
        yield from check_server(client.get_redis_connection(node), f"node {node.host}:{node.port}", fence)


def _check_sentinels(client: redis.Redis, address: StoreAddress) -> Iterator[Finding]:
    silent, quorums = 0, []
    manager: redis.Sentinel = client.connection_pool.sentinel_manager  # type: ignore[attr-defined]
    for sentinel in manager.sentinels:
        try:
            sentinel.execute_command("SENTINEL CKQUORUM", address.service)
            quorums.append(True)
        except redis.ResponseError:
            quorums.append(False)
        except redis.RedisError:
            silent += 1
    if not all(quorums):
        yield Finding(
            "sentinels",
            "bad",
            "they have no quorum: a primary that dies is not replaced",
            "Start the missing sentinels; SENTINEL CKQUORUM says how many are needed.",
        )
    elif silent:
        yield Finding(
            "sentinels",
            "warning",
            f"{silent} of {len(address.hosts)} do not answer",
            "Start them, or take them out of the URL.",
        )
    else:
        yield Finding("sentinels", "ok", f"{len(address.hosts)} answer and have a quorum")
