"""Ports for the servers of the tests, which nobody else gets while they are down."""

import os
import socket
import sys
from collections import deque

_MOST_HELD = 256
_held: deque[int] = deque()
"""Descriptors of the sockets that hold the latest ports: at the end, an object would warn that it is not closed."""


def free_port() -> int:
    """Return a TCP port that nothing listens on.

    On Linux, this process holds its latest ports, without listening: the kernel gives them to nobody who asks for any
    port, and a server that names one gets it, again and again. Otherwise somebody could take the port of a server that
    was killed, before it is back.
    """
    holder = socket.socket()
    if sys.platform == "linux":
        for shared in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            holder.setsockopt(socket.SOL_SOCKET, shared, 1)
    holder.bind(("127.0.0.1", 0))
    port: int = holder.getsockname()[1]
    if sys.platform != "linux":
        holder.close()
        return port
    _held.append(holder.detach())
    if len(_held) > _MOST_HELD:
        os.close(_held.popleft())
    return port
