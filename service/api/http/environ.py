"""The environ of WSGI, made from an ASGI scope."""

import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

Environ = dict[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

CONTINUATION = "plateau.continuation"
"""The key under which the app leaves a ``Continuation``; a server without the key does not support them."""

IS_LONG = "plateau.is-long"
"""The key for whether a request is handled in the line of long requests; without the key, there is no such line."""

IN_THREAD = "plateau.in-thread"
"""The key for the function that calls another one in a thread, so that the event loop does not wait for it."""

_SAME_FOR_ALL: Environ = {
    "SCRIPT_NAME": "",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
    CONTINUATION: None,
    IS_LONG: False,
}


class Continuation(Protocol):
    """Work after the app has responded, on the event loop, without a thread."""

    @property
    def continues(self) -> bool:
        """Return whether the response of the app is the beginning of a longer one; if not, it is not sent."""
        ...

    async def run(self, receive: Receive, send: Send) -> bool:
        """Continue with the response, or wait; return whether the app must handle the request again."""
        ...

    def close(self) -> None:
        """End soon, because the process ends."""
        ...


class Again:
    """A continuation that only lets the request be handled again, in the line that the environ names."""

    continues = False

    async def run(self, _receive: object, _send: object) -> bool:
        return True

    def close(self) -> None:
        """Do nothing: this takes no time."""


def environ_of(scope: Message) -> Environ:
    server, client = scope.get("server") or ("", 0), scope.get("client") or ("", 0)
    environ = _SAME_FOR_ALL | {
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": _path(scope["raw_path"]),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "REMOTE_ADDR": client[0],
        "wsgi.url_scheme": scope["scheme"],
    }
    for header, raw in scope["headers"]:
        if b"_" in header:
            continue  # it would be mistaken for the header with a hyphen
        name, value = _VARIABLES.get(header) or _variable(header), raw.decode("latin-1")
        environ[name] = f"{environ[name]},{value}" if name in environ else value
    return environ


def _path(raw: bytes) -> str:
    """Return a path as it was sent. It has one spelling, so a rule of a proxy for it needs only that one.

    Our paths have no escapes, so escapes are not decoded; and Werkzeug would read two slashes at the beginning as one.
    """
    path = raw.decode("latin-1")
    return f"/%2F{path[2:]}" if path.startswith("//") else path


def _variable(header: bytes) -> str:
    name = header.decode("latin-1").upper().replace("-", "_")
    return name if name in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{name}"


_VARIABLES = {
    header: _variable(header)
    for header in (
        b"host", b"authorization", b"content-type", b"content-length", b"accept", b"accept-encoding", b"user-agent",
        b"connection", b"idempotency-key", b"if-match", b"if-none-match",
    )
}  # fmt: skip
