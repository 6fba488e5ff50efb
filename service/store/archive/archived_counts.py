"""How many games are in the archive, and how many finished ones are still in the store; one round trip."""

from collections.abc import Iterable
from dataclasses import dataclass

import redis

from service.store import keys


@dataclass(frozen=True, slots=True)
class Archived:
    """How many games are ``archived``, and ``finished`` and still in the store, of which so many are ``overdue``.

    The first of these has been overdue for so many ``seconds``.
    """

    archived: int
    finished: int
    overdue: int
    seconds: float


def archived(client: redis.Redis, shards: Iterable[keys.Shard], before: int = 0) -> Archived:
    """Count games; those are overdue that were over before a time in ms."""
    every = [*shards]
    pipe = client.pipeline(transaction=False)
    for shard in every:
        pipe.hlen(shard.archived)
        pipe.zcard(shard.finished)
        pipe.zcount(shard.finished, "-inf", f"({before}")
        pipe.zrange(shard.finished, 0, 0, withscores=True)
    replies = pipe.execute()
    first = min((at for found in replies[3::4] for _, at in found), default=float(before))
    late = max(0.0, (before - first) / 1000)
    return Archived(sum(replies[::4]), sum(replies[1::4]), sum(replies[2::4]), late)
