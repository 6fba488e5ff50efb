"""Connections that wait only once for a server that has stopped replying.

A frozen server still accepts connections. If each command waited for it until the time-out, every request would hold
its thread for that long, and a request of several commands for several times that long. So the first command without a
reply marks the address as silent. All connections to it then count as lost, and commands fail at once. Every half
second, one new connection tries whether the server replies again.
"""

import threading
import time
from functools import cache
from typing import TYPE_CHECKING, Any

import redis

WAIT_SECONDS = 5
"""How long a command waits for its reply, and a connection for its server."""
_TRIAL_SECONDS = 0.5
"""How long after a failed trial the next one begins."""


class SilentServer(redis.TimeoutError):
    """The server does not reply. Nothing is sent to it until a trial succeeds."""


class Lost(redis.ConnectionError):
    """The connection leads to a server that this process has left."""


class Address:
    """The state of the server at an address, as this process knows it.

    ``era`` changes whenever the process leaves the server: after a fail-over, or when it stops replying. Connections of
    an earlier era are lost.
    """

    def __init__(self) -> None:
        self.era = object()
        self._turn = threading.Lock()
        self._trial_at: float | None = None
        """The time of the next trial of a silent server, by the monotonic clock; None while it replies."""

    def leave(self, era: object = None) -> None:
        """Give up all connections; those of an era before the given one have been given up already."""
        with self._turn:
            if era in (None, self.era):
                self.era = object()

    def check(self) -> None:
        """Allow a new connection; raise ``SilentServer`` unless the server replies or its next trial is due."""
        with self._turn:
            if self._trial_at is None:
                return
            now = time.monotonic()
            if now < self._trial_at:
                raise SilentServer("the server does not reply")
            self._trial_at = now + WAIT_SECONDS + _TRIAL_SECONDS  # so that others do not try it beside this one

    def note_silence(self, era: object) -> None:
        """Record that a connection of an era got no reply."""
        with self._turn:
            if era is self.era:
                self.era = object()
                self._trial_at = time.monotonic() + _TRIAL_SECONDS

    def note_reply(self) -> None:
        """Record that the server replies, or rejects connections at once: then no command waits for it."""
        if self._trial_at is not None:
            with self._turn:
                self._trial_at = None


@cache
def address_of(_name: str) -> Address:
    """Return the address with a name: a URL, or host and port."""
    return Address()


if TYPE_CHECKING:
    _Connection = redis.Connection
else:
    _Connection = object


class Answering(_Connection):
    """A connection that fails at once while its server is silent; without an ``address``, it is that of its host."""

    era: object = None
    """The era of the address in which this connection was made."""

    @property
    def address(self) -> Address:
        """Return the address that this connection leads to."""
        return address_of(f"{self.host}:{self.port}")

    def connect_check_health(self, check_health: bool = True, retry_socket_connect: bool = True) -> None:  # noqa: ARG002
        """Do not retry: the caller does, and the library's retries would multiply."""
        super().connect_check_health(check_health, retry_socket_connect=False)

    def _connect(self) -> Any:
        address = self.address
        address.check()
        self.era = address.era
        try:
            return super()._connect()  # type: ignore[no-untyped-call]
        except TimeoutError as error:
            address.note_silence(self.era)
            raise SilentServer("the server accepts no connection in time") from error
        except BaseException:
            address.note_reply()
            raise

    def send_packed_command(self, command: Any, check_health: Any = True) -> None:
        """Send a command; raise ``Lost`` if this connection is of an earlier era: what it watched is forgotten."""
        if self.is_connected and self.era is not self.address.era:
            self.disconnect()  # type: ignore[no-untyped-call]
            raise Lost("this process has left the server of this connection")
        super().send_packed_command(command, check_health)  # type: ignore[no-untyped-call]

    def read_response(self, *args: Any, **options: Any) -> Any:
        """Read a reply; raise ``SilentServer`` if none comes in time, unless the caller has a time-out of its own."""
        try:
            reply = super().read_response(*args, **options)
        except redis.TimeoutError as error:
            if "timeout" in options:
                raise
            self.address.note_silence(self.era)
            raise SilentServer(str(error)) from error
        except redis.ResponseError:
            self.address.note_reply()
            raise
        self.address.note_reply()
        return reply
