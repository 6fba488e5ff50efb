"""Every Redis key, in one place.

All that one atomic step touches shares a hash tag, ``{s07}`` for a shard of games and ``{pl_…}`` for a player, so that
a script may write it on a single Redis and on a cluster alike.
"""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from zlib import crc32

SHARDS = "plateau:shards"
"""How many shards the store was begun with; fixed for good."""

NAMING_SECRET = "plateau:naming-secret"  # noqa: S105 - the name of the key
"""What keyed games are named under, so that nobody can guess a name from a player and a key; made when first needed."""

STORE_NAME = "plateau:store-name"
"""What the embedded engine's store is named, in its data folder too: an engine without it has lost the games."""

PROBE = "plateau:probe"
"""Written to find out whether the store takes writes."""

TOKENS_CHANGED = "plateau:tokens-changed"
"""The channel that says which player's tokens changed, so that no process goes on trusting a revoked one."""


HEARTBEAT = "{service}:heartbeat"
"""When a web process last showed that it serves, in ms."""

DOWNTIMES = "{service}:downtimes"
"""Sorted set: ``<from>-<until>`` in ms for each time that no web process served, by its end."""

COUNTERS = "{service}:counters"
"""Hash: what the workers have done so far."""


LINE = "{jobs}:line"
"""Hash: the games that wait for a worker, each with its rank and the version at which to see to it."""

CALLS = "{jobs}:calls"
"""Nothing stands here: what a line without RQ goes by instead of the list of RQ's calls."""

ROUNDS = "{jobs}:rounds"
"""Hash: how many turns workers took, and for each rank the round that its line has come to."""


def line(rank: str) -> str:
    """Sorted set: the games of a rank that wait for a worker, by the round in which it is their turn."""
    return f"{{jobs}}:line:{rank}"


def next_rounds(rank: str) -> str:
    """Sorted set: the players on whose account games of a rank wait or waited, by the round of their next game."""
    return f"{{jobs}}:next:{rank}"


def shard_of(game_id: str, shards: int) -> int:
    """Give the shard of a game."""
    return crc32(game_id.encode()) % shards


@dataclass(frozen=True)
class Shard:
    """The keys that the games of a shard share."""

    number: int

    @cached_property
    def tag(self) -> str:
        """Give the hash tag."""
        return f"{{s{self.number:02d}}}"

    @cached_property
    def changes(self) -> str:
        """Stream: one entry for every append, for those who follow along."""
        return f"{self.tag}:changes"

    @cached_property
    def deadlines(self) -> str:
        """Sorted set: games with players, ids by the time, in ms, at which something is due."""
        return f"{self.tag}:deadlines"

    @cached_property
    def second_looks(self) -> str:
        """Sorted set: games that bots play among themselves, ids by the time, in ms, at which to look at them again."""
        return f"{self.tag}:second-looks"

    @cached_property
    def priorities(self) -> str:
        """Hash: how each game for which something will be due stands in the line for workers."""
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
        """Sorted set: the ids of the games in which a player is to act, by the time in ms until when."""
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
        """Hash: the answers to requests that came with an idempotency key."""
        return f"{self.shard.tag}:game:{self.game_id}:requests"


def player(player_id: str) -> str:
    """Hash: a player's name, kind and time of creation."""
    return f"{{{player_id}}}:player"


def tokens(player_id: str) -> str:
    """Hash: a player's tokens, by the SHA-256 of each."""
    return f"{{{player_id}}}:tokens"


def rate(bucket: str, whom: str) -> str:
    """Text: the time in ms at which somebody's bucket is full again, and the key gone; addresses are kept as hashes."""
    return f"plateau:rate:{bucket}:{sha256(whom.encode()).hexdigest()[:32]}"


def places(bucket: str, player_id: str) -> str:
    """Sorted set: the games that count against a player's limit on games at once, by when they began."""
    return f"{{{player_id}}}:places:{bucket}"
