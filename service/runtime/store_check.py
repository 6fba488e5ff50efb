"""The check of every Redis in the settings, before anything else starts; it explains a problem in one line."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import redis

from service.config.setting_fields import place_of
from service.config.settings import Settings
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.connections import connect, connect_queue
from service.store.redis.redis_rights import GAMES, QUEUE
from service.store.redis.redis_server import StoreMisconfigured, check_server, check_servers, described

_log = logging.getLogger("plateau.start")
_LOADING_SECONDS = 0.1
_LOCKED = "it requires a password: redis://user:password@host:port/0"
_NO_TLS = "if it does not use TLS, write redis:// instead of rediss://"
_OTHER_NAME = "its certificate is for another name: use that one in the address"
_SHOW_YOURS = (
    "it wants a certificate of this client that it trusts: name one with ?ssl_certfile=/path&ssl_keyfile=/path"
)
_CUT_OFF = ("Connection closed by server", "Connection reset by peer", "Broken pipe")
_ADVICE = {
    "WRONG_VERSION_NUMBER": _NO_TLS,
    "ostname mismatch": _OTHER_NAME,
    "IP address mismatch": _OTHER_NAME,
    "certificate has expired": "its certificate has expired: renew it",
    "CERTIFICATE_VERIFY_FAILED": "its certificate is not trusted here: name the authority with ?ssl_ca_certs=/path",
    "unknown ca": _SHOW_YOURS,
    "certificate required": _SHOW_YOURS,
    "EOF occurred in violation of protocol": _SHOW_YOURS,
    "KEY_VALUES_MISMATCH": "the key of ?ssl_keyfile does not belong to the certificate of ?ssl_certfile",
    **dict.fromkeys(_CUT_OFF, "if it uses TLS, write rediss:// instead of redis://"),
    "DB index is out of range": "it has no database with that number: change the end of the address",
    "Authentication required": _LOCKED,
    "HELLO must be called with the client already authenticated": _LOCKED,
    "without any password": "it does not use a password: remove it from the address",
    "invalid username-password pair": "the user or the password is wrong",
    "no permissions to run": "allow it in the user's ACL",
    "unknown command 'HELLO'": "the service needs Redis 7.0 or newer, or Valkey",
    "protected mode": "it accepts only clients on its own machine: let it accept others, with a password",
    "max number of clients": "raise its maxclients",
    "Protocol error": "the server there is not Redis",
    "Protocol Error": "the server there is not Redis",
    "used memory >": "its memory is full: raise its maxmemory",
    "Cluster mode is not enabled": "write redis:// for a single server; in a cluster, the user needs +cluster|slots",
    "MISCONF": "it cannot write to its disk",
    "No master found": "no Sentinel there answers and knows a primary of that name that is up",
}


def check_stores(settings: Settings, url: str, place: str, *, with_queue: bool, needs: Sequence[str] = GAMES) -> str:
    """Check the Redis of the games, and that of the queue if needed; return a description of the former.

    ``needs`` are the rights on the former. Wait for a server that is still loading its log. Raise
    ``StoreMisconfigured`` or ``StoreUnavailable``.
    """
    with connect(url) as client, explained(f"Redis at {place}"):
        store = EventStore(client, settings.shards, replicas=settings.replicas)
        _loaded(lambda: store.check(allow_unsafe=settings.allow_unsafe_redis, needs=needs), place)
        servers = check_servers(client, needs)
    if with_queue:
        _check_queue(settings, url)
    return described(servers)


def _check_queue(settings: Settings, url: str) -> None:
    """Check the Redis of the queue; if it is unavailable, only warn, because workers can wait for it."""
    place = place_of(settings.queue_url) if settings.queue_url else "REDIS_URL"
    with connect_queue(settings.queue_url or url) as client:
        try:
            with explained(f"Redis of the queue at {place}"):
                _loaded(lambda: check_server(client, QUEUE), place)
        except StoreUnavailable as error:
            if isinstance(error.__cause__, redis.AuthenticationError):
                raise
            _log.warning("%s; workers wait for it", error)


def _loaded(check: Callable[[], object], place: str) -> None:
    was_told = False
    while True:
        try:
            check()
        except StoreUnavailable as error:
            if not isinstance(error, redis.BusyLoadingError):
                raise
            if not was_told:
                _log.warning("Redis at %s is loading its log; waiting for it", place)
            was_told = True
            time.sleep(_LOADING_SECONDS)
        else:
            return


@contextmanager
def explained(which: str) -> Iterator[None]:
    """Raise errors as one line that names the server and the remedy."""
    try:
        yield
    except StoreMisconfigured as error:
        raise StoreMisconfigured(f"{which} cannot be used: {error}") from error
    except (StoreUnavailable, OSError, ValueError) as error:
        raise _said(which, error) from error


def _said(which: str, error: BaseException) -> StoreUnavailable:
    text = " ".join(str(error).split())[:300]
    over_tls = "rediss://" in which
    known = _ADVICE | (dict.fromkeys(_CUT_OFF, _SHOW_YOURS) if over_tls else {})
    advice = next((advice for words, advice in known.items() if words in text), _NO_TLS if over_tls else "")
    return StoreUnavailable(f"{which} does not answer as it should: {text}" + (f" ({advice})" if advice else ""))
