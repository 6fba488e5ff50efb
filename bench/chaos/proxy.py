"""A line between a client and a server that can fail as networks do."""

import random
import select
import socket
import threading
from contextlib import suppress
from enum import Enum, auto
from urllib.parse import urlsplit


class Line(Enum):
    """What a line does with the data on it."""

    WHOLE = auto()
    REFUSING = auto()
    """It ends all connections, and every new one at once."""
    HANGING = auto()
    """It forwards nothing, and closes nothing; the data arrive once the line is whole again."""
    CUTTING = auto()
    """It forwards half of a reply, then closes the connection; one reply in four, at random."""


_CUT_ONE_IN = 4


class Proxy:
    """Forwards bytes both ways between clients of ``port`` and a server."""

    def __init__(self, upstream_url: str) -> None:
        self._upstream = urlsplit(upstream_url)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._moving = threading.Event()
        self._moving.set()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._line = Line.WHOLE
        self._rng = random.Random(0)
        self.port: int = self._listening.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        threading.Thread(target=self._accept, daemon=True).start()

    def become(self, line: Line) -> None:
        """Behave like this from now on."""
        self._line = line
        if line is Line.HANGING:
            self._moving.clear()
        else:
            self._moving.set()
        if line is Line.REFUSING:
            with self._lock:
                ended = list(self._open)
            for each in ended:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Accept no more connections, and close the open ones."""
        self._listening.close()
        self.become(Line.REFUSING)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            self._moving.wait()
            if self._line is Line.REFUSING:
                return
            address = (str(self._upstream.hostname), int(self._upstream.port or 0))
            with socket.create_connection(address) as server:
                both = {client, server}
                for each in both:
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with self._lock:
                    self._open |= both
                try:
                    self._forward(client, server)
                finally:
                    with self._lock:
                        self._open -= both

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        """Forward until either side ends the connection, or the line does."""
        while True:
            for ready in select.select([client, server], [], [])[0]:
                self._moving.wait()
                data = ready.recv(1 << 16)
                if not data or self._line is Line.REFUSING:
                    return
                if ready is client:
                    server.sendall(data)
                elif self._line is Line.CUTTING and self._rng.randrange(_CUT_ONE_IN) == 0:
                    client.sendall(data[: len(data) // 2])
                    return
                else:
                    client.sendall(data)
