"""A cluster as this process knows it: which node has which slot, and how to follow changes.

The topology and the pools of connections are redis-py's own (``NodesManager``). The loop that follows redirections is
here, because redis-py's cluster client rejects scripts in pipelines and messages in transactions, cannot wait for
several streams, and has no connection for each thread.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import redis
from redis.backoff import AbstractBackoff
from redis.cluster import ClusterNode, NodesManager
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import AskError, ClusterDownError, MovedError, RedisClusterException, TryAgainError

from service.store.redis.silence import SilentServer

Command = Sequence[Any]
T = TypeVar("T")

_ON_EVERY_PRIMARY = frozenset({"SCRIPT LOAD", "SCRIPT EXISTS", "SCRIPT FLUSH", "FLUSHALL"})
_WITHOUT_KEYS = _ON_EVERY_PRIMARY | {"PUBLISH", "PING", "TIME", "ECHO", "INFO", "HELLO", "CLUSTER INFO"}

REDIRECTIONS = (MovedError, AskError, TryAgainError, ClusterDownError)
"""Replies of a node that does not carry out a command now; another node, or the same one later, does."""

LOST = (redis.ConnectionError, redis.TimeoutError)


def slot_of(command: Command) -> int | None:
    """Return the slot of the first key of a command, None without keys; a server rejects keys of several slots."""
    match command:
        case ("EVAL" | "EVALSHA", _, number, *rest):
            return _slot(rest[0]) if int(number) else None
        case ("XREADGROUP", *rest):
            return _slot(rest[rest.index("STREAMS") + 1])
        case (name, *_) if name in _WITHOUT_KEYS:
            return None
        case (_, key, *_):
            return _slot(key)
        case _:
            return None


def is_for_every_primary(command: Command) -> bool:
    """Return whether every primary must carry out a command."""
    return command[0] in _ON_EVERY_PRIMARY


def _slot(key: str | bytes) -> int:
    return key_slot(key.encode() if isinstance(key, str) else key)


class Cluster:
    """The nodes of a cluster, which are discovered when they are first needed."""

    def __init__(
        self, named: Sequence[tuple[str, int]], options: Mapping[str, Any], backoff: AbstractBackoff, retries: int
    ) -> None:
        """Store the addresses of some nodes, the options of connections, and how often to retry."""
        self._named = named
        self._options = options
        self._backoff = backoff
        self._retries = retries
        self._turn = threading.Lock()
        self._manager: NodesManager | None = None

    def call(self, slot: int | None, ask: Callable[[redis.Redis, bool], T]) -> T:
        """Let ``ask`` send commands to the primary of a slot (None: to any), again if the slot has moved.

        ``ask`` gets the client of a node, and whether to send ASKING before each command, because the slot is moving to
        that node. It raises the node's errors. After a few attempts, the last error is raised. A silent node is tried
        once more, only if the others have replaced it.
        """
        last: Exception | None = None
        for failures in range(self._retries + 1):
            if isinstance(last, (TryAgainError, ClusterDownError, *LOST)) and not isinstance(last, SilentServer):
                time.sleep(self._backoff.compute(failures))
            try:
                return ask(*self._next(slot, last))
            except (*REDIRECTIONS, *LOST) as error:
                if isinstance(error, SilentServer) and isinstance(last, SilentServer):
                    raise  # the cluster still leads to the silent node
                last = error
        assert last is not None  # noqa: S101 - there was at least one try
        raise last

    def client_of(self, slot: int) -> redis.Redis:
        """Return the client of the primary that has a slot, as far as this process knows."""
        with _as_lost():
            return self._client(self._nodes().get_node_from_slot(slot))

    def known_client_of(self, slot: int) -> redis.Redis | None:
        """Return the client of the primary of a slot; None if a node must be asked for it."""
        if self._manager is None:
            return None
        try:
            return self.client_of(slot)
        except redis.ConnectionError:
            return None

    def primaries(self) -> list[redis.Redis]:
        """Return the clients of all primaries."""
        return [self._client(node) for node in self._nodes().get_nodes_by_server_type("primary")]

    def layout(self) -> list[str]:
        """Return which primary has each slot, as far as this process knows."""
        manager = self._nodes()
        with _as_lost():
            return [manager.get_node_from_slot(slot).name for slot in range(REDIS_CLUSTER_HASH_SLOTS)]

    def replicas(self) -> list[redis.Redis]:
        """Return the clients of all replicas."""
        return [self._client(node) for node in self._nodes().get_nodes_by_server_type("replica")]

    def moved(self, error: MovedError) -> None:
        """Store the new node of a slot."""
        with _as_lost():
            self._nodes().move_slot(error)

    def look_again(self) -> None:
        """Ask the known nodes for the topology; if none answers, begin again with the configured ones."""
        try:
            with _as_lost():
                self._nodes().initialize()
        except redis.ConnectionError:
            self._forget(also_used=False)
            raise

    def close(self) -> None:
        """Close all connections of the pools, and forget the nodes."""
        self._forget(also_used=True)

    def _forget(self, *, also_used: bool) -> None:
        """Forget the nodes and close their connections; with ``also_used``, also those that other threads use now."""
        with self._turn:
            manager, self._manager = self._manager, None
        for node in () if manager is None else manager.nodes_cache.values():
            if node.redis_connection is not None:
                node.redis_connection.connection_pool.disconnect(inuse_connections=also_used)

    def _next(self, slot: int | None, last: Exception | None) -> tuple[redis.Redis, bool]:
        """Return the node for the next attempt after an error, and whether with ASKING."""
        if isinstance(last, MovedError):
            self.moved(last)
        elif isinstance(last, AskError):
            return self.client_at(last.host, last.port), True
        elif isinstance(last, (ClusterDownError, *LOST)):
            self.look_again()
        return (random.choice(self.primaries()) if slot is None else self.client_of(slot)), False  # noqa: S311

    def client_at(self, host: str, port: int) -> redis.Redis:
        """Return the client of the node at an address to which another node redirects."""
        node = self._nodes().get_node(host, port)
        if node is None:
            self.look_again()
            node = self._nodes().get_node(host, port)
        if node is None:
            raise redis.ConnectionError(f"the cluster leads to {host}:{port}, which is not one of its nodes")
        return self._client(node)

    def _client(self, node: ClusterNode) -> redis.Redis:
        if node.redis_connection is None:
            self._nodes().create_redis_connections([node])  # type: ignore[no-untyped-call]
        client: redis.Redis = node.redis_connection
        return client

    def _nodes(self) -> NodesManager:
        with self._turn:
            if self._manager is None:
                with _as_lost():
                    nodes = [ClusterNode(*each) for each in self._named]  # type: ignore[no-untyped-call]
                    self._manager = NodesManager(nodes, from_url=True, **self._options)
            return self._manager


@contextmanager
def _as_lost() -> Iterator[None]:
    """Raise errors of the topology that are not a ``RedisError`` as the loss of a connection."""
    try:
        yield
    except RedisClusterException as error:
        raise redis.ConnectionError(str(error)) from error
    except LookupError as error:  # in what the library knows of slots and primaries
        raise redis.ConnectionError("no node serves these slots: see redis-cli --cluster check") from error
