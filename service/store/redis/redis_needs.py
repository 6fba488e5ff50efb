"""Every command that the service sends, with a key of each family: the permissions that its user needs.

``WEB``, ``GAMES`` and ``QUEUE`` are for the processes of the service; ``BACKUP``, ``RESTORE`` and ``DOCTOR`` are for
these commands alone.

Each line is a complete command. The check sends all of them after MULTI, so that the server judges them but does not
run them. It runs only the commands before the last MULTI, which change nothing.
"""


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.strip().splitlines())


WEB = _lines("""
PING
WATCH {s00}:game:x:invitations
WATCH {pl_x}:mail
WATCH {pl_x}:push
UNWATCH
MULTI
EXEC
MULTI
GET plateau:shards
EXISTS plateau:shards
EXISTS plateau:restoring
GET plateau:push-key
SET plateau:push-key x
HGETALL plateau:signing-keys
HSETNX plateau:signing-keys 0 x
SET plateau:shards 1
SUBSCRIBE plateau:tokens-changed
PUBLISH plateau:tokens-changed x
SUBSCRIBE plateau:topic:x
UNSUBSCRIBE plateau:topic:x
PUBLISH plateau:topic:x x
EVAL x 0
EVALSHA x 0
SCRIPT LOAD x
SCRIPT EXISTS x
TIME
DEL {pl_x}:player
GET {pl_x}:mail
HDEL {pl_x}:push x
HEXISTS {pl_x}:push x
HGET {pl_x}:push x
HGETALL {pl_x}:push
HLEN {pl_x}:push
HSET {pl_x}:push x x
SET {pl_x}:mail x
EXISTS {pl_x}:player
HDEL {pl_x}:tokens x
HEXISTS {pl_x}:player x
HGET {pl_x}:tokens x
HGETALL {pl_x}:player
HLEN {pl_x}:tokens
HMGET {pl_x}:player x
HSCAN {pl_x}:tokens 0
HSET {pl_x}:player x x
HDEL {pl_x}:outlets x
HGET {pl_x}:outlets x
HKEYS {pl_x}:outlets
HSET {pl_x}:outlets x x
HDEL {pl_x}:webhooks x
HEXISTS {pl_x}:webhooks x
HGET {pl_x}:webhooks x
HGETALL {pl_x}:webhooks
HLEN {pl_x}:webhooks
HSET {pl_x}:webhooks x x
HDEL {pl_x}:webhooks:deliveries x
HEXISTS {pl_x}:webhooks:deliveries x
HGET {pl_x}:webhooks:deliveries x
HKEYS {pl_x}:webhooks:deliveries
HMGET {pl_x}:webhooks:deliveries x
HSET {pl_x}:webhooks:deliveries x x
ZADD {pl_x}:webhooks:pending 1 x
ZRANGE {pl_x}:webhooks:pending 0 -1
ZREM {pl_x}:webhooks:pending x
LLEN {outbox}:calls
RPUSH {outbox}:calls x
ZADD {outbox}:due LT 1 x
ZSCORE {outbox}:due x
ZCOUNT {outbox}:due 0 1
ZRANGEBYSCORE {outbox}:due 0 1
ZREM {outbox}:due x
ZADD {outbox}:leases 1 x
ZCARD {outbox}:leases
ZRANGEBYSCORE {outbox}:leases 0 1
ZREM {outbox}:leases x
ZSCORE {outbox}:leases x
GET {service}:heartbeat
SET {service}:heartbeat x
ZADD {service}:downtimes 1 x
ZRANGE {service}:downtimes 0 -1
ZREMRANGEBYRANK {service}:downtimes 0 0
HINCRBY {service}:counters x 1
HGETALL {service}:counters
HSET {service}:processes x x
HDEL {service}:processes x
HGETALL {service}:processes
PEXPIRE {service}:processes 1
XADD {s00}:game:x:events 1-0 e x
XLEN {s00}:game:x:events
XRANGE {s00}:game:x:events - +
XREVRANGE {s00}:game:x:events + -
GET {s00}:game:x:answer:x
SET {s00}:game:x:answer:x x
HDEL {s00}:game:x:invitations x
HGET {s00}:game:x:invitations x
HGETALL {s00}:game:x:invitations
HSET {s00}:game:x:invitations x x
PEXPIRE {s00}:game:x:invitations 1
EXISTS {s00}:game:x:events
ZADD {s00}:game:x:forks 1 x
ZSCORE {s00}:gone x
HDEL {s00}:game:x:plans x
HEXISTS {s00}:game:x:plans x
HGET {s00}:game:x:plans x
HGETALL {s00}:game:x:plans
HMGET {s00}:game:x:plans x
HSET {s00}:game:x:plans x x
PEXPIRE {s00}:game:x:plans 1
LINDEX {s00}:game:x:phrases -1
LRANGE {s00}:game:x:phrases 0 -1
LREM {s00}:game:x:phrases 0 x
LTRIM {s00}:game:x:phrases -1 -1
RPUSH {s00}:game:x:phrases x
PEXPIRE {s00}:game:x:phrases 1
HDEL {s00}:game:x:questions x
HGETALL {s00}:game:x:questions
HKEYS {s00}:game:x:questions
HSET {s00}:game:x:questions x x
PEXPIRE {s00}:game:x:questions 1
DEL {s00}:game:x:hints
HEXISTS {s00}:game:x:hints x
HGET {s00}:game:x:hints x
HLEN {s00}:game:x:hints
HSET {s00}:game:x:hints x x
PEXPIRE {s00}:game:x:hints 1
HDEL {s00}:game:x:analysis x
HGETALL {s00}:game:x:analysis
HSET {s00}:game:x:analysis x x
PEXPIRE {s00}:game:x:analysis 1
HSET {s00}:traces x x
HGET {s00}:traces x
HDEL {s00}:traces x
PEXPIRE {s00}:traces 1 NX
ZADD {s00}:unlogged 1 x
ZCARD {s00}:unlogged
ZREM {s00}:unlogged x
ZSCORE {s00}:unlogged x
ZADD {s00}:finished 1 x
ZCARD {s00}:finished
ZCOUNT {s00}:finished 0 1
ZRANGE {s00}:finished 0 -1
HDEL {s00}:archived x
HEXISTS {s00}:archived x
HGET {s00}:archived x
HLEN {s00}:archived
XRANGE {heads}:roots - +
XREVRANGE {heads}:roots + -
GET {heads}:round
GETRANGE {heads}:nodes:x 0 1
ZCOUNT {heads}:game:x 0 1
ZREVRANGEBYSCORE {heads}:game:x 1 0
HEXISTS {heads}:cosigned:x x
HGETALL {heads}:cosigned:x
HLEN {heads}:cosigned:x
HMGET {heads}:cosigned:x x
HSET {heads}:cosigned:x x x
ZADD {heads}:cosigned 1 x
ZRANGEBYSCORE {heads}:cosigned 0 1
GET plateau:invitation:x
SET plateau:invitation:x x PX 1
GET {s00}:shards
HGET {s00}:summaries x
HLEN {s00}:summaries
HSCAN {s00}:summaries 0
HSET {s00}:summaries x x
EXISTS {s00}:changes
XADD {s00}:changes 1-0 g x
XINFO GROUPS {s00}:changes
XLEN {s00}:changes
XPENDING {s00}:changes x
ZADD {s00}:deadlines 1 x
ZCARD {s00}:deadlines
ZCOUNT {s00}:deadlines 0 1
ZRANGE {s00}:deadlines 0 -1
ZRANGEBYSCORE {s00}:deadlines 0 1
ZREM {s00}:deadlines x
ZSCORE {s00}:deadlines x
ZADD {s00}:second-looks 1 x
ZRANGEBYLEX {s00}:lobby:x:x - +
ZREVRANGEBYLEX {s00}:lobby:x:x + -
ZADD {s00}:lobby:x:x 1 x
ZREM {s00}:lobby:x:x x
ZADD {s00}:reminders 1 x
ZCARD {s00}:reminders
ZRANGEBYSCORE {s00}:reminders 0 1
ZREM {s00}:reminders x
ZSCORE {s00}:reminders x
HDEL {s00}:standings x
HGET {s00}:standings x
HSET {s00}:standings x x
ZRANGE {s00}:player:x:games 0 -1
ZREVRANGEBYLEX {s00}:player:x:games + -
ZCOUNT {s00}:player:x:turns 0 1
ZRANGE {s00}:player:x:turns 0 -1
ZSCORE {s00}:player:x:turns x
EXISTS plateau:rate:{x}
EXPIRE plateau:rate:x 1
GET plateau:rate:{x}
INCRBY plateau:rate:{x} 1
PTTL plateau:rate:{x}
RENAME plateau:rate:{x} plateau:rate:{x}/-1
SET plateau:rate:{x} 1
XADD plateau:admin-log * a x
XREVRANGE plateau:admin-log + -
ZADD plateau:named:x 1 x
ZRANGE plateau:named:x 0 1
ZREM plateau:named:x x
PEXPIRE {pl_x}:places:x 1
ZADD {pl_x}:places:x 1 x
ZCARD {pl_x}:places:x
ZRANGE {pl_x}:places:x 0 -1
ZREM {pl_x}:places:x x
ZREMRANGEBYSCORE {pl_x}:places:x 0 1
ZSCORE {pl_x}:places:x x
PEXPIRE {pl_x}:invitations 1
ZADD {pl_x}:invitations 0 x
ZREM {pl_x}:invitations x
ZREMRANGEBYLEX {pl_x}:invitations - (x
ZREMRANGEBYRANK {pl_x}:invitations 0 -1
ZREVRANGEBYLEX {pl_x}:invitations + -
PEXPIRE {pl_x}:notices 1
XADD {pl_x}:notices 1-0 n x
XRANGE {pl_x}:notices - +
XREVRANGE {pl_x}:notices + -
ZADD {pl_x}:notices:known 1 x
ZREMRANGEBYRANK {pl_x}:notices:known 0 -1
ZSCORE {pl_x}:notices:known x
""")
"""What web processes send to the Redis of the games."""

