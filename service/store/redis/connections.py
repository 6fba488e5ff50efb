"""Connections to Redis that leave a server which accepts no writes, and so follow a fail-over.

After a fail-over, the old server can stay up as a replica and keep every connection to it open. The name or proxy that
leads to the new server matters only when a connection is made. So a reply that means "not here" counts as the loss of
the connection, and of all earlier connections of this process to the same address, because they lead to the same
server. A connection that only reads would never notice.
"""

import asyncio
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Protocol
from urllib.parse import urlsplit

import redis
from redis.backoff import ConstantBackoff, ExponentialBackoff
from redis.connection import parse_url
from redis.crc import key_slot
from redis.exceptions import ClusterDownError, MasterDownError, ReadOnlyError
from redis.retry import Retry

from service.common import greenlets
from service.common.greenlets import LoopGreenlet
from service.store.redis import cluster_address
from service.store.redis.availability import Client
from service.store.redis.cluster import LOST, REDIRECTIONS, Cluster, Command, is_for_every_primary, slot_of
from service.store.redis.cluster_client import ClusterClient
from service.store.redis.loop_connection import LoopConnection
from service.store.redis.sentinels import SentinelConnection, SentinelTlsConnection, pool_of
from service.store.redis.silence import WAIT_SECONDS, Answering, address_of

_TIMEOUTS = {"socket_connect_timeout": WAIT_SECONDS, "socket_timeout": WAIT_SECONDS}
_BACKOFF, _RETRIES = ExponentialBackoff(cap=0.5, base=0.02), 3
_MOST_CONNECTIONS = 1024
_CLASSES = {"redis": redis.Connection, "rediss": redis.SSLConnection, "unix": redis.UnixDomainSocketConnection}
_BY_SENTINEL = {"redis+sentinel": SentinelConnection, "rediss+sentinel": SentinelTlsConnection}
_LOST = (redis.ConnectionError,)
"""Errors that are worth another attempt.

A server that did not reply in time is not: a request waits for it only once.
"""
_NOT_HERE = (ReadOnlyError, MasterDownError, ClusterDownError)
_NOT_HERE_WORDS = ("UNBLOCKED ", "NOREPLICAS ")
"""Replies for which the client library has no class: the server became a replica while a command waited there, or it is
a primary without its replicas, such as one that was cut off and has been replaced."""


class NotPrimary(redis.ConnectionError):
    """The server accepts no writes: it is a replica, or cut off from the others."""


class _Following(Answering):
    """A connection that reconnects once its server turns out to accept no writes."""

    def read_response(self, *args: Any, **options: Any) -> Any:
        """Read a reply; raise ``NotPrimary``, which is retried like any loss of the connection."""
        try:
            return super().read_response(*args, **options)
        except redis.ResponseError as error:
            if not _is_elsewhere(error):
                raise
            self.address.leave(self.era)
            raise NotPrimary(str(error)) from error


def _is_elsewhere(error: redis.ResponseError) -> bool:
    return isinstance(error, _NOT_HERE) or str(error).startswith(_NOT_HERE_WORDS)


def _judged(reply: Any) -> redis.RedisError | None:
    """Return the error that a reply means if the server accepts no writes."""
    return NotPrimary(str(reply)) if isinstance(reply, redis.ResponseError) and _is_elsewhere(reply) else None


class ThreadConnection(threading.local):
    """One connection for each thread, for the commands that most requests wait for.

    A pool would lock and test the connection twice for each command; retries detect a stale connection anyway.
    """

    def __init__(self, pool: redis.ConnectionPool) -> None:
        self._connection: redis.Connection = pool.connection_class(**pool.connection_kwargs)

    def ask(self, *commands: Sequence[str | bytes | int]) -> list[Any]:
        """Send commands in one round trip, and return the replies as the server wrote them."""
        connection = self._connection

        return _accepted(connection.retry.call_with_retry(partial(_replies, connection, commands), lambda _: None))

    def leave(self) -> None:
        """Let this process reconnect to the address: the server answers, but another one may have replaced it."""
        if isinstance(self._connection, _Following):
            self._connection.address.leave()


