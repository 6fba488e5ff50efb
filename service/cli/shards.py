"""The command ``plateau shards``: among how many groups of keys the games are divided, and how there are more."""

from collections import Counter

import click

from service.cli.hosting import CONFIGURATION, STORE, games_here
from service.cli.output import say
from service.cli.workers import fail
from service.store.event_store import StoreUnavailable
from service.store.redis.connections import node_of
from service.store.shards import MOST, Shards


@click.command()
@click.argument("number", type=click.IntRange(1, MOST), required=False)
def shards(number: int | None) -> None:
    """Show among how many shards games are divided, or divide new games among a larger NUMBER.

    A game stays in the shard in which it began. The service can run: all processes of this release learn of it within
    seconds. There cannot be fewer again. On a cluster, all games of a shard are on one node.

    It needs a running service: the one at REDIS_URL, or else the one with its data in PLATEAU_DATA.

    Exit codes: 0 done, 2 configuration, 3 the store cannot be reached.
    """
    store = games_here()
    try:
        if number is not None:
            store.all_shards.grow(number)
        say(f"shards: {', then '.join(map(str, store.all_shards.numbers))}")
        for node, held in sorted(_by_node(store.all_shards).items()):
            say(f"{node}: {held}")
    except ValueError as error:
        fail(CONFIGURATION, str(error))
    except StoreUnavailable as error:
        fail(STORE, str(error))


def _by_node(all_shards: Shards) -> Counter[str]:
    """Count the shards on each node of a cluster."""
    return Counter(node for shard in all_shards if (node := node_of(all_shards.client, shard.tag)) is not None)
