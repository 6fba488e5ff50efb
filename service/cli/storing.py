"""The store of a running service, for the commands that operators run on its host."""

import os
from functools import cache

import redis

from service.cli.workers import fail
from service.runtime.data_folder import EngineError, socket_path, socket_url
from service.setting_fields import InvalidSettings
from service.settings import Settings, check_rulesets
from service.store.connections import connect
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis_server import StoreMisconfigured

CONFIGURATION, STORE = 2, 3
"""Exit codes: the settings are wrong, the store cannot be reached."""


def settings_here() -> Settings:
    """Return the settings in the environment; end the command if one is wrong."""
    try:
        return Settings.from_environment(os.environ)
    except InvalidSettings as error:
        fail(CONFIGURATION, str(error))


def running_store(settings: Settings, unreachable: int = STORE) -> redis.Redis:
    """Return the store at REDIS_URL, or else that of the service with its data in PLATEAU_DATA.

    If no service runs, the command ends with the exit code ``unreachable``.
    """
    if settings.redis_url is not None:
        return connect(settings.redis_url)
    try:
        socket = socket_path(settings.data)
    except (EngineError, OSError) as error:
        fail(unreachable, str(error))
    if not socket.exists():
        fail(unreachable, f"no service runs on {settings.data}; start it, or set REDIS_URL or PLATEAU_DATA")
    return connect(socket_url(socket))


@cache
def games_here(unreachable: int = STORE) -> EventStore:
    """Return the games in the store of the running service; end the command if that cannot be used."""
    settings = settings_here()
    store = EventStore(running_store(settings, unreachable), settings.shards)
    try:
        check_rulesets()
        store.check(allow_unsafe=settings.allow_unsafe_redis)
    except (InvalidSettings, StoreMisconfigured) as error:
        fail(CONFIGURATION, str(error))
    except StoreUnavailable as error:
        fail(unreachable, f"the store of the service cannot be reached: {error.__cause__ or error}")
    return store
