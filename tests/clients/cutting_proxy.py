"""A proxy before a service: it cuts streams after some bytes, holds them back until they end, or rejects requests."""

import re
import socket
import threading
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit

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
