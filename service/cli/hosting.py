"""The games of the service on this host, for commands that read or write its store themselves."""

import os
from functools import cache

from service.cli.workers import fail
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings, check_rulesets
from service.runtime.running_store import running_store
from service.store.archive.buckets import place_at
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.redis_rights import WEB
from service.store.redis.redis_server import StoreMisconfigured

CONFIGURATION, STORE = 2, 3
"""The exit codes for settings that make no sense, and for a store that cannot be reached."""


@cache
def games_here(unreachable: int = STORE) -> EventStore:
    """Return the games in the store of the running service.

    End the command with a line and an exit code if that cannot be used: ``unreachable`` if it does not answer.
    """
    try:
        check_rulesets()
        settings = Settings.from_environment(os.environ)
        store = _store(settings)
        store.check(allow_unsafe=settings.allow_unsafe_redis, needs=WEB)
    except (InvalidSettings, StoreMisconfigured) as error:
        fail(CONFIGURATION, str(error))
    except StoreUnavailable as error:
        fail(unreachable, f"the store of the service cannot be reached: {error}")
    return store


def _store(settings: Settings) -> EventStore:
    client, archive = running_store(settings), place_at(settings.archive)
    return EventStore(client, settings.shards, replicas=settings.replicas, archive=archive)
