"""Real clusters for the tests: primaries, with replicas if wanted, each a process of its own."""

from pathlib import Path
from typing import Any

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS

from tests.servers import RealServer, free_port, wait_until

_NODE = (
    *("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"),
    *("--repl-diskless-sync-delay", "0", "--cluster-replica-validity-factor", "0"),
)


class Node:
    """One server of a cluster."""

    def __init__(self, kind: str, folder: Path, fsync: str) -> None:
        self.bus = free_port()
        extra = (*_NODE, "--cluster-port", str(self.bus), "--appendfsync", fsync)
        self.server = RealServer.start(kind, folder, tcp=True, extra=extra)
        self.port = int(self.server.url.rpartition(":")[2].partition("/")[0])
        self.id = self.ask("CLUSTER MYID").decode()

    def ask(self, *command: Any) -> Any:
        """Send it a command that is meant for this node."""
        with redis.Redis.from_url(self.server.url) as client:
            return client.execute_command(*command)

    def info(self, name: str) -> str:
        """Return a line of what it says of the cluster."""
        with redis.Redis.from_url(self.server.url) as client:
            return str(client.execute_command("CLUSTER INFO")[name])

    def role(self) -> str:
        """Return its role."""
        with redis.Redis.from_url(self.server.url) as client:
            return str(client.info("replication")["role"])


class RealCluster:
    """A cluster; `url` names all its nodes."""

    def __init__(self, kind: str, folder: Path, primaries: int = 3, replicas: int = 0, fsync: str = "everysec") -> None:
        """Start it: each primary has so many replicas."""
        number = primaries * (1 + replicas)
        self.nodes = [Node(kind, folder / str(place), fsync) for place in range(number)]
        self.primaries, self.replicas = self.nodes[:primaries], self.nodes[primaries:]
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        self._divide()
        wait_until(lambda: all(self._is_whole(node) for node in self.nodes), "the cluster to be whole")
        for number, node in enumerate(self.replicas):
            node.ask("CLUSTER REPLICATE", self.primaries[number % primaries].id)
        wait_until(lambda: all(self._is_in_step(node) for node in self.replicas), "the replicas")

    def _divide(self) -> None:
        """Give each primary its part of the slots, and let all nodes know of each other."""
        number = len(self.primaries)
        for place, node in enumerate(self.nodes):
            node.ask("CLUSTER SET-CONFIG-EPOCH", place + 1)
            node.ask("CLUSTER MEET", "127.0.0.1", self.nodes[0].port, self.nodes[0].bus)
        for place, node in enumerate(self.primaries):
            first, last = (REDIS_CLUSTER_HASH_SLOTS * (place + more) // number for more in (0, 1))
            node.ask("CLUSTER ADDSLOTSRANGE", first, last - 1)

    def _is_whole(self, node: Node) -> bool:
        known = node.info("cluster_known_nodes") == str(len(self.nodes))
        return known and node.info("cluster_state") == "ok"

    def _is_in_step(self, node: Node) -> bool:
        with redis.Redis.from_url(node.server.url) as client:
            return bool(client.info("replication").get("master_link_status") == "up")

    def stop(self) -> None:
        """End all servers; asked to, primaries would wait for their replicas."""
        for node in self.nodes:
            node.server.kill()
            node.server.stop()
