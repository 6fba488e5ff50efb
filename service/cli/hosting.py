"""The store of the service on this host, for commands that read or write it themselves."""

import os
from functools import cache
from urllib.parse import quote

from service.cli.workers import fail
from service.runtime.data_folder import socket_path
from service.setting_fields import InvalidSettings
from service.settings import Settings, check_rulesets
from service.store.connections import connect
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis_server import StoreMisconfigured

CONFIGURATION, STORE = 2, 3
"""The exit codes for settings that make no sense, and for a store that cannot be reached."""


@cache
def store_of_this_host(unreachable: int = STORE) -> EventStore:
    """Return the games at REDIS_URL, or else those of the running service with its data in PLATEAU_DATA.

    The command ends with a line and an exit code if that is not possible: ``unreachable`` if the store does not answer.
    """
    try:
        check_rulesets()
        settings = Settings.from_environment(os.environ)
        url = settings.redis_url or f"unix://{quote(str(socket_path(settings.data)))}"
        store = EventStore(connect(url), settings.shards)
        store.check(allow_unsafe=settings.allow_unsafe_redis)
    except (InvalidSettings, StoreMisconfigured) as error:
        fail(CONFIGURATION, str(error))
    except StoreUnavailable as error:
        fail(unreachable, f"the store of the service cannot be reached: {error.__cause__ or error}")
    return store
