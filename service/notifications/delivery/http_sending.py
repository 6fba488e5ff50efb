"""Sending messages to a receiver: POST requests on a connection to a checked address, limited in time and size.

Redirects are not followed, proxies are not used, and responses are not decoded. A connection lives as long as its
sender, which is one turn of a courier, so the address is looked up and checked for each turn.
"""

import logging
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from types import TracebackType
from typing import Literal, Self

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, NewConnectionError
from urllib3.util import Url
from urllib3.util.ssl_match_hostname import CertificateError

from service.notifications.delivery.outside_addresses import NoAddress, Rules

logging.getLogger("urllib3").setLevel(logging.ERROR)  # its warnings quote what receivers send, and their addresses

Problem = Literal["no-address", "not-reached", "tls", "too-slow", "broken-off"]
"""Why there was no response: no public address has the name; nothing listens there; the certificate is not valid; it
took too long; the receiver closed the connection, or sent something else than HTTP."""

CONNECT_SECONDS, ATTEMPT_SECONDS = 3.0, 10.0

MOST_BYTES = 256
"""So much of a response is read; a longer one ends the connection."""

_FAILURES = (OSError, HTTPError, HTTPException, CertificateError, ValueError)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an attempt: a status and the first bytes of the response, or a problem."""

    status: int | None
    problem: Problem | None = None
    said: bytes = b""

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


_TICK_SECONDS = 0.1


class Watch:
    def __init__(self) -> None:
        self._ends: dict[socket.socket, float] = {}
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None

    def begin(self, connection: socket.socket, end: float) -> None:
        """Shut a connection down at a point in time of the monotonic clock."""
        with self._change:
            self._ends[connection] = end
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="webhook watch", daemon=True)
                self._thread.start()
            self._change.notify()

    def end(self, connection: socket.socket) -> None:
        with self._change:
            self._ends.pop(connection, None)

    def _watch(self) -> None:
        while True:
            with self._change:
                while not self._ends:
                    self._change.wait()
                now = time.monotonic()
                for connection in [each for each, end in self._ends.items() if end <= now]:
                    del self._ends[connection]
                    with suppress(OSError):  # the other side was faster
                        connection.shutdown(socket.SHUT_RDWR)
            time.sleep(_TICK_SECONDS)


_watch = Watch()


class _Pinned(HTTPConnection):
    addresses: Sequence[str]
    end: float
    handle: socket.socket | None = None

    def _new_conn(self) -> socket.socket:
        fault: OSError | None = None
        for address in self.addresses:
            try:
                connection = socket.create_connection((address, self.port), min(CONNECT_SECONDS, self.left()))
            except OSError as error:
                fault = error
            else:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.handle = connection.dup()  # TLS takes the socket itself
                _watch.begin(self.handle, self.end)
                return connection
        raise NewConnectionError(self, "no connection to any of the addresses") from fault

    def left(self) -> float:
        """Return how many seconds of the attempt are left; raise ``TimeoutError`` if there are none."""
        seconds = self.end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def close(self) -> None:
        super().close()
        if self.handle is not None:
            _watch.end(self.handle)
            self.handle.close()
            self.handle = None


class _PinnedWithTls(_Pinned, HTTPSConnection):
    """The same with TLS, which verifies the name."""


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class Sender:
    """Sends messages to one receiver, on one connection if the receiver keeps it open."""

    def __init__(self, url: Url, rules: Rules, seconds: float = ATTEMPT_SECONDS) -> None:
        self._host, self._target, self._rules, self._seconds = url.host or "", url.request_uri, rules, seconds
        self._has_tls = url.scheme == "https"
        self._port = url.port or (443 if self._has_tls else 80)
        self._connection: _Pinned | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._close()

    def send(self, headers: Mapping[str, str], body: bytes) -> Outcome:
        end = time.monotonic() + self._seconds
        try:
            if self._connection is not None:
                with suppress(HTTPException, ConnectionError):  # the receiver has closed it in the meantime
                    return self._exchange(self._connection, end, headers, body)
            return self._exchange(self._connected(end), end, headers, body)
        except NoAddress:
            return Outcome(None, "no-address")
        except _FAILURES as error:
            self._close()
            return Outcome(None, "too-slow" if time.monotonic() >= end else _problem(error))

    def _connected(self, end: float) -> _Pinned:
        self._close()
        host = self._host.removeprefix("[").removesuffix("]")
        addresses = self._rules.resolve(host, self._port)
        if self._has_tls:
            self._connection = _PinnedWithTls(host, self._port, ssl_context=_tls())
        else:
            self._connection = _Pinned(host, self._port)
        self._connection.addresses, self._connection.end = addresses, end
        self._connection.timeout = CONNECT_SECONDS
        self._connection.connect()
        return self._connection

    def _exchange(self, connection: _Pinned, end: float, headers: Mapping[str, str], body: bytes) -> Outcome:
        connection.end = end
        connection.timeout = connection.left()
        if connection.handle is not None:
            _watch.begin(connection.handle, end)
        connection.request("POST", self._target, body, headers, preload_content=False, decode_content=False)
        response = connection.getresponse()
        said = b""
        with suppress(*_FAILURES):  # the status decides
            said = response.read(MOST_BYTES + 1, decode_content=False)
        if len(said) > MOST_BYTES or not response.closed or connection.sock is None:
            self._close()
        elif connection.handle is not None:
            _watch.end(connection.handle)
        return Outcome(response.status, None, said[:MOST_BYTES])

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _problem(error: Exception) -> Problem:
    if isinstance(error, ssl.SSLError | CertificateError):
        return "tls"
    if isinstance(error, NewConnectionError):
        return "too-slow" if isinstance(error.__cause__, TimeoutError) else "not-reached"
    return "too-slow" if isinstance(error, TimeoutError) else "broken-off"
