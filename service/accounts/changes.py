"""What a process remembers of players, and the channel by which it hears of changes."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast

import redis

from service.store import keys
from service.store.event_store import unavailable

T = TypeVar("T")

_log = logging.getLogger(__name__)


class PlayerCache(Generic[T]):
    """A cache of what players have, valid only while this process receives every change; pings show that it does."""

    _MOST_PLAYERS = 20_000
    _PING_SECONDS = 0.25
    _BELIEVED_SECONDS = 0.9

    def __init__(self, client: redis.Redis) -> None:
        self._redis = client
        self._by_player: dict[str, dict[str, T]] = {}
        self._lock = threading.Lock()
        self._listening = False
        self._heard_at = 0.0
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self.changes_seen = 0

    def find(self, player_id: str, key: str) -> T | None:
        """Return a cached value, or None if Redis has been silent for so long that a change may have been missed."""
        if time.monotonic() - self._heard_at > self._BELIEVED_SECONDS:
            return None
        return self._by_player.get(player_id, {}).get(key)

    def keep(self, player_id: str, key: str, value: T, seen: int) -> None:
        """Cache a value, unless something has changed since ``seen`` or the process is not listening for changes."""
        with self._lock:
            self._ensure_listening()
            if self._listening and seen == self.changes_seen:
                if len(self._by_player) >= self._MOST_PLAYERS:
                    self._by_player.clear()
                self._by_player.setdefault(player_id, {})[key] = value

    def forget(self, player_id: str, change: Callable[[Any], object]) -> None:
        """Change what a player has and make every process drop it, in one atomic step."""
        with unavailable():
            pipe = self._redis.pipeline(transaction=True)
            change(pipe)
            pipe.publish(keys.TOKENS_CHANGED, player_id)
            pipe.execute()
        self._drop(player_id)

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _drop(self, player_id: str | None) -> None:
        with self._lock:
            self.changes_seen += 1
            if player_id is None:
                self._by_player.clear()
            else:
                self._by_player.pop(player_id, None)

    def _ensure_listening(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._listen, name="token-changes", daemon=True)
            self._thread.start()

    def _listen(self) -> None:
        """Listen for changes until the connection breaks; then drop the cache, and let the next caller start again."""
        try:
            with self._redis.pubsub() as subscription:  # type: ignore[no-untyped-call]
                subscription.subscribe(keys.TOKENS_CHANGED)
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
            _log.warning("stopped listening for token changes: %s", error)
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
