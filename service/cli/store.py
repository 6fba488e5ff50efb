"""The store of the service on this host, and two commands on it: ``plateau entries`` and ``plateau shards``."""

import os
import sys
from collections import Counter
from functools import cache

import click
import orjson

from service.cli.exit_codes import ExitCode
from service.cli.output import Command, fail, save, say
from service.config.settings import Settings, check_rulesets
from service.runtime.running_store import running_store
from service.store.archive.buckets import place_at
from service.store.event_store import EventStore, LogDamaged
from service.store.redis.connections import node_of
from service.store.redis.redis_rights import WEB
from service.store.redis.redis_server import StoreMisconfigured
from service.store.shards import MOST, Shards


@cache
def games_here() -> EventStore:
    """Return the games in the store of the running service; end the command with a line if it is not safe for games."""
    check_rulesets()
    settings = Settings.from_environment(os.environ)
    store = _store(settings)
    try:
        store.check(allow_unsafe=settings.allow_unsafe_redis, needs=WEB)
    except StoreMisconfigured as error:
        fail(ExitCode.CONFIGURATION, str(error))
    return store


def _store(settings: Settings) -> EventStore:
    client, archive = running_store(settings), place_at(settings.archive)
    return EventStore(client, settings.shards, replicas=settings.replicas, archive=archive)


@click.command(cls=Command)
@click.argument("game_id")
def entries(game_id: str) -> None:
    """Print the stored log of a game: a JSON object a line.

    The lines have all secrets of the game, even while it is played: every player's cards, and all future draws.
    It needs a running service: the one at REDIS_URL, or else the one with its data in PLATEAU_DATA.
    """
    try:
        log = games_here().read(game_id)
    except LogDamaged as error:
        fail(ExitCode.FAILED, str(error))
    if not log:
        fail(ExitCode.FAILED, f"there is no game {game_id}")
    for record in log:
        save(orjson.dumps(record) + b"\n", sys.stdout.buffer)


@click.command(cls=Command)
@click.argument("number", type=click.IntRange(1, MOST), required=False)
def shards(number: int | None) -> None:
    """Show the number of shards, or increase it to NUMBER for new games.

    A game stays in the shard in which it began. The service can run: all its processes follow within seconds. The
    number cannot be decreased. On a cluster, all games of a shard are on one node.

    It needs a running service: the one at REDIS_URL, or else the one with its data in PLATEAU_DATA.
    """
    store = games_here()
    try:
        if number is not None:
            store.all_shards.grow(number)
        say(f"shards: {', then '.join(map(str, store.all_shards.numbers))}")
        for node, held in sorted(_by_node(store.all_shards).items()):
            say(f"{node}: {held}")
    except ValueError as error:
        fail(ExitCode.CONFIGURATION, str(error))


def _by_node(all_shards: Shards) -> Counter[str]:
    return Counter(node for shard in all_shards if (node := node_of(all_shards.client, shard.tag)) is not None)
