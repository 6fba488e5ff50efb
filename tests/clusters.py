"""Real clusters for the tests: primaries, with replicas if wanted, each a process of its own."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS

from tests.ports import free_port
from tests.servers import RealServer, wait_until

_NODE = (
    *("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"),
    *("--repl-diskless-sync-delay", "0", "--cluster-replica-validity-factor", "0"),
    *("--repl-ping-replica-period", "1"),
)


class Node:
    """One server of a cluster."""

    def __init__(self, kind: str, folder: Path, fsync: str, server: type[RealServer]) -> None:
        self.bus = free_port()
        extra = (*_NODE, "--cluster-port", str(self.bus), "--appendfsync", fsync)
        self.server = server.start(kind, folder, tcp=True, extra=extra)
        self.port = int(self.server.url.rpartition(":")[2].partition("/")[0])
        self.id = self.ask("CLUSTER MYID").decode()
        self.is_up = True

    def ask(self, *command: Any) -> Any:
        """Send it a command that is meant for this node."""
        with redis.Redis.from_url(self.server.url) as client:
            return client.execute_command(*command)

    def info(self, name: str) -> str:
        """Return a line of what it says of the cluster."""
        with redis.Redis.from_url(self.server.url) as client:
            return str(client.execute_command("CLUSTER INFO")[name])

    def shown(self) -> Iterator[tuple[range, int]]:
        """List the slots that it says to be served, each range with the port of a node that has them."""
        for first, last, *nodes in self.ask("CLUSTER SLOTS"):
            yield from ((range(first, last + 1), port) for _, port, *_ in nodes)

    def kill(self) -> None:
        """End it at once (SIGKILL)."""
        self.is_up = False
        self.server.kill()

    def restart(self) -> None:
        """Bring it back."""
        self.server.restart()
        self.is_up = True

    def role(self) -> str:
        """Return its role, master or slave."""
        return self.replication("role")

    def replication(self, name: str) -> str:
        """Return a line of what it says of its replication."""
        with redis.Redis.from_url(self.server.url) as client:
            return str(client.info("replication").get(name))


class RealCluster:
    """A cluster; `url` names all its nodes."""

    def __init__(
        self,
        kind: str,
        folder: Path,
        primaries: int = 3,
        replicas: int = 0,
        fsync: str = "everysec",
        server: type[RealServer] = RealServer,
    ) -> None:
        """Start it: each primary has so many replicas, and each node is a server of the given class."""
        number = primaries * (1 + replicas)
        self.nodes = [Node(kind, folder / str(place), fsync, server) for place in range(number)]
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        self._divide(self.nodes[:primaries])
        wait_until(self._is_complete, "the nodes to know each other")
        self.wait_until_whole()
        for place, node in enumerate(self.nodes[primaries:]):
            node.ask("CLUSTER REPLICATE", self.nodes[place % primaries].id)
        wait_until(lambda: len(self.replicas) == number - primaries and self._are_in_step(), "the replicas")

    @property
    def primaries(self) -> list[Node]:
        """The nodes that are primaries now."""
        return [node for node in self.nodes if node.is_up and node.role() == "master"]

    @property
    def replicas(self) -> list[Node]:
        """The nodes that are replicas now."""
        return [node for node in self.nodes if node.is_up and node.role() == "slave"]

    def _divide(self, primaries: Sequence[Node]) -> None:
        """Give each primary its part of the slots, and let all nodes know of each other."""
        number = len(primaries)
        for place, node in enumerate(self.nodes):
            node.ask("CLUSTER SET-CONFIG-EPOCH", place + 1)
            node.ask("CLUSTER MEET", "127.0.0.1", self.nodes[0].port, self.nodes[0].bus)
        for place, node in enumerate(primaries):
            first, last = (REDIS_CLUSTER_HASH_SLOTS * (place + more) // number for more in (0, 1))
            node.ask("CLUSTER ADDSLOTSRANGE", first, last - 1)

    def _is_complete(self) -> bool:
        return all(node.info("cluster_known_nodes") == str(len(self.nodes)) for node in self.nodes)

    def _are_in_step(self) -> bool:
        """Return whether replicas follow, and all nodes show them: Redis 7 does once they have heard of something."""
        replicas = self.replicas
        shown = [{port for _, port in node.shown()} for node in self.nodes if node.is_up]
        return all(
            node.replication("master_link_status") == "up" and all(node.port in ports for ports in shown)
            for node in replicas
        )

    def owner(self, slot: int) -> Node:
        """Return the primary that has a slot."""
        for slots, port in self._alive().shown():
            if slot in slots:  # the first is the primary
                return next(node for node in self.nodes if node.port == port)
        raise AssertionError(f"nobody has the slot {slot}")

    def move(self, slot: int, to: Node) -> None:
        """Move a slot with all its keys to another primary, key by key, as redis-cli does."""
        source = self.owner(slot)
        to.ask("CLUSTER SETSLOT", slot, "IMPORTING", source.id)
        source.ask("CLUSTER SETSLOT", slot, "MIGRATING", to.id)
        while names := source.ask("CLUSTER GETKEYSINSLOT", slot, 1):
            source.ask("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", *names)
        for node in (to, source, *self.primaries):
            node.ask("CLUSTER SETSLOT", slot, "NODE", to.id)

    def wait_until_whole(self) -> None:
        """Wait until all nodes that run see every slot served, and each replica has what its primary has."""
        running = [node for node in self.nodes if node.is_up]
        wait_until(lambda: all(node.info("cluster_state") == "ok" for node in running), "the cluster")
        wait_until(self._are_in_step, "the replicas")

    def kill(self) -> None:
        """End all nodes at once (SIGKILL)."""
        for node in self.nodes:
            node.kill()

    def restart(self) -> None:
        """Bring all nodes back."""
        for node in self.nodes:
            node.restart()
        self.wait_until_whole()

    def _alive(self) -> Node:
        return next(node for node in self.nodes if node.is_up)

    def stop(self) -> None:
        """End all servers; asked to, primaries would wait for their replicas."""
        for node in self.nodes:
            node.server.kill()
            node.server.stop()
