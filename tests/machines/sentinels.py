"""A primary with a replica on loopback ports, and three sentinels that watch over them."""

from contextlib import ExitStack
from pathlib import Path

from tests.machines.server import Server, wait_for
from tests.waiting import wait_until

SERVICE = "ladders"


class Sentinels:
    """`servers[0]` starts as the primary, `servers[1]` as its replica. They all end with the stack."""

    def __init__(self, stack: ExitStack, directory: Path) -> None:
        primary = stack.enter_context(self._server(directory / "server-0"))
        follow = f"replicaof 127.0.0.1 {primary.port}"
        self.servers = [primary, stack.enter_context(self._server(directory / "server-1", follow))]
        self.watchers = [
            stack.enter_context(self._watcher(directory / f"sentinel-{number}", primary.port))
            for number in range(3)
        ]
        wait_for(*self.servers, *self.watchers)
        wait_until(lambda: all(self._sees_all(watcher) for watcher in self.watchers), timeout=15)
        self.wait_until_replicated()

    def wait_until_replicated(self) -> None:
        """Waits until the primary has its replica in step."""
        wait_until(lambda: self.primary.replicas() == 1, timeout=15)

    def _server(self, directory: Path, *lines: str) -> Server:
        return Server(directory, "appendonly yes", "appendfsync always", "repl-diskless-sync-delay 0", *lines)

    def _watcher(self, directory: Path, port: int) -> Server:
        return Server(
            directory,
            f"sentinel monitor {SERVICE} 127.0.0.1 {port} 2",
            f"sentinel down-after-milliseconds {SERVICE} 500",
            f"sentinel failover-timeout {SERVICE} 2000",
            sentinel=True,
        )

    def _sees_all(self, watcher: Server) -> bool:
        state: dict[str, int] = watcher.run("SENTINEL MASTER", SERVICE)
        return (state["num-slaves"], state["num-other-sentinels"]) == (1, 2)

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{watcher.port}" for watcher in self.watchers)
        return f"redis+sentinel://{hosts}/{SERVICE}"

    @property
    def primary(self) -> Server:
        """The one that the sentinels name."""
        _, port = self.watchers[0].run("SENTINEL GET-MASTER-ADDR-BY-NAME", SERVICE)
        return next(server for server in self.servers if server.port == int(port))
