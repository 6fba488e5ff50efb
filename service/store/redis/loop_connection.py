"""One connection for all requests on an event loop: all commands of one turn of the loop are one write.

The server replies in order, so replies are assigned to requests in order. A lost connection fails all waiting requests;
each asks again, as on a connection of its own. A connection to a server that this process has left accepts no more
commands, and ends with its last reply.
"""

import asyncio
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, cast

import redis
from hiredis import Reader, pack_command

from service.common.greenlets import LoopGreenlet, in_thread
from service.store.redis.cluster import Command
from service.store.redis.silence import WAIT_SECONDS, Answering, Lost, SilentServer

_MOST_BYTES = 1 << 18
_WOULD_BLOCK = (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
_MISSING = object()


class _Asked(NamedTuple):
    """A request that waits for so many replies, those that have arrived, and since when, by the monotonic clock."""

    by: LoopGreenlet
    number: int
    replies: list[Any]
    since: float


Judge = Callable[[Any], redis.RedisError | None]
"""Returns the error that a reply means if this is the wrong server; None for any other reply."""


class _Parts(Protocol):
    """The attributes of redis-py's connection that its types do not declare."""

    _sock: socket.socket


class Link:
    """An established connection, driven by the loop; ``judge`` returns the error that a reply means to this process."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: Answering, judge: Judge) -> None:
        self.loop, self._connection, self._judge = loop, connection, judge
        self._socket = cast("_Parts", connection)._sock  # noqa: SLF001 - the library has no other way to it
        self._socket.settimeout(0)
        self._reader = Reader(
            protocolError=redis.exceptions.InvalidResponse,
            replyError=connection._parser.parse_error,  # noqa: SLF001 - as above
            notEnoughData=_MISSING,
        )
        self._patience = float(connection.socket_timeout or WAIT_SECONDS)
        self._waiting: deque[_Asked] = deque()
        self._unsent: list[bytes] = []
        self._is_flushing = False
        self._timer: asyncio.TimerHandle | None = None
        self._is_open = True
        loop.add_reader(self._socket, self._read)

    def exchange(self, by: LoopGreenlet, commands: Sequence[Command]) -> list[Any]:
        """Send commands with all others of this turn of the loop; return the replies, including errors."""
        if not self._is_open:  # it was lost while this request waited for it to be made
            raise Lost("the connection has ended")
        self._unsent += map(_packed, commands)
        self._waiting.append(_Asked(by, len(commands), [], time.monotonic()))
        if not self._is_flushing:
            self._is_flushing = True
            self.loop.call_soon(self._flush)
        if self._timer is None:
            self._timer = self.loop.call_later(self._patience, self._look_at_the_time)
        outcome = by.wait()
        if isinstance(outcome, BaseException):
            raise outcome
        return cast("list[Any]", outcome)

    def takes_commands(self) -> bool:
        """Return whether the connection is open, and leads to the server that this process uses."""
        return self._is_open and self._connection.era is self._connection.address.era

    def retire(self) -> None:
        """Accept no more commands, and end with the last reply."""
        if not self._waiting:
            self._end(Lost("this process has left the server of this connection"))

    def _end(self, error: redis.RedisError) -> None:
        """Close the connection; all waiting requests get the error."""
        if not self._is_open:
            return
        self._is_open = False
        self.loop.remove_reader(self._socket)
        self.loop.remove_writer(self._socket)
        if self._timer is not None:
            self._timer.cancel()
        self._connection.disconnect()  # type: ignore[no-untyped-call]
        while self._waiting:
            self.loop.call_soon(self._waiting.popleft().by.switch, type(error)(*error.args))

    def _flush(self) -> None:
        """Send the waiting commands; the rest as soon as the socket accepts it."""
        self._is_flushing = False
        if not self._is_open or not self._unsent:
            return
        data = b"".join(self._unsent)
        try:
            sent = self._socket.send(data)
        except _WOULD_BLOCK:
            sent = 0
        except OSError as error:
            self._end(redis.ConnectionError(f"the connection was lost: {error}"))
            return
        self._unsent = [data[sent:]] if sent < len(data) else []
        if self._unsent:
            self._is_flushing = True
            self.loop.add_writer(self._socket, self._flush)
        else:
            self.loop.remove_writer(self._socket)

    def _read(self) -> None:
        """Read what has arrived, and resume the requests whose replies are complete."""
        try:
            while self._is_open:
                received = self._socket.recv(_MOST_BYTES)
                if not received:
                    self._end(redis.ConnectionError("the server closed the connection"))
                    return
                self._reader.feed(received)
                if len(received) < _MOST_BYTES and not isinstance(self._socket, ssl.SSLSocket):
                    break
        except _WOULD_BLOCK:
            pass
        except OSError as error:
            self._end(redis.ConnectionError(f"the connection was lost: {error}"))
            return
        try:
            complete = self._complete()
        except redis.RedisError as error:  # what the server sent is no reply
            self._end(error)
            return
        for asked in complete:
            asked.by.switch(asked.replies)

    def _complete(self) -> list[_Asked]:
        """Take the complete replies; return the requests that have all of theirs."""
        complete = []
        while self._waiting and (reply := self._reader.gets()) is not _MISSING:
            asked = self._waiting[0]
            asked.replies.append(self._judged(reply))
            if len(asked.replies) == asked.number:
                complete.append(self._waiting.popleft())
        if not self.takes_commands():
            self.retire()
        return complete

    def _judged(self, reply: Any) -> Any:
        """Return a reply, or the error that it means; leave a server that is the wrong one."""
        address, error = self._connection.address, self._judge(reply)
        address.note_reply()
        if error is None:
            return reply
        address.leave(self._connection.era)
        return error

    def _look_at_the_time(self) -> None:
        """End the connection if the oldest command has waited too long for its reply."""
        self._timer = None
        self._read()
        if not self._waiting or not self._is_open:
            return
        left = self._waiting[0].since + self._patience - time.monotonic()
        if left > 0:
            self._timer = self.loop.call_later(left, self._look_at_the_time)
            return
        self._connection.address.note_silence(self._connection.era)
        self._end(SilentServer("the server does not reply"))


def _packed(command: Command) -> bytes:
    """Write a command in the server's protocol; a name of two words is two parts."""
    name, *arguments = command
    return cast("bytes", pack_command((*name.split(), *arguments)))


class LoopConnection:
    """The connection of one event loop to one server, made when it is first needed, and again when it is lost."""

    def __init__(self, make: Callable[[], Answering], judge: Judge) -> None:
        self._make, self._judge = make, judge
        self._link: Link | None = None
        self._connecting: asyncio.Future[Link] | None = None

    def exchange(self, by: LoopGreenlet, commands: Sequence[Command]) -> list[Any]:
        """Send commands in one round trip; return the replies, including errors; raise if the connection is lost."""
        link = self._link
        if link is None or link.loop is not by.loop:
            link = self._connected(by)
        elif not link.takes_commands():
            link.retire()
            link = self._connected(by)
        return link.exchange(by, commands)

    def _connected(self, by: LoopGreenlet) -> Link:
        """Connect, in a thread because that blocks; later requests wait for the same connection."""
        if self._connecting is not None:
            return by.wait_for(self._connecting)
        self._connecting = by.loop.create_future()
        try:
            self._link = Link(by.loop, in_thread(self._new), self._judge)
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
