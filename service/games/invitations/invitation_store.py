"""Invitations as they are stored, beside the logs of their games.

One hash of a game holds all of its invitations. One index finds a link by the hash of its secret, another one the
invitations of a player. The index is written first, so it can name an invitation that does not exist, but every
invitation is in its index. Each change of a game's invitations is one atomic step: if two players take a link at once,
one succeeds.
"""

import base64
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, cast

import orjson
import redis

from domain.game.durations import moment
from service.inbox.notices import Notice, enter
from service.store import keys
from service.store.codec import version_in
from service.store.scripts import update
from service.store.shards import shards_of

Kind = Literal["link", "player"]
Stored = Literal["open", "accepted", "declined", "revoked"]

KEPT_MS = 31 * 24 * 3600 * 1000
"""For how long after the last change Redis keeps the invitations of a game: longer than any of them is open."""

MOST_LISTED = 500
"""The most invitations that the list of a player leads to; the newest displace the oldest."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to a seat of a game, or to any (None); for a ``player``, or (None) for the holder of the link.

    Times are in ms since 1970. ``taker`` is the player who is taking the seat, or has taken it, since ``taken_at``.
    """

    id: str
    game: str
    kind: Kind
    seat: int | None
    player: str | None
    by: str
    created_at: int
    expires_at: int
    status: Stored = "open"
    taker: str | None = None
    taken_at: int = 0


Known = Mapping[str, Invitation]
"""The invitations of a game by their ids, the oldest first."""


def new_id() -> str:
    return f"in_{secrets.token_hex(6)}"


def id_for_rematch(game_id: str, player: str) -> str:
    """Return the id of a player's invitation to the rematch of a game, so that no one is invited to it twice."""
    return f"in_{sha256(f'{game_id} {player}'.encode()).hexdigest()[:12]}"


def new_secret() -> str:
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


class Invitations:
    def __init__(self, client: redis.Redis, shards: int = 16) -> None:
        self._redis = client
        self._shards = shards_of(client, shards)

    def find_by_link(self, secret: str, invitation: Invitation) -> None:
        """Index an invitation by the secret of its link; only the hash of the secret is stored."""
        place = f"{invitation.game} {invitation.id}"
        self._redis.set(_link(secret), place, px=invitation.expires_at - invitation.created_at)

    def find_by_player(self, player: str, invitation: Invitation) -> None:
        """Add an invitation to the list of a player; the list drops those that are too old, or too many."""
        key, since = keys.invitations_of(player), invitation.created_at
        pipe = self._redis.pipeline(transaction=True)
        pipe.zadd(key, {f"{moment(since)} {invitation.game} {invitation.id}": 0})
        pipe.zremrangebylex(key, "-", f"({moment(since - KEPT_MS)}")
        pipe.zremrangebyrank(key, 0, -MOST_LISTED - 1)
        pipe.pexpire(key, KEPT_MS)
        pipe.execute()

    def of_game(self, game_id: str) -> Known:
        return _known(game_id, self._redis.hgetall(self._key(game_id)))

    def of_link(self, secret: str) -> Invitation | None:
        place = cast("bytes | None", self._redis.get(_link(secret)))
        if place is None:
            return None
        game_id, invitation_id = place.decode().split(" ")
        stored = cast("bytes | None", self._redis.hget(self._key(game_id), invitation_id))
        return None if stored is None else _invitation(game_id, stored)

    def of_player(self, player: str, before: str | None, limit: int) -> list[tuple[str, Invitation | None]]:
        """List the invitations of a player, newest first: (member to continue after, invitation or None if it ended).

        A member is ``<time of creation> <game> <invitation>``.
        """
        highest = f"({before}" if before else "+"
        key = keys.invitations_of(player)
        listed = cast("list[bytes]", self._redis.zrevrangebylex(key, highest, "-", 0, limit))
        members = [member.decode() for member in listed]
        pipe = self._redis.pipeline(transaction=False)
        for member in members:
            _, game_id, invitation_id = member.split(" ")
            pipe.hget(self._key(game_id), invitation_id)
        invitations = cast("list[bytes | None]", pipe.execute())
        return [
            (member, None if stored is None else _invitation(member.split(" ")[1], stored))
            for member, stored in zip(members, invitations, strict=True)
        ]

    def forget(self, player: str, members: Sequence[str]) -> None:
        if members:
            self._redis.zrem(keys.invitations_of(player), *members)

    def change(self, game_id: str, decide: Callable[[Known], Sequence[Invitation | str]]) -> None:
        """Change the invitations of a game in one atomic step: ``decide`` returns those to write and the ids to drop.

        Notices of new invitations are written in the same step. ``decide`` is called again if another process was
        faster; if it raises, nothing changes.
        """
        game = self._shards.keys_of(game_id)
        key = game.invitations

        def change(pipe: Any) -> None:
            known = _known(game_id, pipe.hgetall(key))
            changes = decide(known)
            new = [each for each in changes if isinstance(each, Invitation) and each.id not in known]
            notices = _notices(new, version_in(pipe.xrevrange(game.events, "+", "-", count=1)))
            pipe.multi()
            for each in changes:
                if isinstance(each, str):
                    pipe.hdel(key, each)
                else:
                    pipe.hset(key, each.id, orjson.dumps(each))
            enter(pipe, game.shard, notices)
            pipe.pexpire(key, KEPT_MS)

        update(self._redis, (key,), change)

    def _key(self, game_id: str) -> str:
        return self._shards.keys_of(game_id).invitations


def _notices(invitations: Sequence[Invitation], version: int) -> list[Notice]:
    return [
        Notice(
            "invited",
            invitation.player,
            invitation.game,
            version,
            moment(invitation.created_at),
            {
                "invitation": invitation.id,
                "by": invitation.by,
                "seat": invitation.seat,
                "expires_at": moment(invitation.expires_at),
            },
        )
        for invitation in invitations
        if invitation.player is not None
    ]


def _link(secret: str) -> str:
    return keys.invitation(sha256(secret.encode()).hexdigest())


def _known(game_id: str, stored: Any) -> Known:
    invitations = [_invitation(game_id, invitation) for invitation in stored.values()]
    return {
        invitation.id: invitation
        for invitation in sorted(invitations, key=lambda invitation: (invitation.created_at, invitation.id))
    }


def _invitation(game_id: str, stored: bytes) -> Invitation:
    fields: dict[str, Any] = orjson.loads(stored)
    return Invitation(**{**fields, "game": game_id})
