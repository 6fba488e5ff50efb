"""The trace that a job continues: an append that makes work leaves it beside the game, and the worker takes it.

It goes beside the change feed and the queue, not through them. So processes of other releases need not know of it, and
of several appends that become one job, the last one counts, as it does for the job. Nothing is lost with a trace.
"""

from typing import cast

import redis

from service.common import tracing
from service.store import keys
from service.store.game_index import ListWrite

_KEPT_MS = 3_600_000


def left_by(shard: keys.Shard, game_id: str) -> list[ListWrite]:
    """Return the writes that leave the current trace to the job that an append makes; there are none without traces."""
    trace = tracing.carried()
    if not trace:
        return []
    return [(shard.traces, "HSET", game_id, trace), (shard.traces, "PEXPIRE", _KEPT_MS, "NX")]


def taken(client: redis.Redis, shard: keys.Shard, game_id: str) -> str:
    """Take the trace that was left for a game, '' if there is none, or it cannot be read."""
    try:
        pipe = client.pipeline(transaction=False)
        pipe.hget(shard.traces, game_id)
        pipe.hdel(shard.traces, game_id)
        found = cast("bytes | None", pipe.execute()[0])
    except redis.RedisError:
        return ""
    return (found or b"").decode()
