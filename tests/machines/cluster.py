"""A cluster of valkey-servers on loopback ports: three primaries with a replica each."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from redis.crc import key_slot

from tests.machines.server import Server, free_port, wait_for
from tests.waiting import wait_until

_SLOTS = 16_384
_PRIMARIES = 3


class Cluster:
    """Nodes 0, 1 and 2 start as primaries with a third of the slots each, 3, 4 and 5 as their replicas.

    They end with the stack. A failover takes about a second.
    """

    def __init__(self, stack: ExitStack, directory: Path) -> None:
        places = [directory / f"node-{number}" for number in range(2 * _PRIMARIES)]
        self.nodes = [stack.enter_context(self._node(place)) for place in places]
        wait_for(*self.nodes)
        self._assign()
        self._meet()
        self._replicate()

    def _node(self, directory: Path) -> Server:
        return Server(
            directory,
            "cluster-enabled yes",
            f"cluster-port {free_port()}",
            "cluster-node-timeout 500",
            "cluster-require-full-coverage no",
            "cluster-replica-validity-factor 0",
            "appendonly yes",
            "appendfsync always",
            "repl-diskless-sync-delay 0",
        )

    def _assign(self) -> None:
        for number, node in enumerate(self.nodes):
            node.run("CLUSTER SET-CONFIG-EPOCH", number + 1)
        for number, node in enumerate(self.nodes[:_PRIMARIES]):
            first, end = (_SLOTS * place // _PRIMARIES for place in (number, number + 1))
            node.run("CLUSTER ADDSLOTSRANGE", first, end - 1)

    def _meet(self) -> None:
        first, *others = self.nodes
        for node in others:
            bus = node.client.config_get("cluster-port")["cluster-port"]
            first.run("CLUSTER MEET", "127.0.0.1", node.port, bus)
        wait_until(lambda: all(self._knows_all(node) for node in self.nodes), timeout=15)

    def _knows_all(self, node: Server) -> bool:
        info: dict[str, str] = node.run("CLUSTER INFO")
        return info["cluster_known_nodes"] == str(len(self.nodes)) and info["cluster_state"] == "ok"

    def _replicate(self) -> None:
        for primary, replica in zip(self.nodes, self.nodes[_PRIMARIES:], strict=False):
            replica.run("CLUSTER REPLICATE", primary.run("CLUSTER MYID"))
        self.wait_until_replicated()

    def wait_until_replicated(self) -> None:
        """Waits until every primary has a replica that is in step."""
        wait_until(lambda: [node.replicas() for node in self.nodes].count(1) == _PRIMARIES, timeout=15)

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"redis+cluster://{hosts}"

    def owner(self, ladder: str) -> Server:
        """The primary that has the ladder's slot, as the nodes see it that are up."""
        slot = key_slot(ladder.encode())
        ranges = next(node for node in self.nodes if node.running).run("CLUSTER SLOTS")
        port = next(primary[1] for first, last, primary, *_ in ranges if first <= slot <= last)
        return next(node for node in self.nodes if node.port == port)

    def another_primary(self, than: Server) -> Server:
        """A primary other than that one."""
        return next(node for node in self.nodes if node is not than and node.is_primary())

    def migrate_at_once(self, ladder: str, to: Server) -> None:
        """Moves the ladder's slot as Valkey 9 does: all of it at one moment."""
        slot, source = key_slot(ladder.encode()), self.owner(ladder)
        source.run("CLUSTER MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", to.run("CLUSTER MYID"))
        wait_until(lambda: self.owner(ladder) is to)

    def migrate_key_by_key(self, ladder: str, to: Server) -> Iterator[int]:
        """Moves the ladder's slot as it has always been done; gives how many keys are left, after each."""
        slot, source = key_slot(ladder.encode()), self.owner(ladder)
        source_id, target_id = (node.run("CLUSTER MYID") for node in (source, to))
        to.run("CLUSTER SETSLOT", slot, "IMPORTING", source_id)
        source.run("CLUSTER SETSLOT", slot, "MIGRATING", target_id)
        while keys := source.run("CLUSTER GETKEYSINSLOT", slot, 1):
            source.run("MIGRATE", "127.0.0.1", to.port, keys[0], 0, 5_000)
            yield source.run("CLUSTER COUNTKEYSINSLOT", slot)
        for node in (to, source):
            node.run("CLUSTER SETSLOT", slot, "NODE", target_id)
        wait_until(lambda: self.owner(ladder) is to)
