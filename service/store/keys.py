"""Every Redis key, in one place.

The keys of one atomic step share a hash tag, ``{s07}`` for a shard of games and ``{pl_…}`` for a player, so that a
script can write them on a cluster as well as on a single Redis.
"""

from hashlib import sha256
from zlib import crc32

SHARDS = "plateau:shards"
"""The number of shards with which the store began, then each number to which it has grown, with spaces between."""

NAMING_SECRET = "plateau:naming-secret"  # noqa: S105 - the name of the key
"""The secret that determines the ids of keyed games, so that they cannot be guessed from a player and a key."""

PUSH_KEY = "plateau:push-key"
"""The private key with which push messages are signed; browsers bind their subscriptions to its public key."""

SIGNING_KEYS = "plateau:signing-keys"
"""Hash: the keys with which the service signs heads and receipts, by their numbers; the last one signs."""

STORE_NAME = "plateau:store-name"
"""The name of the embedded engine's store, also kept in its data folder: an engine without it has lost the games."""

ADMIN_LOG = "plateau:admin-log"
"""Stream: each act of an operator and their name, written before the act; it is never shortened."""

RATES = "plateau:rate"
"""The first part of the keys of rates: counters that the library ``limits`` names and lets expire."""

RESTORING = "plateau:restoring"
"""Exists while a backup is being restored: a store with it lacks games."""

PROBE = "plateau:probe"
"""Written to check whether the store accepts writes."""

PLAYERS_CHANGED = "plateau:tokens-changed"
"""The channel of the players whose name or tokens changed, so that every process drops them from its cache."""

HEARTBEAT = "{service}:heartbeat"
"""The time of the last beat of a web process, in ms."""

DOWNTIMES = "{service}:downtimes"
"""Sorted set: ``<from>-<until>`` in ms for each downtime, by its end."""

COUNTERS = "{service}:counters"
"""Hash: the counters of all processes."""

PROCESSES = "{service}:processes"
"""Hash: the gauges of each process, such as open streams, and when it reported them; it expires with the service."""

OUTBOX = "{outbox}:due"
"""Sorted set: the destinations that are waiting, by the time in ms at which each is due."""

OUTBOX_LEASES = "{outbox}:leases"
"""Sorted set: the destinations that couriers are serving, by the end in ms of the lease of each."""

OUTBOX_CALLS = "{outbox}:calls"
"""List: an empty entry, once there is something for a waiting courier to read."""

ARCHIVING = "{service}:archiving"
"""Exists while a process moves finished games into the archive; it expires."""

HEAD_ROOTS = "{heads}:roots"
"""Stream: the signed roots of the log of heads; entry ``<size>-0``, one field ``r``."""

HEAD_COSIGNED = "{heads}:cosigned"
"""Sorted set: the sizes of the roots that witnesses have co-signed, by size."""

HEAD_ROUND = "{heads}:round"
"""The time at which the last round began in which the heads of all games were logged."""

WAITING_GAMES = "{jobs}:line"
"""Hash: the games that wait for a worker, each with its rank and the version at which to handle it."""

CALLS = "{jobs}:calls"
"""Always empty: a queue without RQ uses it in place of the list of RQ's calls."""

ROUNDS = "{jobs}:rounds"
"""Hash: the number of turns that workers took, and for each rank the round that it has reached."""


def games_of_rank(rank: str) -> str:
    """Sorted set: the games of a rank that wait for a worker, by the round of their turn."""
    return f"{{jobs}}:line:{rank}"


def next_rounds(rank: str) -> str:
    """Sorted set: the players for whom games of a rank count, by the round of their next game."""
    return f"{{jobs}}:next:{rank}"


def head_nodes(chunk: int) -> str:
    """String: a chunk of the nodes of the log of heads, 32 bytes each, in the order of their completion."""  # noqa: D401
    return f"{{heads}}:nodes:{chunk}"


def head_cosignatures(size: int) -> str:
    """Hash: the signatures of witnesses under the root of a size, by the public key of each."""
    return f"{{heads}}:cosigned:{size}"


