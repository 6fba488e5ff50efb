"""Real clusters for the tests: primaries, with replicas if wanted, each a process of its own."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS

from tests.support.processes import Child, free_port
from tests.support.proxies import Proxy
from tests.support.server import PROGRAMS, RealServer, is_up, wait_until

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


NAME = "games"


SENTINELS = 3


DOWN_AFTER_MS = 500
"""After which silence a Sentinel holds a server to be down."""


class SentinelGroup:
    """Servers that replicate, and three Sentinels, two of which must agree that the primary is down."""

    def __init__(self, kind: str, folder: Path, replicas: int = 1, server: type[RealServer] = RealServer) -> None:
        self._program = PROGRAMS[kind]
        self._folder = folder
        quick = ("--repl-diskless-sync-delay", "0")
        self.servers = [
            server.start(kind, folder / f"server{number}", tcp=True, extra=quick) for number in range(replicas + 1)
        ]
        for replica in self.servers[1:]:
            ask(replica.url, "REPLICAOF", "127.0.0.1", str(port_of(self.servers[0].url)))
        wait_until(lambda: confirmed_by(self.servers[0].url) == replicas, "the replicas")
        self._sentinels: list[Child] = []
        self._ports = [free_port() for _ in range(SENTINELS)]
        for port in self._ports:
            self._start_sentinel(port)
        wait_until(lambda: all(self._knows_all(port) for port in self._ports), "the Sentinels")

    @property
    def url(self) -> str:
        """The address for the settings; the first Sentinel of it is not there."""
        return f"redis+sentinel://127.0.0.1:{free_port()},{self._places}/{NAME}/0"

    @property
    def _places(self) -> str:
        return ",".join(f"127.0.0.1:{port}" for port in self._ports)

    @property
    def primary(self) -> RealServer:
        """The server that the Sentinels hold to be the primary now."""
        port = int(self.ask_a_sentinel("SENTINEL", "get-master-addr-by-name", NAME)[1])
        return next(server for server in self.servers if port_of(server.url) == port)

    @property
    def epoch(self) -> int:
        """The number of the last change of the primary."""
        with redis.Redis(port=self._ports[0]) as client:
            return int(client.sentinel_master(NAME)["config-epoch"])

    def is_whole(self) -> bool:
        """Return whether all servers run, and all but the primary replicate it."""
        primary = self.primary
        others = [server for server in self.servers if server is not primary]
        return ask(primary.url, "ROLE")[0] == b"master" and all(
            (role := ask(other.url, "ROLE"))[0] == b"slave"
            and (role[2], role[3]) == (port_of(primary.url), b"connected")
            for other in others
        )

    def ask_a_sentinel(self, *command: str) -> Any:
        """Send one command to a Sentinel."""
        return ask(f"redis://127.0.0.1:{self._ports[0]}/0", *command)

    def close(self) -> None:
        """End all of them."""
        for sentinel in self._sentinels:
            sentinel.kill()
        for server in self.servers:
            server.kill()
            server.stop()

    def _start_sentinel(self, port: int) -> None:
        folder = self._folder / f"sentinel{port}"
        folder.mkdir(parents=True)
        lines = [
            f"port {port}",
            "bind 127.0.0.1",
            f"dir {folder}",
            f"sentinel monitor {NAME} 127.0.0.1 {port_of(self.servers[0].url)} 2",
            f"sentinel down-after-milliseconds {NAME} {DOWN_AFTER_MS}",
            f"sentinel failover-timeout {NAME} 3000",
        ]
        (folder / "sentinel.conf").write_text("\n".join(lines) + "\n")
        sentinel = Child([self._program, folder / "sentinel.conf", "--sentinel"], folder / "server.log")
        sentinel.launch()
        self._sentinels.append(sentinel)
        wait_until(lambda: is_up(f"redis://127.0.0.1:{port}/0"), f"a Sentinel, see {sentinel.log}")

    def _knows_all(self, port: int) -> bool:
        with redis.Redis(port=port) as client:
            known = client.sentinel_master(NAME)
            return known["num-slaves"] == len(self.servers) - 1 and known["num-other-sentinels"] == SENTINELS - 1


def ask(url: str, *command: str) -> Any:
    """Send one command to a server."""
    with redis.Redis.from_url(url) as client:
        return client.execute_command(*command)


def confirmed_by(url: str) -> int:
    """Write to a primary; return how many replicas have it."""
    with redis.Redis.from_url(url) as client:
        client.set("x", "x")
        return int(client.wait(1, 100))


def port_of(url: str) -> int:
    """The port in an address."""
    return int(url.rpartition(":")[2].partition("/")[0])


class Pair:
    """A primary and its replica, behind an address that leads to one of them."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.old, self.new = (_server(kind, folder / name) for name in ("old", "new"))
        self.proxy = Proxy(self.old.url)
        self.url = self.proxy.url
        ask(self.new.url, "REPLICAOF", "127.0.0.1", str(port_of(self.old.url)))
        wait_until(lambda: _said(self.new, "master_link_status") == "up", "the replica")

    def catch_up(self) -> None:
        """Wait until the replica has all that the primary has."""
        wait_until(lambda: _said(self.new, "slave_repl_offset") == _said(self.old, "master_repl_offset"), "the replica")

    def step_down(self) -> None:
        """Make the old server a replica, of nothing that answers, so that no server takes writes."""
        self.catch_up()
        ask(self.new.url, "REPLICAOF", "127.0.0.1", str(free_port()))
        ask(self.old.url, "REPLICAOF", "127.0.0.1", str(free_port()))

    def take_over(self) -> None:
        """Make the new server the primary, and the address lead to it."""
        ask(self.new.url, "REPLICAOF", "NO", "ONE")
        self.proxy.lead_to(self.new.url)

    def fail_over(self) -> None:
        """Do all of it; when this returns, writes are possible again."""
        self.step_down()
        self.take_over()

    def close(self) -> None:
        """End both servers; asked to, they would wait for their replicas."""
        self.proxy.close()
        for server in (self.old, self.new):
            server.kill()
            server.stop()


def _server(kind: str, folder: Path) -> RealServer:
    return RealServer.start(kind, folder, tcp=True, extra=("--repl-diskless-sync-delay", "0"))


def _said(server: RealServer, name: str) -> Any:
    with redis.Redis.from_url(server.url) as client:
        return client.info("replication").get(name)
