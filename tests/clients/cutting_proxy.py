"""A proxy before a service: it cuts streams after some bytes, or holds them back until they end."""

import socket
import threading
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit

_PIECE = 65536


class CuttingProxy:
    """Passes connections on, one request each; `cuts` counts the streams that it has broken off."""

    def __init__(self, url: str, *, after_bytes: int | None = None, holds_streams: bool = False) -> None:
        there = urlsplit(url)
        self._there = (there.hostname or "", there.port or 0)
        self._after = after_bytes
        self._holds = holds_streams
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.cuts = 0

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
        """Carry one request, whose head comes in one piece, and its response."""
        with client, socket.create_connection(self._there) as server, suppress(OSError):
            head = client.recv(_PIECE)
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
