"""The hub: one subscription for a process, which has news of a topic read for those who follow it.

The process is subscribed only while somebody follows something. After any gap in the subscription everybody is woken,
because messages can have been missed.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Protocol, cast

import redis

from service.store import keys
from service.streams.readers import Following, Readers

_log = logging.getLogger(__name__)
_PING_SECONDS = 0.25
_AGAIN_SECONDS = 0.2


class Wakeable(Following, Protocol):
    """Somebody who follows topics."""

    @property
    def topics(self) -> Iterable[str]:
        """Return what they follow."""
        ...

    def wake(self, heard: str | None) -> None:
        """Let them read what is new: up to a cursor, or (None) whatever there is."""
        ...


class Hub:
    """Who follows what. All methods but ``wake_soon`` are for the event loop, of which there is one at a time."""

    def __init__(self, client: redis.Redis, readers: Readers) -> None:
        self._redis = client
        self._readers = readers
        self._following: dict[str, tuple[Wakeable, ...]] = {}
        self._lock = threading.Lock()
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def add(self, follower: Wakeable) -> None:
        """Wake a follower from now on; what is new before the subscription begins wakes it, too."""
        self._loop = asyncio.get_running_loop()
        for topic in follower.topics:
            self._following[topic] = (*self._following.get(topic, ()), follower)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._listen, name="topics", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._is_closed = True
        thread = self._thread
        if thread is not None:
            thread.join()

    def remove(self, follower: Wakeable) -> None:
        """Wake a follower no more."""
        for topic in follower.topics:
            others = tuple(each for each in self._following.get(topic, ()) if each is not follower)
            if others:
                self._following[topic] = others
            else:
                self._following.pop(topic, None)

    def wake(self, topic: str) -> None:
        """Wake those who follow a topic."""
        for follower in self._following.get(topic, ()):
            follower.wake(None)

    def wake_all(self) -> None:
        """Wake everybody."""
        for follower in {each for followers in self._following.values() for each in followers}:
            follower.wake(None)

    def wake_soon(self, topic: str | None) -> None:
        """Wake those who follow a topic, or (None) everybody, from any thread."""
        if topic is None:
            self._on_loop(self.wake_all)
        elif topic in self._following:
            self._on_loop(self.wake, topic)

    # -- the thread that listens -----------------------------------------------------------------------------------

    def _listen(self) -> None:
        """Listen while anybody follows anything; after a loss of the connection, begin again."""
        while self._goes_on():
            try:
                self._hear_all()
            except redis.RedisError as error:
                _log.warning("stopped listening for news: %s", error)
                time.sleep(_AGAIN_SECONDS)

    def _goes_on(self) -> bool:
        with self._lock:
            if self._following and not self._is_closed:
                return True
            self._thread = None
            return False

    def _hear_all(self) -> None:
        with self._redis.pubsub() as subscription:  # type: ignore[no-untyped-call]
            subscription.subscribe(keys.TOPICS)
            pinged = False
            while self._following and not self._is_closed:
                message = cast("dict[str, Any] | None", subscription.get_message(timeout=_PING_SECONDS))
                if message is not None:
                    self._hear(message)
                    pinged = False
                elif pinged:
                    raise redis.TimeoutError("a ping was not answered")
                else:
                    subscription.ping()
                    pinged = True

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "subscribe":
            self._on_loop(self.wake_all)
        elif message["type"] == "message":
            topic, _, cursor = message["data"].decode().partition(" ")
            following = self._following.get(topic)
            if following and self._loop is not None:  # most news are about what nobody follows here
                self._readers.read_for(following, cursor, self._loop)

    def _on_loop(self, call: Any, *args: Any) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and with it the streams
                self._loop.call_soon_threadsafe(call, *args)