GAMES = WEB + _lines("""
XADD {heads}:roots 1-0 r x
SET {heads}:round x
APPEND {heads}:nodes:x x
ZADD {heads}:game:x 1 x
BLPOP {outbox}:calls 1
ZSCAN {s00}:unlogged 0
XACK {s00}:changes x 1-0
XAUTOCLAIM {s00}:changes x x 0 0
XGROUP CREATE {s00}:changes x 0
XGROUP DELCONSUMER {s00}:changes x x
XINFO CONSUMERS {s00}:changes x
XREADGROUP GROUP x x STREAMS {s00}:changes >
XTRIM {s00}:changes MAXLEN 0
ZRANGEBYSCORE {s00}:finished 0 1
ZREM {s00}:finished x
ZSCORE {s00}:finished x
HSET {s00}:archived x x
EXISTS {s00}:game:x:questions
DEL {s00}:game:x:events
DEL {s00}:game:x:invitations
DEL {s00}:game:x:plans
DEL {s00}:game:x:phrases
DEL {s00}:game:x:questions
DEL {s00}:game:x:analysis
ZCARD {s00}:game:x:forks
ZRANGEBYSCORE {s00}:game:x:forks 0 1
ZREM {s00}:game:x:forks x
HDEL {s00}:summaries x
ZREM {s00}:second-looks x
ZADD {s00}:gone 1 x
DEL {heads}:game:x
SET {service}:archiving 1 NX PX 1
DEL {service}:archiving
""")
"""What all processes together send to it: workers, dispatcher and courier can do what web processes can."""

