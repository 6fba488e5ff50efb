"""Connections to Redis that leave a server which accepts no writes, and so follow a fail-over.

After a fail-over, the old server can stay up as a replica and keep every connection to it open. The name or proxy that
leads to the new server matters only when a connection is made. So a reply that means "not here" counts as the loss of
the connection, and of all others that this process made to the same address before, because they lead to the same
server. A connection that only reads would never notice.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import redis
from redis.backoff import ConstantBackoff, ExponentialBackoff
from redis.exceptions import ClusterDownError, MasterDownError, ReadOnlyError
from redis.retry import Retry

_TIMEOUT_SECONDS = 5
_MOST_CONNECTIONS = 1024
_CLASSES = {"redis": redis.Connection, "rediss": redis.SSLConnection, "unix": redis.UnixDomainSocketConnection}
_NOT_HERE = (ReadOnlyError, MasterDownError, ClusterDownError)
_NOT_HERE_WORDS = ("UNBLOCKED ", "NOREPLICAS ")
"""Replies for which the client library has no class: the server became a replica while a command waited there, or it is
a primary without its replicas, such as one that was cut off and has been replaced."""


class NotPrimary(redis.ConnectionError):
    """The server accepts no writes: it is a replica, or cut off from the others."""


@dataclass(slots=True)
class _Era:
    """The time between two fail-overs of an address, as this process sees it; older connections are stale."""

    current: object = field(default_factory=object)


@cache
def _era_of(_url: str) -> _Era:
    return _Era()


if TYPE_CHECKING:
    _Connection = redis.Connection
else:
    _Connection = object


class _Following(_Connection):
    """A connection that reconnects once its server turns out to accept no writes."""

    era: _Era
    _made_in: object = None

    def _connect(self) -> Any:
        self._made_in = self.era.current
        return super()._connect()  # type: ignore[no-untyped-call]

    def send_packed_command(self, command: Any, check_health: Any = True) -> None:
        """Send a command, on a new connection if this one is stale."""
        if self._made_in is not self.era.current:
            self.disconnect()  # type: ignore[no-untyped-call]
        super().send_packed_command(command, check_health)  # type: ignore[no-untyped-call]

    def read_response(self, *args: Any, **options: Any) -> Any:
        """Read a reply; raise ``NotPrimary``, which is retried like any loss of the connection."""
        try:
            return super().read_response(*args, **options)
        except redis.ResponseError as error:
            if not (isinstance(error, _NOT_HERE) or str(error).startswith(_NOT_HERE_WORDS)):
                raise
            if self._made_in is self.era.current:
                self.era.current = object()
            raise NotPrimary(str(error)) from error


def connect(url: str) -> redis.Redis:
    """Create a client for the games; retries are safe, because every append carries its version and a unique id."""
    return _client(url, Retry(ExponentialBackoff(cap=0.5, base=0.02), 3), max_connections=_MOST_CONNECTIONS)


def connect_queue(url: str) -> redis.Redis:
    """Create a client for the queue; one short retry covers a stale connection, more would hide a missing server."""
    return _client(url, Retry(ConstantBackoff(0.05), 1))


def _client(url: str, retry: Retry, **options: Any) -> redis.Redis:
    following = type("FollowingConnection", (_Following, _CLASSES[urlsplit(url).scheme]), {"era": _era_of(url)})
    timeouts = {"socket_connect_timeout": _TIMEOUT_SECONDS, "socket_timeout": _TIMEOUT_SECONDS}
    return redis.Redis.from_url(url, connection_class=following, retry=retry, **timeouts, **options)
