"""The lists of games: the lobby, a player's games, and the games in which it is their turn.

They are derived from the logs, and written in the same step as the log; ``writes_of`` returns these writes. The
priority of a game for the workers is written in the same way.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files

from service.store import keys

NO_DEADLINE = 2**53 - 1
"""The score of a turn without a deadline, which sorts after all others."""


@dataclass(frozen=True, slots=True)
class Listing:
    """How lists show a game from now on, including the lobby if it is ``public``; ``left`` is its earlier status there.

    ``joined`` and ``gone`` are the players who now have a part in it, or no longer have one.
    """

    summary: bytes
    member: str
    ruleset: str
    left: str
    entered: str
    public: bool = True
    joined: Sequence[str] = ()
    gone: Sequence[str] = ()


Turn = tuple[str, int | None]
"""A player and the deadline of their turn in ms: ``NO_DEADLINE`` without one, None if it is not their turn."""


@dataclass(frozen=True, slots=True)
class IndexedGame:
    """A game in a player's list: its member there, its public data, and the player's turn."""

    member: str
    summary: bytes
    is_to_act: bool
    until: int | None


ListWrite = tuple[str, str, str | bytes | int, str | bytes]
"""A write to a list of games, plans or phrases: the key, the command, its two arguments."""


def writes_of(shard: keys.Shard, game_id: str, listing: Listing | None, turns: Sequence[Turn]) -> list[ListWrite]:
    writes = [] if listing is None else list(_listed(shard, game_id, listing))
    for player, until in turns:
        change = ("ZREM", game_id) if until is None else ("ZADD", until)
        writes.append((shard.turns_of(player), *change, game_id))
    return writes


def _listed(shard: keys.Shard, game_id: str, listing: Listing) -> Iterator[ListWrite]:
    member = listing.member
    yield shard.summaries, "HSET", game_id, listing.summary
    for player in listing.gone:
        yield shard.games_of(player), "ZREM", member, member
    for player in listing.joined:
        yield shard.games_of(player), "ZADD", 0, member
    if listing.public:
        yield shard.lobby(listing.left, listing.ruleset), "ZREM", member, member
        yield shard.lobby(listing.entered, listing.ruleset), "ZADD", 0, member


def silencing(phrases: str, players: Sequence[str] | None) -> list[ListWrite]:
    """Return the writes that remove the phrases of some players in a game, None for all of them."""
    if players is None:
        return [(phrases, "LTRIM", 1, "0")]
    return [(phrases, "SILENCE", player, "") for player in players]


def listed_turn(member: str, summary: bytes, score: float | None) -> IndexedGame:
    """Read a player's turn in a game from its score; None means that it is not their turn."""
    return IndexedGame(member, summary, score is not None, None if score in (None, NO_DEADLINE) else int(score or 0))


def member_of(created_at: str, game_id: str) -> str:
    """Return the list member of a game, which sorts by time of creation, then id."""
    return f"{created_at} {game_id}"


def game_of(member: str) -> str:
    return member.split(" ")[1]


# -- the priority of a game for the workers -----------------------------------------------------------------------
#
# Work that players are waiting for comes first. It counts for the waiting player whose round is earliest, so that the
# other games of one player do not delay a table. Work that no player is waiting for counts for the creator of the game.


class Rank(StrEnum):
    """How urgent the work is; the values are stored in change feeds and beside deadlines, and must not change."""

    URGENT = "answer"
    """A player who is present is waiting for it, at a table with other players or with bots."""
    SPARE = "spare"
    """Only a sandbox is waiting for it, or players who are away."""
    ALONE = "bot"
    """Only bots play."""


RANKS = tuple(Rank)
"""The most urgent first."""


@dataclass(frozen=True, slots=True)
class Priority:
    """The rank of a game's work, and the players for whom it can count: at most one for each seat."""

    rank: Rank
    owners: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.rank} {' '.join(self.owners)}"


NO_PRIORITY = Priority(Rank.URGENT)
"""The priority of a game without work for the workers."""


def read_priority(text: str) -> Priority:
    """Read a priority as ``str`` writes it."""
    rank, *owners = text.split()
    return Priority(Rank(rank), tuple(owners))


# -- the public data of a game as lists store it: JSON, compressed for an archived game ----------------------------
#
# Compressed, it is the number of the form, and a raw deflate stream with the dictionary beside this module
# (``summaries.dictionary``). It is stored for as long as the game, so neither the form nor its dictionary ever changes.


FORM = 1
"""The first byte of a compressed summary; JSON begins with another."""

_DICTIONARY = files("service.store").joinpath("summaries.dictionary").read_bytes()
_RAW = -15
_MEMORY = 9
_LEVEL = 9


def compressed_summary(summary: bytes) -> bytes:
    """Compress the public data of a game to less than a quarter of its bytes."""
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, _MEMORY, zdict=_DICTIONARY)
    return b"%c%b%b" % (FORM, deflate.compress(summary), deflate.flush())


def plain_summary(kept: bytes) -> bytes:
    """Return the public data of a game as JSON, from either form."""
    if kept[:1] != bytes((FORM,)):
        return kept
    return zlib.decompressobj(_RAW, zdict=_DICTIONARY).decompress(kept[1:])