BACKUP = _lines("""
PING
MULTI
EXEC
MULTI
TIME
SCAN 0
EXISTS plateau:restoring
GET plateau:shards
SET plateau:naming-secret x
PEXPIRETIME plateau:naming-secret
HGETALL plateau:signing-keys
HSETNX plateau:signing-keys 0 x
XRANGE plateau:admin-log - +
XREVRANGE {heads}:roots + -
GETRANGE {heads}:nodes:x 0 1
GET {heads}:round
ZRANGE {heads}:game:x 0 -1
ZRANGEBYSCORE {heads}:cosigned 0 1
HGETALL {heads}:cosigned:x
GET {service}:heartbeat
HGETALL {service}:counters
XRANGE {s00}:game:x:events - +
HGET {s00}:archived x
HSCAN {s00}:archived 0
HSCAN {s00}:summaries 0
GET {s00}:game:x:answer:x
LRANGE {s00}:game:x:phrases 0 -1
EXISTS {s00}:notices
XINFO GROUPS {s00}:notices
XPENDING {s00}:notices x
ZRANGE {s00}:reminders 0 -1
HGETALL {pl_x}:player
ZRANGE {pl_x}:invitations 0 -1
XRANGE {pl_x}:notices - +
GET {pl_x}:mail
""")

RESTORE = (
    *GAMES,
    *_lines("""
SCAN 0
DEL plateau:restoring
SET plateau:naming-secret x
PEXPIREAT plateau:invitation:x 1
HSET plateau:signing-keys x x
SET {service}:heartbeat x
HSET {service}:counters x x
SET {heads}:nodes:x x
DEL {s00}:game:x:events
XADD {s00}:notices * g x
XADD {pl_x}:notices 1-0 n x
RPUSH {s00}:game:x:phrases x
PEXPIREAT {s00}:game:x:answer:x 1
"""),
)