def heads_of(game_id: str) -> str:
    """Sorted set: the indices of the leaves that are heads of a game, by version."""
    return f"{{heads}}:game:{game_id}"


def shard_of(game_id: str, shards: int) -> int:
    """Return the shard of a new game, if there are so many."""
    return crc32(game_id.encode()) % shards


class Shard:
    """The keys that the games of a shard share; ``tag`` is their hash tag."""

    def __init__(self, number: int) -> None:
        self.tag = tag = f"{{s{number:02d}}}"
        self.changes = f"{tag}:changes"
        """Stream: one entry for every append, for the readers of the change feed."""
        self.deadlines = f"{tag}:deadlines"
        """Sorted set: the ids of games with players, by the time in ms at which something is due."""
        self.second_looks = f"{tag}:second-looks"
        """Sorted set: the ids of games in which only bots play, by the time in ms at which to check them again."""
        self.priorities = f"{tag}:standings"
        """Hash: the priority of each game with a pending deadline."""
        self.notices = f"{tag}:notices"
        """Stream: notices to players, one entry for an append, for the notifiers, which write them into the inboxes."""
        self.reminders = f"{tag}:reminders"
        """Sorted set: the seats whose players may need a reminder of a decision, by the time in ms at which to look."""
        self.summaries = f"{tag}:summaries"
        """Hash: the public data of each game, as lists show it."""
        self.division = f"{tag}:shards"
        """String: the number of shards among which new games are divided, once it has grown."""
        self.confirmed = f"{tag}:confirmed"
        """A mark that is written before waiting for replicas."""
        self.traces = f"{tag}:traces"
        """Hash: the trace that the job of a game continues, if tracing is on; it expires."""
        self.unlogged = f"{tag}:unlogged"
        """Sorted set: the games with new events since their head was logged, by version."""
        self.finished = f"{tag}:finished"
        """Sorted set: the games that are over, with logs in the store, by the time in ms of their last event."""
        self.archived = f"{tag}:archived"
        """Hash: for each game whose log is in the archive, its version, and the hash and time of its last event."""

        self.tournaments = f"{tag}:tournaments"
        """Sorted set: all tournaments, by the time at which they start, and id."""
        self.running_tournaments = f"{tag}:tournaments:running"
        """Sorted set: those that have not ended, in the same way."""
        self.gone = f"{tag}:gone"
        """Sorted set: the games that were removed, by the time in ms; none of their ids is used again."""

    def log_of_set(self, set_id: str) -> str:
        """Stream: the log of a deal set or a tournament, in the form of a game's."""
        return f"{self.tag}:set:{set_id}:events"

    def tables_of(self, set_id: str) -> str:
        """Hash: the games of this shard that play a deal of a deal set, by player and number, with their scores."""
        return f"{self.tag}:set:{set_id}:tables"

    def moves_of(self, set_id: str) -> str:
        """Hash: the moves of bots at the tables of a deal set, by a digest of what they had seen; it expires."""
        return f"{self.tag}:set:{set_id}:moves"

    def lobby(self, status: str, ruleset: str) -> str:
        """Sorted set: the public games of a status and a ruleset, by time of creation and id."""
        return f"{self.tag}:lobby:{status}:{ruleset}"

    def games_of(self, player: str) -> str:
        """Sorted set: the games that a player has a part in, by time of creation and id."""
        return f"{self.tag}:player:{player}:games"

    def turns_of(self, player: str) -> str:
        """Sorted set: the ids of the games in which it is a player's turn, by its deadline in ms."""
        return f"{self.tag}:player:{player}:turns"


