"""The settings that the service runs on: one server, a primary with its replica behind Sentinels, and a cluster."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

import redis
from redis.crc import key_slot

from bench.chaos.proxy import Proxy
from service.store.event_store import EventStore
from service.store.redis.connections import connect
from tests.support.clusters import NAME, RealCluster, SentinelGroup
from tests.support.server import RealServer, wait_until
from tests.support.small_disk import SmallDisk, can_mount

_KIND = "valkey"
_DISK_MEGABYTES = 256


class Server(RealServer):
    """A server that all others, including servers, reach through a line that can fail, and whose disk can fill up."""

    def __init__(self, command: Sequence[str], url: str, folder: Path, socket_folder: Path | None) -> None:
        self.line = Proxy(url)
        self.disk = SmallDisk(folder, _DISK_MEGABYTES) if can_mount() else None
        kind = "cluster" if "--cluster-enabled" in command else "replica"
        announced = [f"--{kind}-announce-ip", "127.0.0.1", f"--{kind}-announce-port", str(self.line.port)]
        entering: Iterable[str] = self.disk.entering if self.disk else ()
        super().__init__([*entering, *command, *announced], self.line.url, folder, socket_folder)

    def configure(self, name: str, value: str) -> None:
        """Set one of its options."""
        with redis.Redis.from_url(self.url) as client:
            client.config_set(name, value)

    def rewrite_log(self) -> None:
        """Rewrite its append-only file, as operators must once a full disk has room again."""
        with redis.Redis.from_url(self.url) as client:
            wait_until(lambda: _has_written(client, "aof_last_write_status"), "a write to the append-only file")
            client.bgrewriteaof()
            wait_until(lambda: _has_written(client, "aof_last_bgrewrite_status"), "an append-only file without a hole")

    def stop(self) -> None:
        """Kill the server with all that belongs to it; at a request, a primary would wait for its replicas."""
        self.kill()
        super().stop()
        self.line.close()
        if self.disk:
            self.disk.close()


class Setting(Protocol):
    """Servers for the games."""

    name: str
    url: str
    replicas: int
    """How many replicas must have a write before it is acknowledged."""
    replaced_after: float
    """The seconds after which a server that does not answer has been replaced."""

    @property
    def queue_url(self) -> str:
        """The address of the server of the queue."""

    def primary_of(self, game_id: str) -> Server:
        """Return the server that has a game."""

    def replica_of(self, primary: Server) -> Server:
        """Return a server that replicates another."""

    def changes(self) -> int:
        """Return a number that changes whenever a primary is replaced."""

    def fail_over(self, primary: Server) -> None:
        """Request another primary while this one runs."""

    def wait_until_whole(self) -> None:
        """Wait until all servers run, serve, and replicate."""

    def stop(self) -> None:
        """End all servers."""


class Single:
    """One server, which replies once a write is on the disk."""

    name, replicas, replaced_after = "single", 0, 2.5

    def __init__(self, folder: Path) -> None:
        self._server = Server.start(_KIND, folder, tcp=True, extra=("--appendfsync", "always"))
        self.url = self.queue_url = self._server.url

    def primary_of(self, game_id: str) -> Server:  # noqa: ARG002 - of the protocol
        """Return the only server."""
        return self._server

    def replica_of(self, primary: Server) -> Server:
        """Refuse: it has none."""
        raise NotImplementedError

    def fail_over(self, primary: Server) -> None:
        """Refuse: there is no other."""
        raise NotImplementedError

    def changes(self) -> int:
        """Return 0: it is never replaced."""
        return 0

    def wait_until_whole(self) -> None:
        """Restart it if it has ended."""
        if not self._server.is_running():
            self._server.restart()

    def stop(self) -> None:
        """End it."""
        self._server.stop()


class Replicated:
    """A primary and its replica, which must have each write before it is acknowledged; three Sentinels watch them."""

    name, replicas, replaced_after = "replica", 1, 2.5

    def __init__(self, folder: Path) -> None:
        self._group = SentinelGroup(_KIND, folder, server=Server)
        self.url = self.queue_url = self._group.url

    def primary_of(self, game_id: str) -> Server:  # noqa: ARG002 - of the protocol
        """Return the server that is the primary for the Sentinels."""
        return _ours(self._group.primary)

    def replica_of(self, primary: Server) -> Server:
        """Return the other server."""
        return next(_ours(server) for server in self._group.servers if server is not primary)

    def changes(self) -> int:
        """Return the epoch of the Sentinels."""
        return self._group.epoch

    def fail_over(self, primary: Server) -> None:  # noqa: ARG002 - there is one
        """Let the Sentinels choose the replica."""
        self._group.ask_a_sentinel("SENTINEL", "FAILOVER", NAME)

    def wait_until_whole(self) -> None:
        """Wait until both serve, one as the replica of the other; restart those that end."""
        wait_until(_calm(self._is_whole), "the replica")

    def _is_whole(self) -> bool:
        _bring_back(self._group.servers)
        return self._group.is_whole()

    def stop(self) -> None:
        """End all of them."""
        self._group.close()


class Clustered:
    """Three primaries, each with a replica that need not have a write when it is acknowledged."""

    name, replicas, replaced_after = "cluster", 0, 5.0

    def __init__(self, folder: Path) -> None:
        self.cluster = RealCluster(_KIND, folder / "cluster", replicas=1, server=Server)
        self._queue = RealServer.start(_KIND, folder / "queue", tcp=True, appendonly=False)
        self._client = connect(self.cluster.url)
        self.url, self.queue_url = self.cluster.url, self._queue.url

    def slot_of(self, game_id: str) -> int:
        """Return the slot of a game."""
        return key_slot(EventStore(self._client).shard(game_id).tag.encode())

    def primary_of(self, game_id: str) -> Server:
        """Return the primary that has the slot of a game."""
        return _ours(self.cluster.owner(self.slot_of(game_id)).server)

    def replica_of(self, primary: Server) -> Server:
        """Return the replica of a primary."""
        port = next(node.port for node in self.cluster.nodes if node.server is primary)
        replicas = (node for node in self.cluster.replicas if node.replication("master_port") == str(port))
        return _ours(next(replicas).server)

    def changes(self) -> int:
        """Return the epoch of the cluster."""
        running = (node for node in self.cluster.nodes if node.server.is_running())
        return max(int(node.info("cluster_current_epoch")) for node in running)

    def fail_over(self, primary: Server) -> None:
        """Let the replica take over, once it has all writes."""
        with redis.Redis.from_url(self.replica_of(primary).url) as replica:
            replica.execute_command("CLUSTER FAILOVER")

    def move(self, game_id: str) -> None:
        """Move the slot of a game to the next primary."""
        slot, primaries = self.slot_of(game_id), self.cluster.primaries
        place = primaries.index(self.cluster.owner(slot))
        self.cluster.move(slot, primaries[(place + 1) % len(primaries)])

    def wait_until_whole(self) -> None:
        """Wait until three primaries serve all slots, each with a replica in step; restart those that end.

        A node ends, for example, if it cannot write its state of the cluster to a full disk.
        """
        wait_until(_calm(self._is_whole), "the cluster")

    def _is_whole(self) -> bool:
        _bring_back([node.server for node in self.cluster.nodes])
        primaries = self.cluster.primaries
        return (
            len(primaries) == 3
            and all(node.info("cluster_state") == "ok" for node in self.cluster.nodes)
            and all(node.replication("connected_slaves") == "1" for node in primaries)
            and all(node.replication("master_link_status") == "up" for node in self.cluster.replicas)
        )

    def stop(self) -> None:
        """End all servers."""
        self._client.close()
        self.cluster.stop()
        self._queue.stop()


def _has_written(client: redis.Redis, status: str) -> bool:
    facts = client.info("persistence")
    rewrites = facts["aof_rewrite_in_progress"] or facts["aof_rewrite_scheduled"]
    return facts[status] == "ok" and not rewrites


def _ours(server: RealServer) -> Server:
    assert isinstance(server, Server)
    return server


def _bring_back(servers: Iterable[RealServer]) -> None:
    for server in servers:
        if not server.is_running():
            server.restart()


def _calm(is_done: Callable[[], bool]) -> Callable[[], bool]:
    """Return a question whose answer is no while a server does not answer."""

    def ask() -> bool:
        try:
            return is_done()
        except (redis.RedisError, StopIteration):
            return False

    return ask


SETTINGS: dict[str, Callable[[Path], Setting]] = {
    "single": Single,
    "replica": Replicated,
    "cluster": Clustered,
}