class SharedConnection:
    """One connection that requests on an event loop share, and one for each thread."""

    def __init__(self, pool: redis.ConnectionPool) -> None:
        self._of_thread = ThreadConnection(pool)
        self._of_loop = LoopConnection(partial(pool.connection_class, **pool.connection_kwargs), _judged)

    def ask(self, *commands: Command) -> list[Any]:
        """Send commands in one round trip, and return the replies as the server wrote them.

        If an event loop waited for replicas on the shared connection, all requests would wait, so a thread does that.
        """
        by = greenlets.current()
        if by is None or commands[-1][0] == "WAIT":
            return greenlets.in_thread(partial(self._of_thread.ask, *commands))
        tries = 0
        while True:
            try:
                return _accepted(self._of_loop.exchange(by, commands))
            except _LOST:
                tries += 1
                if tries > _RETRIES:
                    raise
            by.wait_for(by.loop.create_task(asyncio.sleep(_BACKOFF.compute(tries))))

    def leave(self) -> None:
        """Let this process reconnect to the address: the server answers, but another one may have replaced it."""
        self._of_thread.leave()


class ClusterConnection:
    """The same for a cluster: one connection to each node for all requests on an event loop, and for each thread."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._of_thread = _ClusterThreadConnection(cluster)
        self._of_loop: dict[str, LoopConnection] = {}

    def ask(self, *commands: Command) -> list[Any]:
        """Send commands to the node that has the first key, in one round trip; return the replies as it wrote them.

        A thread asks again if a slot has moved or a connection is lost, because then other nodes must be asked for the
        slot.
        """
        by = greenlets.current()
        replies = None if by is None else self._asked_at_once(by, commands)
        return _accepted(replies or greenlets.in_thread(partial(self._of_thread.ask, *commands)))

    def leave(self) -> None:
        """Let this process ask again which node has which slot: a primary that answers may have been replaced."""
        self._cluster.look_again()

    def _asked_at_once(self, by: LoopGreenlet, commands: Sequence[Command]) -> list[Any] | None:
        """Ask the node that is known to have the slot; return None if it does not return the replies."""
        slot = None if commands[-1][0] == "WAIT" else slot_of(commands[0])
        client = None if slot is None else self._cluster.known_client_of(slot)
        if client is None:
            return None
        try:
            replies = self._connection_to(client.connection_pool).exchange(by, commands)
        except LOST:
            return None
        return None if any(isinstance(reply, REDIRECTIONS) for reply in replies) else replies

    def _connection_to(self, pool: redis.ConnectionPool) -> LoopConnection:
        place = "{host}:{port}".format(**pool.connection_kwargs)
        if place not in self._of_loop:
            make = partial(pool.connection_class, **pool.connection_kwargs)
            self._of_loop[place] = LoopConnection(make, lambda _: None)
        return self._of_loop[place]


class _ClusterThreadConnection(threading.local):
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._connections: dict[tuple[str, int], redis.Connection] = {}

    def ask(self, *commands: Sequence[str | bytes | int]) -> list[Any]:
        """Send commands in one round trip; follow a slot that has moved."""
        if is_for_every_primary(commands[0]):
            replies = [self._exchange(client, commands) for client in self._cluster.primaries()]
            return replies[0]
        slot = slot_of(commands[0])
        return self._cluster.call(slot, lambda client, asking: self._exchange(client, commands, asking=asking))

    def _exchange(self, client: redis.Redis, commands: Sequence[Command], *, asking: bool = False) -> list[Any]:
        connection = self._connection_to(client.connection_pool)
        sent = [part for each in commands for part in (("ASKING",), each)] if asking else commands
        replies = _replies(connection, sent)
        return _accepted(replies[1::2] if asking else replies)

    def _connection_to(self, pool: redis.ConnectionPool) -> redis.Connection:
        place = (pool.connection_kwargs["host"], pool.connection_kwargs["port"])
        if place not in self._connections:
            self._connections[place] = pool.connection_class(**pool.connection_kwargs)
        return self._connections[place]


class Connection(Protocol):
    """A connection to a server, or to the nodes of a cluster, beside the library's client."""

    def ask(self, *commands: Command) -> list[Any]:
        """Send commands in one round trip, and return the replies as the server wrote them."""
        ...

    def leave(self) -> None:
        """Let this process reconnect."""
        ...


