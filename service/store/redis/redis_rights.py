"""The rights that users of Redis need, as rules of their ACL; ``redis_server`` checks whether a user has them.

``WEB``, ``GAMES`` and ``QUEUE`` are for the processes of the service; ``BACKUP``, ``RESTORE`` and ``DOCTOR`` are for
these commands alone. ``docs/redis-users.acl`` has the users of the service.
"""


def _rules(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_GAMES_KEYS = _rules("~plateau:* ~{service}:* ~{outbox}:* ~{s*}:* ~{pl_*}:*")
_WEB_COMMANDS = _rules("""
    +ping +time +watch +unwatch +multi +exec +eval +evalsha +script|load +script|exists +subscribe +unsubscribe +publish
    +exists +del +rename +expire +pexpire +pttl +get +set +getrange +incrby
    +hget +hset +hsetnx +hdel +hmget +hgetall +hkeys +hlen +hexists +hscan +hincrby
    +llen +lindex +lrange +lrem +ltrim +rpush
    +zadd +zcard +zcount +zscore +zrange +zrangebyscore +zrangebylex +zrevrangebyscore +zrevrangebylex +zrem
    +zremrangebyrank +zremrangebyscore +zremrangebylex +xadd +xlen +xrange +xrevrange +xinfo|groups +xpending
    &plateau:tokens-changed &plateau:topic:*
""")
WEB = (
    *_WEB_COMMANDS,
    *_GAMES_KEYS,
    *_rules("%R~{heads}:roots* %R~{heads}:round* %R~{heads}:nodes* %R~{heads}:game* ~{heads}:cosigned*"),
)
"""The rights of web processes on the Redis of the games."""

GAMES = (
    *_WEB_COMMANDS,
    *_GAMES_KEYS,
    *_rules("""
    ~{heads}:* +append +blpop +zscan +xack +xautoclaim +xgroup|create +xgroup|delconsumer +xinfo|consumers
    +xreadgroup +xtrim
    """),
)
"""The rights of all processes together: workers, dispatcher and courier can do what web processes can."""

BACKUP = _rules("""
    +ping +time +multi +exec +scan +exists +get +set +getrange +pexpiretime +hget +hgetall +hsetnx +hscan +lrange
    +zrange +zrangebyscore +xrange +xrevrange +xinfo|groups +xpending
    ~plateau:* %R~{service}:* %R~{heads}:* %R~{s*}:* %R~{pl_*}:*
""")
RESTORE = (*GAMES, "+scan", "+pexpireat")
DOCTOR = (*GAMES, "+scan")
"""The doctor checks whether its user has all rights of the service, and reads every game."""

CLUSTER = _rules("+cluster|slots +cluster|info +asking")
"""The additional rights on each node of a cluster, to find where a key is."""

QUEUE = _rules("""
    +ping +info +watch +unwatch +multi +exec +evalsha +script|load +client|list +client|setname
    +exists +del +expire +persist +get +set +hget +hset +hdel +hgetall +hlen +hincrby +hincrbyfloat
    +llen +lrange +lrem +lpop +blpop +rpush +sadd +smembers +srem
    +zadd +zcard +zscore +zrange +zrangebyscore +zrem +zremrangebyscore +zpopmin ~rq:* ~{jobs}:*
""")
"""The rights of workers and the dispatcher on the Redis of the queue."""
