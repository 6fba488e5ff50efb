"""A watch over connections: it shuts down each whose time is up, however slowly the other side sends.

The time limit of a socket holds for each piece that arrives, so a receiver that sends a byte a second would never
reach it.
"""

import socket
import threading
import time
from contextlib import suppress

_TICK_SECONDS = 0.1


class Watch:
    """Watches the connections of a process, in one thread."""

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