def own_connection(client: redis.Redis) -> Connection:
    """Make the connection of this process to a server, or to the nodes of a cluster."""
    if isinstance(client, ClusterClient):
        return ClusterConnection(client.nodes)
    if issubclass(client.connection_pool.connection_class, _Following):
        return SharedConnection(client.connection_pool)
    return ThreadConnection(client.connection_pool)


def server_of(client: redis.Redis, key: str) -> redis.Redis:
    """Return the client of the cluster node that has a key; for a single server, the client itself."""
    return client.nodes.client_of(key_slot(key.encode())) if isinstance(client, ClusterClient) else client


def node_of(client: redis.Redis, key: str) -> str | None:
    """Return the address of the cluster node that has a key; None for a single server."""
    if not isinstance(client, ClusterClient):
        return None
    return "{host}:{port}".format(**server_of(client, key).connection_pool.connection_kwargs)


def one_on_each_node(client: redis.Redis, names: Iterable[str]) -> list[str]:
    """Return one of some keys for each node of a cluster that could have any of them; the first for a single server."""
    nodes = len(client.nodes.primaries()) if isinstance(client, ClusterClient) else 1
    found = dict[str | None, str]()
    for name in names:
        found.setdefault(node_of(client, name), name)
        if len(found) >= nodes:
            break
    return [*found.values()]


def _replies(connection: redis.Connection, commands: Sequence[Command]) -> list[Any]:
    """Send commands in one round trip, and read all replies, including errors of the server.

    If that is interrupted, for example at the end of a job's time, the connection is closed: its unread replies would
    answer the next commands.
    """
    try:
        connection.send_packed_command(connection.pack_commands(commands))  # type: ignore[no-untyped-call]
        return [_reply(connection) for _ in commands]
    except BaseException:
        connection.disconnect()  # type: ignore[no-untyped-call]
        raise


def _accepted(replies: list[Any]) -> list[Any]:
    """Return replies; raise the first error among them."""
    for reply in replies:
        if isinstance(reply, redis.RedisError):
            raise reply
    return replies


def _reply(connection: redis.Connection) -> Any:
    """Read a reply; return an error of the server, because the replies after it must be read too."""
    try:
        return connection.read_response()
    except redis.ResponseError as error:
        return error


def connect(url: str) -> redis.Redis:
    """Create a client for the games; retries are safe, because every append has its version and a unique id."""
    if cluster_address.is_of_cluster(url):
        return ClusterClient(_cluster(url))
    return _client(url, Retry(_BACKOFF, _RETRIES, _LOST), max_connections=_MOST_CONNECTIONS)


def connect_queue(url: str) -> redis.Redis:
    """Create a client for the queue; one short retry covers a stale connection, more would hide a missing server."""
    return _client(url, Retry(ConstantBackoff(0.05), 1, _LOST))


def _cluster(url: str) -> Cluster:
    address = cluster_address.read(url)
    options = parse_url(address.first)  # type: ignore[no-untyped-call]
    del options["host"]
    options.pop("port", None)
    base = options.pop("connection_class", redis.Connection)
    options["connection_class"] = type("NodeConnection", (Answering, base), {})
    return Cluster(address.nodes, {**_TIMEOUTS, "max_connections": _MOST_CONNECTIONS, **options}, _BACKOFF, _RETRIES)


def _client(url: str, retry: Retry, **options: Any) -> redis.Redis:
    scheme = urlsplit(url).scheme
    following = type(
        "FollowingConnection", (_Following, (_CLASSES | _BY_SENTINEL)[scheme]), {"address": address_of(url)}
    )
    if scheme in _BY_SENTINEL:
        return Client.from_pool(pool_of(url, following, retry=retry, **_TIMEOUTS, **options))
    return Client.from_url(url, connection_class=following, retry=retry, **_TIMEOUTS, **options)
