"""The hub: who follows what in a process. News of a topic are read for those who follow it; its listener hears of them.

Whenever a subscription to a topic begins, all who follow it are woken, because messages can have been missed.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol

import redis

from service.streams.listener import Listener
from service.streams.readers import Following, Readers


class Wakeable(Following, Protocol):
    """A subscriber to topics; ``player`` is None if it is anonymous."""

    @property
    def topics(self) -> Sequence[str]:
        """Return the topics that it subscribed to."""
        ...

    @property
    def player(self) -> str | None:
        """Return the player, or None if it is anonymous."""
        ...

    def wake(self, heard: str | None) -> None:
        """Wake it: there is new data up to this cursor (None: read everything)."""
        ...


_Followers = dict[str, tuple[Wakeable, ...]]


class Hub:
    """Who follows what. All methods but ``wake_soon`` are for the event loop, of which there is one at a time."""

    def __init__(self, client: redis.Redis, readers: Readers) -> None:
        self._readers = readers
        self._following: _Followers = {}
        self._of_player: _Followers = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listener = Listener(client, self._following.keys(), self._on_begin, self._on_news)

    def add(self, follower: Wakeable) -> None:
        """Wake a follower from now on; what is new before the subscription begins wakes it, too."""
        self._loop = asyncio.get_running_loop()
        _put(self._of_player, follower.player or "", follower)
        noted = [self._listener.note(topic) for topic in follower.topics if _put(self._following, topic, follower)]
        if any(noted):
            self._readers.run(self._listener.interrupt)

    def remove(self, follower: Wakeable) -> None:
        """Wake a follower no more."""
        _take(self._of_player, follower.player or "", follower)
        for topic in follower.topics:
            if _take(self._following, topic, follower):
                self._listener.note(topic)

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()

    def wake_soon(self, player: str | None) -> None:
        """Wake those who follow in the name of a player, or (None) everybody, from any thread."""
        if player is None:
            self._on_loop(self._wake_all)
        elif player in self._of_player:
            self._on_loop(_wake, self._of_player, player)

    def _wake_all(self) -> None:
        for player in [*self._of_player]:
            _wake(self._of_player, player)

    # -- what the listener calls, from its thread -------------------------------------------------------------------

    def _on_begin(self, topic: str) -> None:
        self._on_loop(_wake, self._following, topic)

    def _on_news(self, topic: str, cursor: str) -> None:
        following = self._following.get(topic)
        if following and self._loop is not None:
            self._readers.read_for(following, cursor, self._loop)

    def _on_loop(self, call: Any, *args: Any) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and with it the streams
                self._loop.call_soon_threadsafe(call, *args)


def _put(followers: _Followers, name: str, follower: Wakeable) -> bool:
    """Add a follower under a name; return whether it is the first one."""
    others = followers.get(name, ())
    followers[name] = (*others, follower)
    return not others


def _take(followers: _Followers, name: str, follower: Wakeable) -> bool:
    """Remove a follower under a name; return whether it was the last one."""
    others = tuple(each for each in followers.get(name, ()) if each is not follower)
    if others:
        followers[name] = others
        return False
    return followers.pop(name, None) is not None


def _wake(followers: _Followers, name: str) -> None:
    for follower in followers.get(name, ()):
        follower.wake(None)
