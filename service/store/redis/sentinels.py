"""Connections to the primary that Sentinels name, with the client library; each new one asks the Sentinels again."""

from typing import TYPE_CHECKING, Any

import redis
from redis.backoff import NoBackoff
from redis.connection import parse_url
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

from service.store.redis.sentinel_address import SentinelAddress

_TIMEOUT_SECONDS = 1
"""How long a Sentinel has to answer before the next one is asked."""

if TYPE_CHECKING:
    _Connection = redis.Connection
else:
    _Connection = object


class _Asking(_Connection):
    """Asks for the primary whenever it connects; the library asks only when a pool makes it connect."""

    def __init__(self, *, connection_pool: Any, **options: Any) -> None:
        self._known = connection_pool
        super().__init__(**options)  # type: ignore[no-untyped-call]

    def _connect(self) -> Any:
        self.host, self.port = self._known.get_master_address()
        return super()._connect()  # type: ignore[no-untyped-call]


class SentinelConnection(_Asking, redis.Connection):
    """A connection to the primary."""


class SentinelTlsConnection(_Asking, redis.SSLConnection):
    """A connection to the primary over TLS."""


def pool_of(url: str, connection_class: type[SentinelConnection | SentinelTlsConnection], **options: Any) -> Any:
    """Make a pool of connections to the primary of an address; those to the Sentinels use the same TLS settings."""
    address = SentinelAddress.read(url)
    settings: dict[str, Any] = dict(parse_url(address.server))  # type: ignore[no-untyped-call]
    over_tls = settings.pop("connection_class", None) is redis.SSLConnection
    del settings["host"]
    tls = {name: value for name, value in settings.items() if name.startswith("ssl_")}
    asking = Sentinel(  # type: ignore[no-untyped-call]
        address.sentinels,
        sentinel_kwargs={
            "username": address.username,
            "password": address.password,
            "socket_timeout": _TIMEOUT_SECONDS,
            "socket_connect_timeout": _TIMEOUT_SECONDS,
            "retry": Retry(NoBackoff(), 0),
            "ssl": over_tls,
            **tls,
        },
    )
    made_with = options | settings
    return SentinelConnectionPool(address.name, asking, connection_class=connection_class, **made_with)  # type: ignore[no-untyped-call]
