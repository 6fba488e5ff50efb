"""The hub: the followers of a process. New items of a topic are read once for all who follow it in the same way.

Everything but the listener runs on the event loop, in greenlets; the listener's thread only records messages. Whenever
a subscription to a topic begins, all its followers are woken, because they may have missed messages.
"""

import asyncio
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import redis

from service.common.greenlets import LoopGreenlet, current, in_greenlet
from service.streams.listener import Listener
from service.streams.source import Batch, Source

_AT_ONCE = 16
"""How many followers read for themselves at once, as all do after a lost connection."""
_TURN_SECONDS = 0.002
"""How long new items are read before the loop handles others."""

Outcome = Batch | Exception


class Wakeable(Protocol):
    """A subscriber to topics; ``player`` is None if it is anonymous."""

    source: Source
    cursor: str
    topics: tuple[str, ...]
    player: str | None

    @property
    def is_idle(self) -> bool:
        """Return whether it waits for updates."""
        ...

    def wake(self, heard: str | None) -> None:
        """Let it read: there is new data up to this cursor (None: read everything)."""
        ...

    def take(self, after: str, heard: str, outcome: Outcome) -> None:
        """Take what was read after its cursor."""
        ...


_Followers = dict[str, tuple[Wakeable, ...]]


class Hub:
    """The followers of a process. All methods but ``wake_soon`` are for the event loop; there is one at a time."""

    def __init__(self, client: redis.Redis) -> None:
        self._following: _Followers = {}
        self._of_player: _Followers = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._heard: dict[str, str] = {}
        self._is_called = False
        self._reading: set[str] = set()
        self._listener = Listener(client, self._following.keys(), self._on_begin, self._on_news)

    def add(self, follower: Wakeable) -> None:
        """Wake a follower from now on; items from before the subscription wake it, too."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._gate, self._is_called = loop, asyncio.Semaphore(_AT_ONCE), False
            self._reading.clear()
        _put(self._of_player, follower.player or "", follower)
        noted = [self._listener.note(topic) for topic in follower.topics if _put(self._following, topic, follower)]
        if any(noted):
            LoopGreenlet(self._listener.interrupt, loop).switch()

    def remove(self, follower: Wakeable) -> None:
        """Stop waking a follower."""
        _take(self._of_player, follower.player or "", follower)
        for topic in follower.topics:
            if _take(self._following, topic, follower):
                self._listener.note(topic)

    async def read(self, source: Source, after: str, heard: str | None) -> Batch:
        """Read a source for one follower, when it is its turn: only a few read at once."""
        async with self._gate:
            return await in_greenlet(partial(source.read, after, heard))

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()

    def wake_soon(self, player: str | None) -> None:
        """Wake the followers of a player, or (None) all of them, from any thread."""
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
        self._heard[topic] = cursor  # of several messages, the last one covers the others
        if not self._is_called:
            self._is_called = True
            self._on_loop(self._after_replies, self._read_news)

    def _after_replies(self, read: Callable[[], None]) -> None:
        """Read one turn of the loop later: then a request of this process that wrote the items has its reply."""
        asyncio.get_running_loop().call_soon(asyncio.get_running_loop().call_soon, read)

    def _on_loop(self, call: Any, *args: Any) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and with it the streams
                self._loop.call_soon_threadsafe(call, *args)

    # -- reading for all followers of a topic
    # ------------------------------------------------------------------------------

    def _read_news(self) -> None:
        """Read the new items of each topic that has some; give way after a while."""
        loop, until = asyncio.get_running_loop(), time.perf_counter() + _TURN_SECONDS
        self._is_called = False
        for topic in [*self._heard]:
            if topic not in self._reading:
                LoopGreenlet(self._read_for_all, loop).switch(topic)
            if time.perf_counter() > until:
                self._is_called = True
                loop.call_soon(self._read_news)
                return

    def _read_for_all(self, topic: str) -> None:
        """Read for all idle followers of a topic, until there is no more; the others read for themselves."""
        self._reading.add(topic)
        while (heard := self._heard.pop(topic, None)) is not None:
            self._read_once(topic, heard)
        self._reading.discard(topic)

    def _read_once(self, topic: str, heard: str) -> None:
        outcomes: dict[tuple[Hashable, str], Outcome] = {}
        until = time.perf_counter() + _TURN_SECONDS
        for follower in self._following.get(topic, ()):
            if not follower.is_idle:
                follower.wake(heard)
                continue
            after, shared = follower.cursor, follower.source.shared
            outcome = outcomes.get((shared, after))
            if outcome is None:
                outcome = outcomes[shared, after] = _outcome(follower.source, after, heard)
            follower.take(after, heard, outcome)
            by = current()
            if by is not None and time.perf_counter() > until:
                by.give_way()
                until = time.perf_counter() + _TURN_SECONDS


def _outcome(source: Source, after: str, heard: str) -> Outcome:
    try:
        return source.read(after, heard)
    except Exception as failure:  # noqa: BLE001 - the stream that follows handles it
        return failure


def _put(followers: _Followers, name: str, follower: Wakeable) -> bool:
    """Add a follower under a name; return whether it is the first one."""
    others = followers.get(name, ())
    followers[name] = (*others, follower)
    return not others


def _take(followers: _Followers, name: str, follower: Wakeable) -> bool:
    """Remove a follower under a name; return whether it was the last one."""
    others = tuple(other for other in followers.get(name, ()) if other is not follower)
    if others:
        followers[name] = others
        return False
    return followers.pop(name, None) is not None


def _wake(followers: _Followers, name: str) -> None:
    for follower in followers.get(name, ()):
        follower.wake(None)
