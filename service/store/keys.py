"""Every Redis key, in one place.

The keys of one atomic step share a hash tag, ``{s07}`` for a shard of games and ``{pl_…}`` for a player, so that a
script can write them on a cluster as well as on a single Redis.
"""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from zlib import crc32

SHARDS = "plateau:shards"
"""The number of shards, which the first start on a store fixes."""

NAMING_SECRET = "plateau:naming-secret"  # noqa: S105 - the name of the key
"""The secret that determines the ids of keyed games, so that they cannot be guessed from a player and a key."""

STORE_NAME = "plateau:store-name"
"""The name of the embedded engine's store, also kept in its data folder: an engine without it has lost the games."""

PROBE = "plateau:probe"
"""Written to check whether the store accepts writes."""

TOKENS_CHANGED = "plateau:tokens-changed"
"""The channel that announces which player's tokens changed, so that every process drops revoked ones."""


HEARTBEAT = "{service}:heartbeat"
"""The time of the last beat of a web process, in ms."""

DOWNTIMES = "{service}:downtimes"
"""Sorted set: ``<from>-<until>`` in ms for each downtime, by its end."""

COUNTERS = "{service}:counters"
"""Hash: counters of what the workers have done."""


LINE = "{jobs}:line"
"""Hash: the games that wait for a worker, each with its rank and the version at which to handle it."""

CALLS = "{jobs}:calls"
"""Always empty: a line without RQ uses it in place of the list of RQ's calls."""

ROUNDS = "{jobs}:rounds"
"""Hash: how many turns workers took, and for each rank the round that its line has reached."""


def line(rank: str) -> str:
    """Sorted set: the games of a rank that wait for a worker, by the round of their turn."""
    return f"{{jobs}}:line:{rank}"


def next_rounds(rank: str) -> str:
    """Sorted set: the players whom games of a rank count for, by the round of their next game."""
    return f"{{jobs}}:next:{rank}"


def shard_of(game_id: str, shards: int) -> int:
    """Return the shard of a game."""
    return crc32(game_id.encode()) % shards


@dataclass(frozen=True)
class Shard:
    """The keys that the games of a shard share."""

    number: int

    @cached_property
    def tag(self) -> str:
        """Return the hash tag."""
        return f"{{s{self.number:02d}}}"

    @cached_property
    def changes(self) -> str:
        """Stream: one entry for every append, for the readers of the change feed."""
        return f"{self.tag}:changes"

    @cached_property
    def deadlines(self) -> str:
        """Sorted set: the ids of games with players, by the time in ms at which something is due."""
        return f"{self.tag}:deadlines"

    @cached_property
    def second_looks(self) -> str:
        """Sorted set: the ids of games in which only bots play, by the time in ms at which to check them again."""
        return f"{self.tag}:second-looks"

    @cached_property
    def priorities(self) -> str:
        """Hash: the priority of each game with a pending deadline."""
        return f"{self.tag}:standings"

    @cached_property
    def summaries(self) -> str:
        """Hash: the public data of each game, as lists show it."""
        return f"{self.tag}:summaries"

    def lobby(self, status: str, ruleset: str) -> str:
        """Sorted set: the public games of a status and a ruleset, by time of creation and id."""
        return f"{self.tag}:lobby:{status}:{ruleset}"

    def games_of(self, player: str) -> str:
        """Sorted set: the games that a player has a part in, by time of creation and id."""
        return f"{self.tag}:player:{player}:games"

    def turns_of(self, player: str) -> str:
        """Sorted set: the ids of the games in which it is a player's turn, by its deadline in ms."""
        return f"{self.tag}:player:{player}:turns"


@dataclass(frozen=True, slots=True)
class GameKeys:
    """The keys of one game."""

    game_id: str
    shard: Shard

    @property
    def events(self) -> str:
        """Stream: the log; entry ``<version>-0``, one field ``e``."""
        return f"{self.shard.tag}:game:{self.game_id}:events"

    @property
    def requests(self) -> str:
        """Hash: the responses to requests with an idempotency key."""
        return f"{self.shard.tag}:game:{self.game_id}:requests"


def player(player_id: str) -> str:
    """Hash: a player's name, kind and time of creation."""
    return f"{{{player_id}}}:player"


def tokens(player_id: str) -> str:
    """Hash: a player's tokens, by the SHA-256 of each."""
    return f"{{{player_id}}}:tokens"


def rate(bucket: str, whom: str) -> str:
    """Text: the time in ms at which a bucket is full again, and the key expires; addresses are stored as hashes."""
    return f"plateau:rate:{bucket}:{sha256(whom.encode()).hexdigest()[:32]}"


def places(bucket: str, player_id: str) -> str:
    """Sorted set: the games that count against a player's limit on games at once, by the time at which they began."""
    return f"{{{player_id}}}:places:{bucket}"
