"""Players and their tokens: who is calling, and what the caller is allowed to do.

A token is ``plt_<player>_<secret>``; only its SHA-256 is stored. A process caches what tokens give access to as long as
it receives messages about changes. It rejects a revoked token as soon as the message arrives, and within a second even
if messages are lost: it does not trust the cache once Redis has been silent for longer. Pings show that it receives
every message; it drops what a message names as soon as the message arrives.
"""

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, TypeVar, cast

import orjson
import redis

from service.accounts.admin_log import AdminLog
from service.accounts.limits import DEFAULTS, PLACES, refuse
from service.accounts.names.namesakes import Namesakes, skeletons
from service.accounts.profiles import Profiles
from service.store import keys
from service.store.event_store import StoreUnavailable
from service.store.scripts import messages, script

_log = logging.getLogger(__name__)

Scope = Literal["games:read", "games:play", "games:create", "webhooks", "tournaments", "admin"]
PlayerKind = Literal["person", "bot"]
GUEST_SCOPES: tuple[Scope, ...] = ("games:read", "games:play", "games:create", "webhooks")

BOTS = "pl_bot"
"""The ids of accounts that programs play by begin so, those of people do not: so wherever there is an id, also in logs,
one can see which it is."""

ID_FORM = "pl_[0-9A-Za-z_]{1,64}"
"""What an id of a player looks like, as a regular expression; it goes into keys and addresses."""

