"""The wiring: the services and the app that the settings ask for."""

import logging

import redis
from flask import Flask

from service import clock
from service.api import create_app
from service.api.http import Services
from service.config import Settings
from service.games import Games
from service.players import Players
from service.pulse import Pulse
from service.store import EventStore, connect

_log = logging.getLogger("plateau.start")


def wire(settings: Settings, *, beating: bool = False) -> Flask:
    """Make the app on the Redis that the settings name; raises ``StoreMisconfigured`` if it would lose games.

    A web process goes on ``beating``, so that everyone knows that players can act.
    """
    client = _memory() if settings.memory else connect(settings.redis_url or "")
    store = EventStore(client, settings.shards)
    if not settings.memory:
        for warning in store.check(allow_unsafe=settings.allow_unsafe_redis):
            _log.warning(warning)
    pulse = Pulse(client)
    if beating:
        pulse.beat_for_ever()
    games = Games(store, clock.now, settings.bot_seconds, pulse.downtimes)
    return create_app(Services(games, Players(client, clock.now), store.is_up))


def _memory() -> redis.Redis:
    import fakeredis  # noqa: PLC0415 - only here; the other modes need not load it

    return fakeredis.FakeRedis()
