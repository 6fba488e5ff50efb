"""Which keys of a store are facts that a backup must have, and which follow from others or may be lost.

Every key belongs to exactly one family; a test compares this with ``service.store.keys``.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from service.accounts.limits import PLACES
from service.backup.parts import BackupError
from service.backup.values import Kind
from service.store import keys


class Role(StrEnum):
    GAME = "game"
    """Copied with its game, in one atomic step."""
    ARCHIVED = "archived"
    """Copied with the games that they are of, whose logs stay in the archive."""
    ANSWER = "answer"
    """Copied after all games, if the log of its game as it was copied has what it answers."""
    PLAYER = "player"
    """Copied with its player, in one atomic step."""
    FEED = "feed"
    """Copied by shard."""
    HEADS = "heads"
    """Copied up to a root of the log of heads."""
    SERVICE = "service"
    """Copied as it is."""
    DERIVED = "derived"
    """Made again from the logs and the players."""
    FLEETING = "fleeting"
    """Not kept: it is worked out or asked for again, or is about the processes that run."""


_SHARD, _PLAYER = r"\{s\d+\}", r"\{pl_[^}]+\}"
_FAMILIES: Sequence[tuple[str, Role]] = [
    (rf"{_SHARD}:game:[^:]+:(events|invitations|plans|phrases|forks)", Role.GAME),
    (rf"{_SHARD}:set:[^:]+:events", Role.GAME),
    (rf"{_SHARD}:set:[^:]+:tables", Role.DERIVED),
    (rf"{_SHARD}:set:[^:]+:moves", Role.FLEETING),
    (rf"{_SHARD}:game:[^:]+:answer:[^:]*", Role.ANSWER),
    (rf"{_SHARD}:game:[^:]+:(questions|hints|analysis|luck)", Role.FLEETING),
    (rf"{_SHARD}:confirmed", Role.FLEETING),
    (rf"{_SHARD}:archived", Role.ARCHIVED),
    (rf"{_SHARD}:(notices|reminders|gone)", Role.FEED),
    (rf"{_SHARD}:(summaries|unlogged|finished|deadlines|second-looks|standings|changes|shards)", Role.DERIVED),
    (rf"{_SHARD}:tournaments(:running)?", Role.DERIVED),
    (rf"{_SHARD}:traces", Role.FLEETING),
    (rf"{_SHARD}:lobby:[^:]+:[^:]+", Role.DERIVED),
    (rf"{_SHARD}:player:[^:]+:(games|turns)", Role.DERIVED),
    (rf"{_PLAYER}:(player|tokens|invitations|outlets|push|mail|webhooks|notices)", Role.PLAYER),
    (rf"{_PLAYER}:(webhooks:deliveries|webhooks:pending|notices:known|places:[^:]+)", Role.PLAYER),
    (r"\{heads\}:(round|roots|cosigned|cosigned:\d+|nodes:\d+|game:[^:]+)", Role.HEADS),
    (r"\{outbox\}:(due|leases)", Role.DERIVED),
    (r"\{outbox\}:calls", Role.FLEETING),
    (r"plateau:named:[^:]+", Role.DERIVED),
    (r"plateau:(admin-log|naming-secret|push-key|signing-keys|invitation:[^:]+)", Role.SERVICE),
    (r"\{service\}:(heartbeat|downtimes|counters)", Role.SERVICE),
    (r"\{service\}:(processes|archiving)", Role.FLEETING),
    (r"plateau:(shards|store-name|probe|restoring|rate.*)", Role.FLEETING),
    (r"(\{jobs\}|rq):.*", Role.FLEETING),
]
_GAME_ID = re.compile(r"(gm|set|tn)_[A-Za-z0-9_-]{1,64}")
_PATTERNS = [(re.compile(pattern), role) for pattern, role in _FAMILIES]


def role_of(key: str) -> Role | None:
    """Return what a backup does with a key; None if the service has no such key."""
    return next((role for pattern, role in _PATTERNS if pattern.fullmatch(key)), None)


def check_key(key: str, *roles: Role) -> None:
    """Check that the part of a backup that is being read may write a key; raise ``BackupError``."""
    if role_of(key) not in roles:
        raise BackupError(
            f"the backup has {key!r} among keys of the role {' or '.join(roles)}, to which it does not belong"
        )


def check_game_id(game_id: object) -> None:
    """Check that a text is the id of a game, a deal set or a tournament, of which keys and names of files are made.

    Raise ``BackupError``.
    """
    if not (isinstance(game_id, str) and _GAME_ID.fullmatch(game_id)):
        raise BackupError(f"the backup has {game_id!r} in place of the id of a game")


GAME_KINDS: Mapping[str, Kind] = {"invitations": "hash", "plans": "hash", "phrases": "list", "forks": "zset"}
"""The keys of a game beside its log and the responses to requests, by their last part."""

SERVICE_KINDS: Mapping[str, Kind] = {
    keys.ADMIN_LOG: "stream",
    keys.SIGNING_KEYS: "hash",
    keys.DOWNTIMES: "zset",
    keys.COUNTERS: "hash",
}
"""The keys of the service; those that are not listed are strings."""


def kinds_of_player(player_id: str) -> dict[str, Kind]:
    """Return the keys of a player, that of the player first."""
    hashes = (
        keys.player,
        keys.tokens,
        keys.destinations,
        keys.push_subscriptions,
        keys.webhooks,
        keys.webhooks_deliveries,
    )
    sets = (keys.invitations_of, keys.webhooks_pending, keys.notices_known)
    kinds: dict[str, Kind] = {name(player_id): "hash" for name in hashes}
    kinds |= {name(player_id): "zset" for name in sets}
    kinds |= {keys.places(bucket, player_id): "zset" for bucket in PLACES}
    return kinds | {keys.mail(player_id): "string", keys.notices(player_id): "stream"}
