"""Waiting for the streams of several slots at once: one connection for each, on which one read always waits.

A cluster answers a read of one slot only, and a connection waits for one read at a time. A read continues while its
reader handles entries of another stream, so no stream is read more often than the time of a wait requires.
"""

import selectors
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import redis
from redis.exceptions import AskError, MovedError

from service.store.redis.cluster import Cluster, Command, slot_of

_LATE_SECONDS = 5.0
"""After so many seconds without the expected reply, a connection counts as lost."""


@dataclass(slots=True)
class _Read:
    """A connection, and when the reply to its current read is late; None without a read."""

    connection: redis.Connection
    late_at: float | None = None


class WaitingReads:
    """The reads of one reader of one group; only one thread uses them."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._reads: dict[str, _Read] = {}

    def waits_for(self, stream: str) -> bool:
        """Return whether a stream is being read."""
        return stream in self._reads and self._reads[stream].late_at is not None

    def ended(self) -> list[Any]:
        """Return the results of the reads that have ended; raise ``RedisError`` as ``wait`` does."""
        with self._whole():
            return self._found(0.0)

    def wait(self, commands: Mapping[str, Command], seconds: float) -> list[Any]:
        """Wait for any of several streams; return the entries of those that have some.

        Each is read by a command that blocks for so many seconds. Raise ``RedisError`` if that cannot continue. Then
        all reads are ended, and entries on their way count as taken.
        """
        until = time.monotonic() + seconds
        with self._whole():
            while True:
                for stream, command in commands.items():
                    self._begin(stream, command, seconds)
                found = self._found(max(0.0, until - time.monotonic()))
                if found or time.monotonic() >= until:
                    return found

    @contextmanager
    def _whole(self) -> Iterator[None]:
        try:
            yield
        except redis.RedisError:
            self.stop()
            raise

    def stop(self) -> None:
        """End all reads."""
        for each in self._reads.values():
            each.connection.disconnect()  # type: ignore[no-untyped-call]
        self._reads.clear()

    def _begin(self, stream: str, command: Command, seconds: float) -> None:
        """Begin to read a stream, unless it is being read already."""
        read = self._reads.get(stream)
        if read is None:
            slot = slot_of(command)
            read = self._reads[stream] = self._cluster.call(slot, lambda client, _: _Read(_connected(client)))
        if read.late_at is None:
            read.connection.send_command(*command)  # type: ignore[no-untyped-call]
            read.late_at = time.monotonic() + seconds + _LATE_SECONDS

    def _found(self, seconds: float) -> list[Any]:
        """Wait until a read has ended, for so many seconds at most; return its entries."""
        with selectors.DefaultSelector() as waiting:
            for stream, read in self._reads.items():
                if read.late_at is not None:
                    waiting.register(_socket_of(read.connection), selectors.EVENT_READ, stream)
            ended = [cast("str", each.data) for each, _ in waiting.select(seconds)]
        replies = [self._reply(stream) for stream in ended]
        if any(each.late_at and each.late_at < time.monotonic() for each in self._reads.values()):
            raise redis.TimeoutError("a node of the cluster does not answer")
        return [reply for reply in replies if reply]

    def _reply(self, stream: str) -> Any:
        """Return the result of a read; None also if the stream has moved to a node where the next read begins."""
        read = self._reads[stream]
        read.late_at = None
        try:
            return read.connection.read_response()
        except AskError as error:
            read.connection.disconnect()  # type: ignore[no-untyped-call]
            if isinstance(error, MovedError):
                self._cluster.moved(error)
                del self._reads[stream]
            else:
                self._reads[stream] = _asking(_connected(self._cluster.client_at(error.host, error.port)))
        return None


def _connected(client: redis.Redis) -> redis.Connection:
    pool = client.connection_pool
    connection: redis.Connection = pool.connection_class(**pool.connection_kwargs)
    connection.connect()  # type: ignore[no-untyped-call]
    return connection


def _asking(connection: redis.Connection) -> _Read:
    """Prepare the next read on a connection for a slot that is moving to this node."""
    connection.send_command("ASKING")  # type: ignore[no-untyped-call]
    connection.read_response()
    return _Read(connection)


def _socket_of(connection: redis.Connection) -> socket.socket:
    return cast("socket.socket", connection._sock)  # noqa: SLF001 - the library can wait for one connection, not for several
