"""The ASGI app around the WSGI app: it reads the whole body of a request before a thread starts to handle it.

If a thread had to wait for a body, a few slow clients could hold all threads. Here only the event loop waits, for a
limited time and a limited number of bytes. If a body does not arrive whole, the environ says why under ``BODY_FAULT``,
and the app responds to it like any other fault.
"""

import asyncio
import io
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, Protocol

from service.api.request import BODY_FAULT, MOST_BYTES, BodyFault
from service.time_limit import TimeLimit

Environ = dict[str, Any]
WsgiApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
_Answer = tuple[Message, Message]

CONTINUATION = "plateau.continuation"
"""The key in the environ under which the app leaves a ``Continuation``; without the key, no server goes on."""


class Continuation(Protocol):
    """What happens after the app has responded, on the event loop, without a thread."""

    @property
    def continues(self) -> bool:
        """Return whether the response of the app is the beginning of a longer one; if not, it is not sent."""
        ...

    async def run(self, receive: Receive, send: Send) -> bool:
        """Go on with the response, or wait; return whether the app must handle the request again."""
        ...

    def close(self) -> None:
        """Come to an end soon, because the process ends."""
        ...


_Waiting = SimpleQueue[tuple[Environ, "asyncio.Future[_Answer]"]]

_MOST_PIECES = 4096
"""The maximum number of pieces of a body: each costs a turn of the event loop."""

_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS"})
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
}


class AsgiApp:
    """Serve a WSGI app from a number of threads; a body must arrive within ``body_seconds``.

    Requests for a path in ``apart`` have a thread of their own.
    """

    def __init__(self, app: WsgiApp, threads: int, body_seconds: float, apart: frozenset[str] = frozenset()) -> None:
        self._app = app
        self._in_time = TimeLimit(body_seconds)
        self._apart = apart
        # A ThreadPoolExecutor does the same, for a tenth more processor time a request.
        self._continuations: set[Continuation] = set()
        self._is_closing = False
        self._waiting: _Waiting = SimpleQueue()
        self._waiting_apart: _Waiting = SimpleQueue()
        for waiting in [self._waiting] * threads + [self._waiting_apart]:
            threading.Thread(target=self._work, args=(waiting,), name="request", daemon=True).start()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return
        environ = _environ(scope)
        body, environ[BODY_FAULT] = await self._body(environ, receive)
        waiting = self._waiting_apart if scope["path"] in self._apart else self._waiting
        while True:
            answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
            environ["wsgi.input"] = io.BytesIO(body)  # from the beginning, also when a request is handled again
            waiting.put((environ, answer))
            start, content = await answer
            continuation: Continuation | None = environ[CONTINUATION]
            environ[CONTINUATION] = None
            if continuation is None:
                await send(start)
                await send(content)
                return
            if continuation.continues:
                await send(start)
                await send({**content, "more_body": True})
            if not await self._continued(continuation, receive, send):
                return

    async def _continued(self, continuation: Continuation, receive: Receive, send: Send) -> bool:
        """Run a continuation, and end it soon if the process ends."""
        self._continuations.add(continuation)
        if self._is_closing:
            continuation.close()
        try:
            return await continuation.run(receive, send)
        finally:
            self._continuations.discard(continuation)

    def close(self) -> None:
        """Let all streams and waiting requests end, because the process does."""
        self._is_closing = True
        for continuation in [*self._continuations]:
            continuation.close()

    async def _body(self, environ: Environ, receive: Receive) -> tuple[bytes, BodyFault | None]:
        """Read the body, or find out why it cannot be read; one that is announced as too large is not read at all."""
        announced = int(environ.get("CONTENT_LENGTH", "0"))
        expected = announced or "HTTP_TRANSFER_ENCODING" in environ
        if not expected or announced > MOST_BYTES or environ["REQUEST_METHOD"] in _WITHOUT_BODY:
            return b"", None
        try:
            with self._in_time():
                return await _read(receive, announced)
        except TimeoutError:
            return b"", "too-slow"

    def _work(self, waiting: _Waiting) -> None:
        """Handle requests one after the other, for the lifetime of the process."""
        while True:
            environ, answer = waiting.get()
            try:
                settle: Callable[[], None] = partial(_settle, answer, self._answer(environ))
            except Exception as failure:  # noqa: BLE001 - the server logs it and answers 500
                settle = partial(_fail, answer, failure)
            with suppress(RuntimeError):  # the loop has ended, and with it the connection
                answer.get_loop().call_soon_threadsafe(settle)

    def _answer(self, environ: Environ) -> _Answer:
        """Run the app, and return its response as two ASGI messages."""
        start: Message = {"type": "http.response.start"}

        def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> None:
            start["status"] = int(status[:3])
            start["headers"] = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]

        chunks = self._app(environ, start_response)
        try:
            content = b"".join(chunks)
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
        return start, {"type": "http.response.body", "body": content}


def _settle(answer: asyncio.Future[_Answer], messages: _Answer) -> None:
    if not answer.done():  # it is done if the request was cancelled meanwhile
        answer.set_result(messages)


def _fail(answer: asyncio.Future[_Answer], failure: Exception) -> None:
    if not answer.done():
        answer.set_exception(failure)


async def _read(receive: Receive, announced: int) -> tuple[bytes, BodyFault | None]:
    """Read a body of an announced length, or (0) in chunks to the end; stop once it is known to be too large."""
    body = bytearray()
    for _ in range(_MOST_PIECES):
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"", "cut-short"
        body += message.get("body", b"")
        if not message.get("more_body", False) or (announced and len(body) == announced) or len(body) > MOST_BYTES:
            return bytes(body), None
    return b"", "in-crumbs"


def _environ(scope: Message) -> Environ:
    server, client = scope.get("server") or ("", 0), scope.get("client") or ("", 0)
    environ = _SAME_FOR_ALL | {
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": _as_latin(scope["path"]),
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


def _as_latin(text: str) -> str:
    """Return text in WSGI's encoding: each byte of its UTF-8 is one character."""
    return text if text.isascii() else text.encode().decode("latin-1")


def _variable(header: bytes) -> str:
    """Return a header's name in the environ."""
    name = header.decode("latin-1").upper().replace("-", "_")
    return name if name in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{name}"


_VARIABLES = {
    header: _variable(header)
    for header in (
        b"host", b"authorization", b"content-type", b"content-length", b"accept", b"accept-encoding", b"user-agent",
        b"connection", b"idempotency-key", b"if-match", b"if-none-match",
    )
}  # fmt: skip
