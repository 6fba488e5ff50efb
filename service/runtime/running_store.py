"""The store of a running service, for the commands that operators run on its host."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import redis

from service.config.settings import Settings
from service.doctor.examination import Patient
from service.runtime.data_folder import EngineError, socket_path, socket_url
from service.runtime.embedded_redis import start
from service.runtime.store_check import explained
from service.store.archive.buckets import place_at
from service.store.event_store import StoreUnavailable
from service.store.redis.connections import connect, connect_queue
from service.store.redis.redis_rights import RESTORE
from service.store.redis.redis_server import StoreMisconfigured, check_configurations, check_servers


def running_store(settings: Settings) -> redis.Redis:
    """Return the store at REDIS_URL, or that of the service with its data in PLATEAU_DATA.

    Raise ``StoreUnavailable`` if no service runs there, or the store rejects this user.
    """
    if settings.redis_url is not None:
        client = connect(settings.redis_url)
        with explained(f"Redis at {settings.redis_place}"):
            client.ping()
        return client
    try:
        socket = socket_path(settings.data)
    except (EngineError, OSError) as error:
        raise StoreUnavailable(str(error)) from error
    if not socket.exists():
        raise StoreUnavailable(f"no service runs on {settings.data}; start it, or set REDIS_URL or PLATEAU_DATA")
    return connect(socket_url(socket))


def checked_store(settings: Settings, needs: Sequence[str]) -> redis.Redis:
    """Return the store of a running service, which grants the rights in ``needs``.

    Raise ``StoreUnavailable``, or ``StoreMisconfigured``, which names the missing rights.
    """
    client = running_store(settings)
    with explained(_place(settings)):
        check_servers(client, needs)
    return client


@contextmanager
def store_to_fill(settings: Settings) -> Iterator[redis.Redis]:
    """Open the store at REDIS_URL, or start the embedded engine on PLATEAU_DATA until the block ends.

    Raise ``StoreUnavailable``, ``StoreMisconfigured`` if the store could lose games, or ``EngineError``.
    """
    if settings.redis_url is None:
        with start(settings.data, settings.fsync) as engine, connect(engine.url) as client:
            yield client
        return
    with connect(settings.redis_url) as client:
        with explained(_place(settings)):
            wrong, _ = check_configurations(check_servers(client, RESTORE))
        if wrong and not settings.allow_unsafe_redis:
            raise StoreMisconfigured(f"{_place(settings)} is not safe for games: {'; '.join(wrong)}")
        yield client


def _place(settings: Settings) -> str:
    return f"Redis at {settings.redis_place}" if settings.redis_url else f"the engine on {settings.data}"


def patient_of(settings: Settings) -> Patient:
    """Return the running service that the doctor examines; raise ``StoreUnavailable`` if none runs there."""
    client = running_store(settings)
    queue = connect_queue(settings.queue_url) if settings.queue_url else client
    archive = place_at(settings.archive)
    return Patient(client, queue, settings.shards, settings.patience, settings.replicas, archive)