class GameKeys:
    """The keys of one game, and those of its ``shard``; a deal set or a tournament has only a log, under its id."""

    def __init__(self, game_id: str, shard: Shard) -> None:
        self.shard = shard
        is_set = game_id.startswith(("set_", "tn_"))
        self.events = shard.log_of_set(game_id) if is_set else f"{shard.tag}:game:{game_id}:events"
        """Stream: the log; entry ``<version>-0``, one field ``e``."""
        self._answers = f"{shard.tag}:game:{game_id}:answer"
        self.invitations = f"{shard.tag}:game:{game_id}:invitations"
        """Hash: the latest invitations to the game, by their ids; it expires when none of them can be open."""
        self.forks = f"{shard.tag}:game:{game_id}:forks"
        """Sorted set: the forks that share the log of the game, if it is a sandbox, by the time in ms of each."""
        self.plans = f"{shard.tag}:game:{game_id}:plans"
        """Hash: the plans of players for their next turns, by seat; it ends with the game, or expires."""
        self.phrases = f"{shard.tag}:game:{game_id}:phrases"
        """List: the latest set phrases that players have said, the oldest first; it expires."""
        self.questions = f"{shard.tag}:game:{game_id}:questions"
        """Hash: the questions to the workers about the game, apart from turns, as fields; it expires."""
        self.hints = f"{shard.tag}:game:{game_id}:hints"
        """Hash: the latest hints, by version and seat; it expires."""
        self.analysis = f"{shard.tag}:game:{game_id}:analysis"
        """Hash: the results of an analysis so far, by the number of the decision; it expires."""
        self.luck = f"{shard.tag}:game:{game_id}:luck"
        """Hash: the replays of the deals so far, by their number; it expires."""

    def answer(self, request_key: str) -> str:
        """String: the response to a request with an idempotency key; it expires."""  # noqa: D401
        return f"{self._answers}:{request_key}"


def topic(name: str) -> str:
    """Return the channel for cursors of a game or a player; ``append.lua`` contains this name, too."""
    return f"plateau:topic:{name}"


def player(player_id: str) -> str:
    """Hash: a player's name, kind and time of creation, and their profile."""
    return f"{{{player_id}}}:player"


def tokens(player_id: str) -> str:
    """Hash: a player's tokens, by the SHA-256 of each."""
    return f"{{{player_id}}}:tokens"


def invitation(digest: str) -> str:
    """String: the game and the id of the invitation that a link leads to, by the SHA-256 of its secret."""  # noqa: D401
    return f"plateau:invitation:{digest}"


def invitations_of(player_id: str) -> str:
    """Sorted set: the invitations of a player, by time of creation, game and id."""
    return f"{{{player_id}}}:invitations"


def destinations(player_id: str) -> str:
    """Hash: a player's destinations, each with the last notice that was delivered to it."""
    return f"{{{player_id}}}:outlets"


def webhooks(player_id: str) -> str:
    """Hash: a player's webhooks by id, with their secrets."""
    return f"{{{player_id}}}:webhooks"


def webhooks_deliveries(player_id: str) -> str:
    """Hash: the deliveries of a player's webhooks by webhook and number, those to repeat, and two counts for each."""
    return f"{{{player_id}}}:webhooks:deliveries"


def webhooks_pending(player_id: str) -> str:
    """Sorted set: the pending deliveries of a player's webhooks, by the time in ms of the next attempt."""
    return f"{{{player_id}}}:webhooks:pending"


def named(skeleton: str) -> str:
    """Sorted set: the players whose names have a skeleton, given as its hash, by time of creation."""
    return f"plateau:named:{skeleton}"


def subject(whom: str) -> str:
    """Return the part of a rate's key that names for whom it counts, such as an address."""
    return sha256(whom.encode()).hexdigest()[:32]


def places(bucket: str, player_id: str) -> str:
    """Sorted set: the games that count against a player's limit on games at once, by the time at which they began."""
    return f"{{{player_id}}}:places:{bucket}"


def notices(player_id: str) -> str:
    """Stream: the latest notices to a player."""
    return f"{{{player_id}}}:notices"


def notices_known(player_id: str) -> str:
    """Sorted set: the names of these notices, in order of arrival, so that none is added twice."""
    return f"{{{player_id}}}:notices:known"


def mail(player_id: str) -> str:
    """String: the mail address of a player, and the mails being sent."""  # noqa: D401
    return f"{{{player_id}}}:mail"


def push_subscriptions(player_id: str) -> str:
    """Hash: the push subscriptions of a player, by their ids."""
    return f"{{{player_id}}}:push"