CLUSTER = _lines("""
CLUSTER SLOTS
CLUSTER INFO
ASKING
""")
"""What is sent to each node of a cluster beside all this, to find where a key is."""

DOCTOR = (*GAMES, "SCAN 0")
"""What the doctor sends: it judges whether its user can do all that the service does, and looks for every game."""

QUEUE = _lines("""
PING
WATCH rq:queues
UNWATCH
MULTI
EXEC
MULTI
INFO
CLIENT LIST
CLIENT SETNAME x
EVALSHA x 0
SCRIPT LOAD x
DEL {jobs}:line
HDEL {jobs}:line x
HGET {jobs}:line x
HLEN {jobs}:line
HSET {jobs}:line x x
HGET {jobs}:rounds x
HINCRBY {jobs}:rounds x 1
HSET {jobs}:rounds x x
EXISTS {jobs}:line:x
ZCARD {jobs}:line:x
ZADD {jobs}:line:x 1 x
ZPOPMIN {jobs}:line:x
ZREM {jobs}:line:x x
DEL {jobs}:next:x
ZADD {jobs}:next:x 1 x
ZREMRANGEBYSCORE {jobs}:next:x 0 1
ZSCORE {jobs}:next:x x
BLPOP rq:queue:plateau 0
DEL rq:job:x
EXISTS rq:job:x
EXPIRE rq:job:x 1
GET rq:job:x
HDEL rq:worker:x x
HGET rq:worker:x x
HGETALL rq:job:x
HINCRBY rq:worker:x x 1
HINCRBYFLOAT rq:worker:x x 1
HSET rq:job:x x x
LLEN rq:queue:plateau
LPOP rq:queue:plateau
LRANGE rq:queue:plateau 0 -1
LREM rq:queue:plateau 1 x
PERSIST rq:job:x
RPUSH rq:queue:plateau x
SADD rq:workers x
SET rq:x x
SMEMBERS rq:workers
SREM rq:workers x
ZADD rq:wip:plateau 1 x
ZRANGE rq:wip:plateau 0 -1
ZRANGEBYSCORE rq:wip:plateau 0 1
ZREM rq:wip:plateau x
ZREMRANGEBYSCORE rq:wip:plateau 0 1
""")
"""What workers and the dispatcher send to the Redis of the queue."""
