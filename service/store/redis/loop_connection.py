"""One connection for all requests on an event loop: what they ask in one turn of the loop is one write.

The server replies in order, so replies go to those who wait in order. A connection that is lost, or that leads to a
server which this process has left, fails everyone who waits on it; each asks again, as with a connection of its own.
"""

import asyncio
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, cast

import redis
from hiredis import Reader

from service.common.greenlets import LoopGreenlet, in_thread
from service.store.redis.cluster import Command
from service.store.redis.silence import WAIT_SECONDS, Answering, Lost, SilentServer

_MOST_BYTES = 1 << 18
_WOULD_BLOCK = (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
_MISSING = object()


class _Asked(NamedTuple):
    """Who waits for how many replies, those that are there, and since when by the monotonic clock."""

    by: LoopGreenlet
    number: int
    replies: list[Any]
    since: float


class _Parts(Protocol):
    """What redis-py's connection has, and its types do not name."""

    _sock: socket.socket


class Link:
    """An established connection, driven by the loop; ``check`` raises what makes a reply the end of it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: Answering, check: Callable[[Any], None]) -> None:
        self.loop, self._connection, self._check = loop, connection, check
        self._socket = cast("_Parts", connection)._sock  # noqa: SLF001 - the library has no other way to it
        self._socket.settimeout(0)
        self._reader = Reader(
            protocolError=redis.exceptions.InvalidResponse,
            replyError=connection._parser.parse_error,  # noqa: SLF001 - as above
            notEnoughData=_MISSING,
        )
        self._waiting: deque[_Asked] = deque()
        self._unsent: list[bytes] = []
        self._is_flushing = False
        self._timer: asyncio.TimerHandle | None = None
        self.is_open = True
        loop.add_reader(self._socket, self._read)

    def exchange(self, by: LoopGreenlet, commands: Sequence[Command]) -> list[Any]:
        """Send commands with all others of this turn of the loop; return the replies, errors of the server too."""
        address = self._connection.address
        if self._connection.era is not address.era:
            self.end(Lost("this process has left the server of this connection"))
        if not self.is_open:
            raise Lost("the connection has ended")
        self._unsent += self._connection.pack_commands(commands)  # type: ignore[no-untyped-call]
        self._waiting.append(_Asked(by, len(commands), [], time.monotonic()))
        if not self._is_flushing:
            self._is_flushing = True
            self.loop.call_soon(self._flush)
        if self._timer is None:
            self._timer = self.loop.call_later(WAIT_SECONDS, self._look_at_the_time)
        outcome = by.wait()
        if isinstance(outcome, BaseException):
            raise outcome
        return cast("list[Any]", outcome)

    def end(self, error: redis.RedisError) -> None:
        """Close the connection; everyone who waits on it gets the error."""
        if not self.is_open:
            return
        self.is_open = False
        self.loop.remove_reader(self._socket)
        self.loop.remove_writer(self._socket)
        if self._timer is not None:
            self._timer.cancel()
        self._connection.disconnect()  # type: ignore[no-untyped-call]
        while self._waiting:
            self.loop.call_soon(self._waiting.popleft().by.switch, type(error)(*error.args))

    def _flush(self) -> None:
        """Send what has been asked; the rest as soon as the socket takes it."""
        self._is_flushing = False
        if not self.is_open or not self._unsent:
            return
        data = b"".join(self._unsent)
        try:
            sent = self._socket.send(data)
        except _WOULD_BLOCK:
            sent = 0
        except OSError as error:
            self.end(redis.ConnectionError(f"the connection was lost: {error}"))
            return
        self._unsent = [data[sent:]] if sent < len(data) else []
        if self._unsent:
            self._is_flushing = True
            self.loop.add_writer(self._socket, self._flush)
        else:
            self.loop.remove_writer(self._socket)

    def _read(self) -> None:
        """Read what has arrived, and let those go on whose replies are there."""
        try:
            while self.is_open:
                received = self._socket.recv(_MOST_BYTES)
                if not received:
                    self.end(redis.ConnectionError("the server closed the connection"))
                    return
                self._reader.feed(received)
                if len(received) < _MOST_BYTES and not isinstance(self._socket, ssl.SSLSocket):
                    break
        except _WOULD_BLOCK:
            pass
        except OSError as error:
            self.end(redis.ConnectionError(f"the connection was lost: {error}"))
            return
        for asked in self._complete():
            asked.by.switch(asked.replies)

    def _complete(self) -> list[_Asked]:
        """Take the replies that are there whole; return those whose replies are complete."""
        complete = []
        try:
            while self._waiting and (reply := self._reader.gets()) is not _MISSING:
                self._check(reply)
                self._connection.address.note_reply()
                asked = self._waiting[0]
                asked.replies.append(reply)
                if len(asked.replies) == asked.number:
                    complete.append(self._waiting.popleft())
        except redis.RedisError as error:
            self._connection.address.leave(self._connection.era)
            self.end(error)
        return complete

    def _look_at_the_time(self) -> None:
        """End the connection if the oldest command has waited too long for its reply."""
        self._timer = None
        self._read()
        if not self._waiting or not self.is_open:
            return
        left = self._waiting[0].since + WAIT_SECONDS - time.monotonic()
        if left > 0:
            self._timer = self.loop.call_later(left, self._look_at_the_time)
            return
        self._connection.address.note_silence(self._connection.era)
        self.end(SilentServer("the server does not reply"))


class LoopConnection:
    """The connection of one event loop to one server, made when it is needed, and again when it is lost."""

    def __init__(self, make: Callable[[], Answering], check: Callable[[Any], None]) -> None:
        self._make, self._check = make, check
        self._link: Link | None = None
        self._connecting: asyncio.Future[Link] | None = None

    def exchange(self, by: LoopGreenlet, commands: Sequence[Command]) -> list[Any]:
        """Send commands in one trip; return the replies, errors of the server too; raise if the connection is lost."""
        link = self._link
        if link is None or not link.is_open or link.loop is not by.loop:
            link = self._connected(by)
        return link.exchange(by, commands)

    def _connected(self, by: LoopGreenlet) -> Link:
        """Connect, in a thread because that blocks; whoever comes later waits for the same connection."""
        if self._connecting is not None:
            return by.wait_for(self._connecting)
        self._connecting = by.loop.create_future()
        try:
            self._link = Link(by.loop, in_thread(self._new), self._check)
            self._connecting.set_result(self._link)
        except BaseException as error:
            self._connecting.set_exception(error)
            self._connecting.exception()  # so that it does not count as unnoticed if no other request waits
            raise
        finally:
            self._connecting = None
        return self._link

    def _new(self) -> Answering:
        connection = self._make()
        connection.connect()  # type: ignore[no-untyped-call]
        return connection
