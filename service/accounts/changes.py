"""What a process remembers of players, and the channel by which it hears of changes.

What it remembers is valid only while it receives every change; pings show that it does. It drops what a message names
as soon as the message arrives, and trusts nothing once Redis has been silent for longer than a second.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar, cast

import redis

from service.store import keys

T = TypeVar("T")

_log = logging.getLogger(__name__)
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
        """Return whether this process listens and has heard of none since ``seen``; call with the lock held."""
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
                pinged = False
                while not self._closed.is_set():
                    message = cast("dict[str, Any] | None", subscription.get_message(timeout=self._PING_SECONDS))
                    if message is not None:
                        self._hear(message)
                        pinged = False
                    elif pinged:
                        raise redis.TimeoutError("a ping was not answered")
                    else:
                        subscription.ping()
                        pinged = True
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
        """Return what tables show of players; those who do not exist, or no longer do, are left out."""
        known = self._cache.known()
        found = {player: known.get(player) for player in players}
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
