"""What lists games: the lobby, a player's games, and those in which it is their turn.

All of it follows from the logs, and is written in the same step as the log; ``writes_of`` says what that writes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.store import keys

NO_DEADLINE = 2**53 - 1
"""The score of a turn that may take any time: it comes after all others."""


@dataclass(frozen=True, slots=True)
class Listing:
    """How lists show a game from now on, the lobby if it is ``public``; ``left`` is its status there before.

    ``joined`` and ``gone`` are the players who came to have a part in it, or have none any more.
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
"""A player, and until when (in ms) it is their turn: ``NO_DEADLINE`` for any time, None for not at all."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a player's list: its member there, its public data, and the player's turn in it."""

    member: str
    summary: bytes
    is_to_act: bool
    until: int | None


ListWrite = tuple[str, str, str | bytes | int, str | bytes]
"""A write to what lists games: the key, the command, its two arguments."""


def writes_of(shard: keys.Shard, game_id: str, listing: Listing | None, turns: Sequence[Turn]) -> Iterator[ListWrite]:
    """Say what changes where games of a shard are listed."""
    if listing is not None:
        yield from _listed(shard, game_id, listing)
    for player, until in turns:
        if until is None:
            yield shard.turns_of(player), "ZREM", game_id, game_id
        else:
            yield shard.turns_of(player), "ZADD", until, game_id


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


def listed_turn(member: str, summary: bytes, score: float | None) -> Listed:
    """Read a player's turn in a game from its score, None if it is not theirs."""
    return Listed(member, summary, score is not None, None if score in (None, NO_DEADLINE) else int(score or 0))


def member_of(created_at: str, game_id: str) -> str:
    """Name a game in the order of a list: by time of creation, then id."""
    return f"{created_at} {game_id}"


def game_of(member: str) -> str:
    """Give the game of a member of a list."""
    return member.split(" ")[1]