_TOKEN_ID = re.compile("tk_[0-9a-f]{16}")
_SCANNED = 1000


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is calling: the player, and the scopes and the id of the token used.

    ``seat`` is the only seat that the caller can look and act from: that of a bot, for which the service calls, or the
    seat of ``game`` that a seat token opens. ``address`` is the address that a write came from, "" where no limit
    counts it.
    """

    player: str
    scopes: frozenset[str]
    token: str = ""
    seat: int | None = None
    game: str | None = None
    address: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """A caller's idempotency key, and the fingerprint of its request."""

    name: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Player:
    """The public data of a player; a bot says who runs it (``operator``)."""

    id: str
    name: str
    kind: PlayerKind
    created_at: str
    operator: str | None = None
    portrait: str | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A token as its owner sees it; the token itself is shown only once, at its creation.

    A seat token opens only ``seat`` of ``game``. ``made_by`` is the id of the token that made it.
    """

    id: str
    scopes: tuple[str, ...]
    label: str
    created_at: str
    game: str | None = None
    seat: int | None = None
    made_by: str | None = None


class Players:
    def __init__(self, client: redis.Redis, now: Callable[[], str], most_tokens: int = DEFAULTS["tokens"]) -> None:
        self._redis = client
        self._now = now
        self._most_tokens = most_tokens
        self._add_token = script(client, __name__, "add_token")
        self._change = script(client, __name__, "change_player")
        self._changes = Changes(client)
        self._callers: PlayerCache[dict[str, Caller]] = PlayerCache(self._changes)
        self._directory = Directory(client, self._changes)
        self.names, self.people = self._directory.names, self._directory.people
        self._namesakes = Namesakes(client)
        self.profiles = Profiles(client, now)
        self.admin_log = AdminLog(client, now)

    def close(self) -> None:
        self._changes.close()

    def create(self, name: str, operator: str | None = None, portrait: str | None = None) -> tuple[Player, str]:
        """Create a guest, or a bot with its operator, and return the player and their first token."""
        player = self.register(name, operator, portrait)
        made = self.create_token(player.id, GUEST_SCOPES, "first")
        if made is None:
            raise StoreUnavailable("the player was deleted during its creation")
        return player, made[1]

    def register(self, name: str, operator: str | None = None, portrait: str | None = None) -> Player:
        """Create a guest, or a bot, without a token."""
        made, now = secrets.token_hex(8), self._now()
        if operator is None:
            player = Player(f"pl_{made}", name, "person", now, portrait=portrait)
        else:
            player = Player(f"{BOTS}{made}", name, "bot", now, operator, portrait)
        kept: dict[Any, Any] = {"name": name, "kind": player.kind, "created_at": now}
        kept |= {field: value for field, value in (("operator", operator), ("portrait", portrait)) if value is not None}
        pipe = self._redis.pipeline(transaction=False)
        self._namesakes.add(pipe, player.id, name, now)
        pipe.hset(keys.player(player.id), mapping=kept)
        pipe.execute()
        return player

    def find(self, player_id: str) -> Player | None:
        found = cast("dict[bytes, bytes]", self._redis.hgetall(keys.player(player_id)))
        return _player(player_id, found)

    def named(self, name: str, most: int = 20) -> list[Player]:
        """List people with this name or one that looks like it, oldest first: at most ``most`` for each skeleton."""
        wanted, found = skeletons(name), []
        entered = self._namesakes.find(name, most)
        for player_id, player in zip(entered, self._find_all(entered), strict=True):
            if player is not None and wanted & skeletons(player.name):
                found.append(player)
            else:
                self._namesakes.settle(player_id, [name])
        return found

    def _find_all(self, players: Iterable[str]) -> list[Player | None]:
        wanted = list(players)
        pipe = self._redis.pipeline(transaction=False)
        for player_id in wanted:
            pipe.hgetall(keys.player(player_id))
        replies = cast("list[dict[bytes, bytes]]", pipe.execute())
        return [_player(player_id, found) for player_id, found in zip(wanted, replies, strict=True)]

    def rename(self, player_id: str, name: str) -> bool:
        before = self.find(player_id)
        if before is None:
            return False

        def change(pipe: Any) -> None:
            self._change(keys=[keys.player(player_id)], args=["name", name], client=pipe)

        self._namesakes.enter(player_id, name, before.created_at)
        is_renamed, _ = self._changes.announce(player_id, change)
        self._tidy(player_id, [before.name, name])
        return bool(is_renamed)

    def choose_portrait(self, player_id: str, portrait: str) -> None:
        def change(pipe: Any) -> None:
            self._change(keys=[keys.player(player_id)], args=["portrait", portrait], client=pipe)

        self._changes.announce(player_id, change)

    def delete(self, player_id: str) -> None:
        """Delete a player's name, profile, tokens, notices and webhooks; games keep the opaque id."""
        doomed = [keys.tokens(player_id), keys.player(player_id), keys.invitations_of(player_id)]
        doomed += [keys.notices(player_id), keys.notices_known(player_id), keys.destinations(player_id)]
        doomed += [keys.webhooks(player_id), keys.webhooks_deliveries(player_id), keys.webhooks_pending(player_id)]
        doomed += [keys.mail(player_id), keys.push_subscriptions(player_id)]
        doomed += [keys.places(each, player_id) for each in PLACES]

        def change(pipe: Any) -> None:
            pipe.hget(keys.player(player_id), "name")
            pipe.delete(*doomed)

        name, *_ = self._changes.announce(player_id, change)
        if name is not None:
            self._tidy(player_id, [name.decode()])

    def _tidy(self, player_id: str, names: Sequence[str]) -> None:
        """Remove the player's old names from the index; entries that stay are removed when they are next read."""
        try:
            self._namesakes.settle(player_id, names)
        except StoreUnavailable as error:
            _log.warning("names of %s were left in the index: %s", player_id, error)

    def create_token(
        self,
        player_id: str,
        scopes: Sequence[str],
        label: str,
        seat: tuple[str, int] | None = None,
        made_by: str | None = None,
    ) -> tuple[Token, str] | None:
        """Create a token, or a seat token for a seat of a game; return its record and the token, which is not stored.

        Return None if the player does not exist, or if the token ``made_by`` was revoked. Raise ``Limited`` if the
        player has the maximum number of tokens.
        """
        token = f"plt_{player_id.removeprefix('pl_')}_{secrets.token_urlsafe(24)}"
        digest = _digest(token)
        opens: dict[str, object] = {} if seat is None else {"game": seat[0], "seat": seat[1]}
        opens |= {} if made_by is None else {"made_by": made_by}
        kept = {"scopes": tuple(dict.fromkeys(scopes)), "label": label, "created_at": self._now(), **opens}
        both = [keys.player(player_id), keys.tokens(player_id)]
        maker = "" if made_by is None else made_by.removeprefix("tk_")
        added = self._add_token(keys=both, args=[digest, orjson.dumps(kept), self._most_tokens, maker])
        if added == -1:
            refuse("tokens", self._most_tokens)
        return (_token(digest, kept), token) if added else None

    def tokens(
        self, player_id: str, after: str | None = None, limit: int | None = 100
    ) -> tuple[list[Token], str | None]:
        """List a player's tokens, oldest first, from ``after`` on; also return where to continue, None at the end.

        With None as ``limit``, all of them are listed.
        """
        found = cast("dict[bytes, bytes]", self._redis.hgetall(keys.tokens(player_id)))
        records = [_token(digest.decode(), orjson.loads(kept)) for digest, kept in found.items()]
        places = {f"{token.created_at} {token.id}": token for token in records}
        rest = sorted(place for place in places if after is None or place > after)
        page = rest[:limit]
        return [places[place] for place in page], page[-1] if len(page) < len(rest) else None

    def revoke(self, player_id: str, token_id: str) -> bool:
        """Revoke a token, all that were made with it, and all that were made with those; return whether it existed."""
        key = keys.tokens(player_id)
        if _TOKEN_ID.fullmatch(token_id) is None:
            return False
        is_first = True
        while True:  # a token that was made while these were read goes with the next round
            records = cast("dict[bytes, bytes]", self._redis.hgetall(key))
            tokens = {digest: _token(digest.decode(), orjson.loads(kept)) for digest, kept in records.items()}
            doomed = _descendants(token_id, tokens)
            if not doomed:
                return not is_first
            self._changes.announce(player_id, partial(_drop, key, doomed))
            is_first = False

    def on_change(self, drop: Callable[[str | None], None]) -> None:
        self._changes.attach(drop)

    def caller_now(self, player_id: str, token_id: str) -> Caller | None:
        """Return the caller that a token id stands for now, or None if the token was revoked."""
        if _TOKEN_ID.fullmatch(token_id) is None:
            return None
        seen = self._changes.seen  # read first, as in authenticate
        known = self._callers.known().get(player_id, {})
        found = next((caller for caller in known.values() if caller.token == token_id), None)
        if found is not None:
            return found
        kept = dict(self._redis.hscan_iter(keys.tokens(player_id), f"{token_id[3:]}*", _SCANNED))
        for digest, record in kept.items():
            return self._caller(player_id, digest.decode(), record, seen)
        return None

    def authenticate(self, token: str) -> Caller | None:
        parts = token.split("_", 2)
        if len(parts) != 3 or parts[0] != "plt":
            return None
        player_id, digest = f"pl_{parts[1]}", _digest(token)
        seen = self._changes.seen  # read first: a change in between must not be missed
        known = self._callers.known().get(player_id, {})
        if digest in known:
            return known[digest]
        kept = cast("bytes | None", self._redis.hget(keys.tokens(player_id), digest))
        return None if kept is None else self._caller(player_id, digest, kept, seen)

    def _caller(self, player_id: str, digest: str, kept: bytes, seen: int) -> Caller:
        """Return the caller of a token that was read after the changes ``seen``, and cache it."""
        token = _token(digest, orjson.loads(kept))
        caller = Caller(player_id, frozenset(token.scopes), token.id, token.seat, token.game)
        known = self._callers.known().get(player_id, {})
        self._callers.keep(player_id, {**known, digest: caller}, seen)
        return caller


