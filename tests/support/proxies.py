"""A proxy before a real server: it hears every command, and can lose a reply after its command was carried out."""

import re
import select
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

import hiredis


@dataclass
class _Line:
    """One connection: the commands that the client has sent on it, and what becomes of the next bytes."""

    client: socket.socket
    is_silent: bool
    sent: set[str] = field(default_factory=set)
    reader: hiredis.Reader = field(default_factory=hiredis.Reader)
    loses_reply: bool = False

    def cut(self) -> None:
        """End the connection."""
        with suppress(OSError):
            self.client.shutdown(socket.SHUT_RDWR)


class Proxy:
    """Forwards bytes both ways, connection by connection; `url` is where clients connect."""

    def __init__(self, upstream_url: str) -> None:
        self._upstream = urlsplit(upstream_url)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._lines: list[_Line] = []
        self._is_deaf = False
        self._heard: Counter[str] = Counter()
        self._doomed: dict[str, set[int]] = {}
        self._meanwhile: Callable[[], object] = lambda: None
        self._rewritten: tuple[tuple[bytes, bytes], ...] = ()
        self.commands: list[str] = []
        self.lost = 0
        self.url = f"redis://127.0.0.1:{self._listening.getsockname()[1]}/0"
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_reply(self, command: str, *numbers: int, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Let these of the next commands of a name (1: the next one) be carried out, then cut instead of answering.

        `meanwhile` is called between the two, when the command has been carried out and the client does not know.
        """
        with self._lock:
            self._doomed[command] = {self._heard[command] + number for number in numbers}
            self._meanwhile = meanwhile

    def lead_to(self, upstream_url: str) -> None:
        """Forward new connections to another server; those that are open stay where they are."""
        self._upstream = urlsplit(upstream_url)

    def rewrite(self, *pairs: tuple[bytes, bytes]) -> None:
        """Replace bytes in the server's replies, each by as many; a reply that the network splits can slip through."""
        assert all(len(old) == len(new) for old, new in pairs)
        self._rewritten = pairs

    def fall_silent(self, command: str) -> None:
        """From now on forward nothing, and close nothing, on the connections that have sent a command."""
        with self._lock:
            for line in self._lines:
                line.is_silent |= command in line.sent

    @contextmanager
    def cut_off(self, command: str) -> Iterator[None]:
        """End the connections that have sent a command; while the block runs, take new ones but forward nothing."""
        with self._lock:
            self._is_deaf = True
            ended = [line for line in self._lines if command in line.sent]
        for line in ended:
            line.cut()
        yield
        with self._lock:
            self._is_deaf = False
            ended = [line for line in self._lines if line.is_silent]
        for line in ended:
            line.cut()

    @contextmanager
    def counted(self) -> Iterator[list[str]]:
        """Collect the commands that pass while the block runs."""
        found: list[str] = []
        begin = len(self.commands)
        yield found
        found += self.commands[begin:]

    def connections(self) -> int:
        """Count the connections that clients have made."""
        return len(self._lines)

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._forward, args=(client,), daemon=True).start()

    def _connect(self) -> socket.socket:
        if self._upstream.scheme == "unix":
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._upstream.path)
            return server
        return socket.create_connection((str(self._upstream.hostname), int(self._upstream.port or 0)))

    def _forward(self, client: socket.socket) -> None:
        with self._lock:
            line = _Line(client, is_silent=self._is_deaf)
            self._lines.append(line)
        with client, suppress(OSError), self._connect() as server:
            while True:
                for ready in select.select([client, server], [], [])[0]:
                    data = ready.recv(1 << 16)
                    if not data:
                        return
                    if line.is_silent:
                        continue
                    if ready is server and line.loses_reply:
                        self._meanwhile()
                        self.lost += 1
                        return
                    if ready is client:
                        self._hear(line, data)
                    else:
                        for old, new in self._rewritten:
                            data = data.replace(old, new)
                    (server if ready is client else client).sendall(data)

    def _hear(self, line: _Line, data: bytes) -> None:
        """Note the commands in what a client sends, and whether the reply to one of them is to be lost."""
        line.reader.feed(data)
        while command := line.reader.gets():
            name = command[0].decode().upper()
            with self._lock:
                line.sent.add(name)
                self.commands.append(name)
                self._heard[name] += 1
                line.loses_reply |= self._heard[name] in self._doomed.get(name, ())


_PIECE = 65536


BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nConnection: close\r\n\r\n"
    b'{"detail": "Busy \\u001b]0;now.", "code": "busy"}'
)
"""A passing refusal, whose words act on a terminal that shows them as they are."""


class CuttingProxy:
    """Passes connections on, one request each; `cuts` counts the streams that it has broken off.

    `refusals` are parts of requests: each is for one request with that part, which gets the response `BUSY`. `drops`
    are such parts, too: their requests get no response.
    """

    def __init__(self, url: str, *, after_bytes: int | None = None, holds_streams: bool = False) -> None:
        there = urlsplit(url)
        self._there = (there.hostname or "", there.port or 0)
        self._after = after_bytes
        self._holds = holds_streams
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.cuts = 0
        self.refusals: list[bytes] = []
        self.drops: list[bytes] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        """Carry one request and its response."""
        with client, socket.create_connection(self._there) as server, suppress(OSError):
            head = _request(client)
            if self.refusals and self.refusals[0] in head:
                del self.refusals[0]
                client.sendall(BUSY)
                return
            if self.drops and self.drops[0] in head:
                del self.drops[0]
                return
            server.sendall(
                head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1).replace(b"Connection: keep-alive\r\n", b"")
            )
            is_stream = b"x-ndjson" in head
            held, passed = b"", 0
            while piece := server.recv(_PIECE):
                if is_stream and self._holds:
                    held += piece
                    continue
                if is_stream and self._after is not None and passed + len(piece) > self._after:
                    client.sendall(piece[: self._after - passed])
                    self.cuts += 1
                    return
                client.sendall(piece)
                passed += len(piece)
            client.sendall(held)


def _request(client: socket.socket) -> bytes:
    """Read a request, whose head comes in one piece, and whose body can come later."""
    request = client.recv(_PIECE)
    head = request.partition(b"\r\n\r\n")[0]
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    while length and len(request) < len(head) + 4 + int(length[1]) and (piece := client.recv(_PIECE)):
        request += piece
    return request
