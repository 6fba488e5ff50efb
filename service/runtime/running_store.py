"""The store of a running service, for the commands that operators run on its host."""

import redis

from service.runtime.data_folder import EngineError, socket_path, socket_url
from service.runtime.store_check import explained
from service.settings import Settings
from service.store.connections import connect
from service.store.event_store import StoreUnavailable


def running_store(settings: Settings) -> redis.Redis:
    """Return the store at REDIS_URL, or else that of the service with its data in PLATEAU_DATA.

    Raise ``StoreUnavailable`` if no service runs there, or the store does not let this user in.
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
