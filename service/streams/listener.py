"""The listener: one thread with one connection to Redis, subscribed to the topics of this process's streams.

It runs only while a stream is open, and receives no other topics. It subscribes to a new topic within milliseconds: a
message to the listener itself interrupts its waiting.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import Any
from uuid import uuid4

import redis

from service.store import change_feed, keys
from service.store.scripts import messages

_log = logging.getLogger(__name__)
_PING_SECONDS = 0.25
_AGAIN_SECONDS = 0.2


class Listener:
    """Receive the topics in ``topics``, a collection that changes.

    ``on_news`` is called with a topic and a cursor. ``on_begin`` is called with a topic whenever a subscription to it
    begins, because earlier messages may have been missed.
    """

    def __init__(
        self,
        client: redis.Redis,
        topics: Collection[str],
        on_begin: Callable[[str], None],
        on_news: Callable[[str, str], None],
    ) -> None:
        self._redis = client
        self._topics = topics
        self._on_begin = on_begin
        self._on_news = on_news
        self._itself = f"listener {uuid4().hex}"
        self._changed: deque[str] = deque()
        self._lock = threading.Lock()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def note(self, topic: str) -> bool:
        """Record that a topic was added or removed; return whether ``interrupt`` makes this thread react sooner."""
        self._changed.append(topic)
        with self._lock:
            if self._thread is not None:
                return True
            self._thread = threading.Thread(target=self._listen, name="topics", daemon=True)
            self._thread.start()
            return False

    def interrupt(self) -> None:
        """Let the thread read the changes; without this, it does so at its next ping."""
        try:
            change_feed.publish(self._redis, self._itself, "")
        except redis.RedisError as error:
            _log.warning("the listener for news was not interrupted: %s", error)

    def close(self) -> None:
        """Stop listening."""
        self._is_closed = True
        thread = self._thread
        if thread is not None:
            thread.join()

    def _listen(self) -> None:
        """Listen while there are topics; after a loss of the connection, begin again."""
        while self._continues():
            try:
                self._hear_all()
            except redis.RedisError as error:
                _log.warning("stopped listening for news: %s", error)
                time.sleep(_AGAIN_SECONDS)

    def _continues(self) -> bool:
        with self._lock:
            if self._topics and not self._is_closed:
                return True
            self._thread = None
            return False

    def _hear_all(self) -> None:
        with self._redis.pubsub() as subscription:  # type: ignore[no-untyped-call]
            self._changed.clear()
            subscribed = {*self._topics}
            subscription.subscribe(*map(keys.topic, (self._itself, *subscribed)))
            for message in messages(subscription, _PING_SECONDS):
                if message is not None:
                    self._hear(message)
                if self._changed:
                    self._catch_up(subscription, subscribed)
                if not self._topics or self._is_closed:
                    break

    def _catch_up(self, subscription: Any, subscribed: set[str]) -> None:
        """Subscribe to the current topics, and to no others."""
        changed = {self._changed.popleft() for _ in range(len(self._changed))}
        topics = {topic for topic in changed if topic in self._topics}
        new, old = topics - subscribed, (changed - topics) & subscribed
        if new:
            subscription.subscribe(*map(keys.topic, new))
        if old:
            subscription.unsubscribe(*map(keys.topic, old))
        subscribed |= new
        subscribed -= old

    def _hear(self, message: dict[str, Any]) -> None:
        """Pass on the messages of a topic; others only interrupt the waiting."""
        if message["type"] not in ("subscribe", "message"):
            return
        topic = change_feed.topic_of(message["channel"])
        if topic == self._itself:
            return
        if message["type"] == "subscribe":
            self._on_begin(topic)
        else:
            self._on_news(topic, message["data"].decode())
