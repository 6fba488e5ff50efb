"""A primary with replicas, and Sentinels that watch them: real processes of one of the servers on this machine."""

from pathlib import Path
from typing import Any

import redis

from tests.children import Child
from tests.ports import free_port
from tests.servers import PROGRAMS, RealServer, is_up, wait_until

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
