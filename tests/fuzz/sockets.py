"""Malformed HTTP by raw sockets: requests made by a grammar and broken, against a service that runs.

Whatever comes, the service answers it with a status below 500 (or that it does not know the method or version), or
closes the connection, and still answers everyone else. A body that is torn gets no success.
"""

import random
import re
import socket
import struct
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException

from tests.fuzz.malformed import conversation, torn
from tests.fuzz.report import Report

AT_ONCE, IN_A_ROUND = 8, 40
READ_SECONDS, HEALTHY_SECONDS = 0.4, 10.0
NOT_SUPPORTED = {501, 505}
"""Statuses above 499 that are about the request: an unknown method, an unknown version."""


class Sockets:
    """What is sent to a service at an address, as a player who sits in a game."""

    def __init__(self, report: Report, seed: int, host: str, port: int, token: str, game: str) -> None:
        self._report = report
        self._rng = random.Random(f"sockets {seed}")
        self._address = (host, port)
        self._token, self._game = token, game

    def run(self) -> None:
        """Continue until the report has enough."""
        with ThreadPoolExecutor(AT_ONCE) as executor:
            while self._report.is_running:
                sent = [conversation(self._rng, self._token, self._game) for _ in range(IN_A_ROUND)]
                ways = [random.Random(self._rng.random()) for _ in sent]
                for what, answers in zip(sent, executor.map(self._talk, sent, ways), strict=True):
                    self._judge(what, answers)
                bodies = torn(self._token)
                for what, answers in zip(bodies, executor.map(self._tear, bodies), strict=True):
                    self._judge(what, answers)
                    self._judge_torn(what, answers)
                self._check_health(sent)

    def _talk(self, sent: bytes, rng: random.Random) -> bytes:
        """Send bytes over a connection, in one of some ways, and read until there is nothing more."""
        received = b""
        with suppress(OSError), socket.create_connection(self._address, timeout=READ_SECONDS) as connection:
            with suppress(OSError):
                self._send(connection, sent, rng)
            while part := connection.recv(1 << 16):
                received += part
        return received

    def _tear(self, sent: bytes) -> bytes:
        """Send a request without its end, and read until nothing more comes.

        The sending is not ended: after that the service would answer not even a request that it takes for whole.
        """
        received = b""
        with suppress(OSError), socket.create_connection(self._address, timeout=READ_SECONDS) as connection:
            connection.sendall(sent)
            while part := connection.recv(1 << 16):
                received += part
        return received

    def _send(self, connection: socket.socket, sent: bytes, rng: random.Random) -> None:
        way = rng.choice(["whole", "whole", "pieces", "half-closed", "reset"])
        if way == "pieces":
            cuts = sorted(rng.randrange(len(sent) + 1) for _ in range(4))
            for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True):
                connection.sendall(sent[start:end])
                time.sleep(0.005)
            return
        connection.sendall(sent)
        if way == "half-closed":
            connection.shutdown(socket.SHUT_WR)
        if way == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

    def _judge(self, sent: bytes, received: bytes) -> None:
        statuses = _statuses(received)
        self._report.count("conversations")
        self._report.count("answers", len(statuses))
        self._report.count("refusals", sum(400 <= status < 500 for status in statuses))
        for status in statuses:
            if status >= 500 and status not in NOT_SUPPORTED:
                self._report.found(f"status {status}", f"    sent {sent[:3000]!r}\n    received {received[:1000]!r}")

    def _judge_torn(self, sent: bytes, received: bytes) -> None:
        self._report.count("torn bodies")
        for status in _statuses(received):
            if 200 <= status < 300:
                self._report.found("a torn body is taken for whole", f"    sent {sent!r}\n    received {received!r}")

    def _check_health(self, sent: Sequence[bytes]) -> None:
        """Check the health of the service over a separate connection."""
        began = time.monotonic()
        connection = HTTPConnection(*self._address, timeout=HEALTHY_SECONDS)
        try:
            connection.request("GET", "/healthz")
            status: object = connection.getresponse().status
        except (OSError, HTTPException) as error:
            status = repr(error)
        finally:
            connection.close()
        self._report.count("signs of life")
        if status != 200:
            took = time.monotonic() - began
            last = "\n".join(f"    {each[:300]!r}" for each in sent)
            self._report.found("no sign of life", f"    after {took:.1f} s: {status}; the last conversations:\n{last}")


def _statuses(received: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3})", received)]
