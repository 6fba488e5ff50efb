"""The store of a running service, for the commands that operators run on its host."""

import os

import redis

from service.cli.workers import fail
from service.runtime.data_folder import EngineError, socket_path, socket_url
from service.setting_fields import InvalidSettings
from service.settings import Settings
from service.store.connections import connect

CONFIGURATION, STORE = 2, 3
"""Exit codes: the settings are wrong, the store cannot be reached."""


def settings_here() -> Settings:
    """Return the settings in the environment; end the command if one is wrong."""
    try:
        return Settings.from_environment(os.environ)
    except InvalidSettings as error:
        fail(CONFIGURATION, str(error))


def running_store(settings: Settings) -> redis.Redis:
    """Return the store at REDIS_URL, or else that of the service with its data in PLATEAU_DATA, if one runs."""
    if settings.redis_url is not None:
        return connect(settings.redis_url)
    try:
        socket = socket_path(settings.data)
    except (EngineError, OSError) as error:
        fail(STORE, str(error))
    if not socket.exists():
        fail(STORE, f"no service runs on {settings.data}; start it, or set REDIS_URL or PLATEAU_DATA")
    return connect(socket_url(socket))