def _drop(key: str, digests: Sequence[bytes], pipe: Any) -> None:
    pipe.hdel(key, *digests)


def _descendants(token_id: str, tokens: Mapping[bytes, Token]) -> list[bytes]:
    """Return the digests of a token and of all that were made with it, directly or not."""
    family = {token_id}
    while found := {token.id for token in tokens.values() if token.made_by in family} - family:
        family |= found
    return [digest for digest, token in tokens.items() if token.id in family]


def _player(player_id: str, found: Mapping[bytes, bytes]) -> Player | None:
    if not found:
        return None
    kind = cast("PlayerKind", found[b"kind"].decode())
    operator = found[b"operator"].decode() if b"operator" in found else None
    portrait = found[b"portrait"].decode() if b"portrait" in found else None
    return Player(player_id, found[b"name"].decode(), kind, found[b"created_at"].decode(), operator, portrait)


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _token(digest: str, kept: Mapping[str, Any]) -> Token:
    scopes = tuple(kept["scopes"])
    return Token(
        f"tk_{digest[:16]}",
        scopes,
        kept["label"],
        kept["created_at"],
        kept.get("game"),
        kept.get("seat"),
        kept.get("made_by"),
    )


# -- what a process remembers, and changes ------------------------------------------------------------------------


T = TypeVar("T")

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Changes:
    _PING_SECONDS = 0.25
    _BELIEVED_SECONDS = 0.9

    def __init__(self, client: redis.Redis) -> None:
        self._redis = client
        self.lock = threading.Lock()
        self._drops: list[Callable[[str | None], None]] = []
        self._listening = False
        self._heard_at = 0.0
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self.seen = 0

    def are_known(self) -> bool:
        """Return whether no change can have been missed: Redis has not been silent for long."""
        return time.monotonic() - self._heard_at <= self._BELIEVED_SECONDS

    def attach(self, drop: Callable[[str | None], None]) -> None:
        """Call ``drop`` with each player that has changed, or with None for all; the lock is held."""
        self._drops.append(drop)

    def announce(self, player_id: str, change: Callable[[Any], object]) -> list[Any]:
        """Change what a player has and make every process drop it, in one atomic step; return Redis's replies."""
        pipe = self._redis.pipeline(transaction=True)
        change(pipe)
        pipe.publish(keys.PLAYERS_CHANGED, player_id)
        replies = pipe.execute()
        self._drop(player_id)
        return replies

    def are_heard_since(self, seen: int) -> bool:
        """Return whether this process listens and has received none since ``seen``; call with the lock held."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._listen, name="player-changes", daemon=True)
            self._thread.start()
        return self._listening and seen == self.seen

    def close(self) -> None:
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _drop(self, player_id: str | None) -> None:
        with self.lock:
            self.seen += 1
            for drop in self._drops:
                drop(player_id)

    def _listen(self) -> None:
        """Listen for changes until the connection breaks; then drop everything, and let the next caller start again."""
        try:
            with self._redis.pubsub() as subscription:  # type: ignore[no-untyped-call]
                subscription.subscribe(keys.PLAYERS_CHANGED)
                for message in messages(subscription, self._PING_SECONDS):
                    if message is not None:
                        self._hear(message)
                    if self._closed.is_set():
                        break
        except redis.RedisError as error:
            _log.warning("stopped listening for changes to players: %s", error)
        finally:
            self._listening = False
            self._drop(None)

    def _hear(self, message: Mapping[str, Any]) -> None:
        """Handle a message, and note that Redis is alive; a new subscription can have missed any change."""
        if message["type"] == "subscribe":
            self._drop(None)
            self._listening = True
        elif message["type"] == "message":
            self._drop(message["data"].decode())
        self._heard_at = time.monotonic()


class PlayerCache(Generic[T]):
    """One value for each player, as long as it is known to be current."""

    _MOST_PLAYERS = 20_000

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._values: dict[str, T] = {}
        changes.attach(self.drop)

    def known(self) -> Mapping[str, T]:
        return self._values if self._changes.are_known() else _NOTHING

    def keep(self, player_id: str, value: T, seen: int) -> None:
        """Cache a value that was read after the changes ``seen``, unless there have been changes since."""
        with self._changes.lock:
            if self._changes.are_heard_since(seen):
                if len(self._values) >= self._MOST_PLAYERS:
                    self._values.clear()
                self._values[player_id] = value

    def drop(self, player_id: str | None) -> None:
        if player_id is None:
            self._values.clear()
        else:
            self._values.pop(player_id, None)


class Person(NamedTuple):
    """What a table shows of a player; ``portrait`` is "" for none."""

    name: str
    portrait: str = ""


class Directory:
    """Names and portraits by player. A process remembers them, and shows a new one within a second of the change."""

    def __init__(self, client: redis.Redis, changes: Changes) -> None:
        self._redis = client
        self._changes = changes
        self._cache: PlayerCache[Person] = PlayerCache(changes)

    def names(self, players: Iterable[str]) -> Mapping[str, str]:
        """Return the names of players by their ids; those who do not exist, or no longer do, have none."""
        return {player: person.name for player, person in self.people(players).items()}

    def people(self, players: Iterable[str]) -> Mapping[str, Person]:
        """Return what tables show of players; those who do not exist, or no longer do, are left out.

        A game can be created by a deal set or a tournament, which is no player.
        """
        known = self._cache.known()
        found = {player: known.get(player) for player in players if player.startswith("pl_")}
        if None in found.values():
            found |= self._read([player for player, person in found.items() if person is None])
        return {player: person for player, person in found.items() if person and person.name}

    def _read(self, players: list[str]) -> dict[str, Person]:
        seen = self._changes.seen
        pipe = self._redis.pipeline(transaction=False)
        for player in players:
            pipe.hmget(keys.player(player), ("name", "portrait"))
        replies = cast("list[list[bytes | None]]", pipe.execute())
        people = {
            player: Person(*((value or b"").decode() for value in reply))
            for player, reply in zip(players, replies, strict=True)
        }
        for player, person in people.items():
            self._cache.keep(player, person, seen)
        return people
