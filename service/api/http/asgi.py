"""The ASGI app around the WSGI app: it reads the whole body of a request, and then handles it on the event loop.

Each request has a greenlet; while it waits for Redis, the loop handles others (``service.common.greenlets``). Long
computations run in threads: operations that are not quick, and long requests.

A body must arrive within a limited time and number of bytes. Otherwise the environ has the reason under ``BODY_FAULT``,
and the app responds as to any other fault.

The number of admitted requests is limited; ``FairLine`` decides whose turn it is. A body that is still arriving takes
no place, otherwise slow clients could take all of them. A request that turns out to be long moves to another line, in
which few are handled at once, because each thread that works on a long log slows all others.
"""

import asyncio
import io
import threading
import time
from collections.abc import Callable, Iterable, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple

from service.api.http.environ import (
    CONTINUATION,
    IN_THREAD,
    IS_LONG,
    Continuation,
    Environ,
    Message,
    Receive,
    Send,
    environ_of,
)
from service.api.http.overload import HELD_SECONDS, Admission, Client, FairLine, Refusing
from service.api.http.request import BODY_FAULT, MOST_BYTES, BodyFault
from service.common import greenlets, observability
from service.common.greenlets import LoopGreenlet
from service.common.observability import METRICS
from service.common.time_limit import TimeLimit

WsgiApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
_Answer = tuple[Message, Message]


class _Request(NamedTuple):
    """A request, and the receiver of its response; ``client`` has a place in the line, unless it is ``apart``."""

    environ: Environ
    answer: "asyncio.Future[_Answer]"
    client: Client | None
    is_long: bool
    since: float


class _Computation(NamedTuple):
    """A computation of a request in a thread while its greenlet waits on the loop."""

    function: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[Any]"


_Waiting = SimpleQueue[_Request]

AT_ONCE = 64
"""The number of requests that the loop handles at once: a token has a quarter of them, an address half."""

LONG_THREADS, MOST_LONG = 2, 64
"""The number of long requests that are handled at once, and that are admitted. One address has half of both."""
_MOST_REST = 0.5
"""The maximum rest of a thread after a long request, in seconds. It rests as long as the request took."""

_MOST_PIECES = 1024
"""The maximum number of pieces of a body: each costs a turn of the event loop."""

_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS"})


class AsgiApp:
    """Serve a WSGI app on the event loop and a number of threads; a body must arrive within ``body_seconds``.

    Requests for the paths of each set in ``apart`` have a separate thread, and are never rejected.
    """

    def __init__(
        self,
        app: WsgiApp,
        threads: int,
        body_seconds: float,
        apart: Sequence[Set[str]] = (),
        admission: Admission = Admission(),  # noqa: B008 - it is frozen
    ) -> None:
        self._app = app
        self._in_time = TimeLimit(body_seconds)
        self._admission, self._refusing = admission, Refusing(admission)
        self._continuations: set[Continuation] = set()
        self._is_closing = False
        self.line = FairLine[_Request](AT_ONCE, admission.most, self._start)
        self._of_threads = FairLine[_Computation](threads, admission.most, self._compute)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="request")
        long: _Waiting = SimpleQueue()
        self.long_line = FairLine[_Request](LONG_THREADS, MOST_LONG, long.put)
        queues: list[_Waiting] = [SimpleQueue() for _ in apart]
        self._apart = {path: queue for paths, queue in zip(apart, queues, strict=True) for path in paths}
        for waiting in [long] * LONG_THREADS + queues:
            threading.Thread(target=self._work, args=(waiting,), name="request", daemon=True).start()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return
        environ = environ_of(scope)
        client = None if environ["PATH_INFO"] in self._apart else self._admission.client(environ)
        if not self._has_room(environ, client):
            await self._refuse(environ, send)
            return
        body, environ[BODY_FAULT] = await self._body(environ, receive)
        if not self._has_room(environ, client):
            await self._refuse(environ, send)
            return
        while await self._has_to_go_on(environ, client, body, receive, send):
            if environ[IS_LONG] and not self._has_room(environ, client):
                await self._refuse(environ, send)
                return

    def _has_room(self, environ: Environ, client: Client | None) -> bool:
        return client is None or self._line(is_long=environ[IS_LONG]).has_room(client)

    def _line(self, *, is_long: bool) -> FairLine[_Request]:
        return self.long_line if is_long else self.line

    async def _has_to_go_on(
        self, environ: Environ, client: Client | None, body: bytes, receive: Receive, send: Send
    ) -> bool:
        """Handle a request and respond; return whether it must be handled again instead."""
        environ[IN_THREAD] = partial(self._in_thread, client)
        environ["wsgi.input"] = io.BytesIO(body)  # from the beginning, also when a request is handled again
        was_long = environ[IS_LONG]
        answer = await self._handled(environ, client, receive)
        if answer is None:
            return False
        start, content = answer
        continuation: Continuation | None = environ[CONTINUATION]
        environ[CONTINUATION], environ[IS_LONG] = None, environ[IS_LONG] and not was_long
        if continuation is None:
            await send(start)
            await send(content)
            return False
        if continuation.continues:
            await send(start)
            await send({**content, "more_body": True})
        return await self._continued(continuation, receive, send)

    async def _handled(self, environ: Environ, client: Client | None, receive: Receive) -> _Answer | None:
        """Handle a request; return None for a long one whose client has left before its turn."""
        answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
        request = _Request(environ, answer, client, environ[IS_LONG], time.perf_counter())
        if client is None:
            self._apart[environ["PATH_INFO"]].put(request)
        else:
            self._line(is_long=request.is_long).put(client, request)
        if not request.is_long:
            return await answer
        leaving = asyncio.ensure_future(_left(receive))
        ends: tuple[asyncio.Future[Any], ...] = (answer, leaving)
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        return None if answer.cancel() else answer.result()

    async def _refuse(self, environ: Environ, send: Send) -> None:
        """Reject a request after a delay, so that a client which retries at once does not use up the processor."""
        status, headers, body = self._refusing.refusal(environ)
        await asyncio.sleep(HELD_SECONDS)
        await send({"type": "http.response.start", "status": status, "headers": _encoded(headers)})
        await send({"type": "http.response.body", "body": body})

    async def _continued(self, continuation: Continuation, receive: Receive, send: Send) -> bool:
        """Run a continuation, and end it if the process ends."""
        self._continuations.add(continuation)
        if self._is_closing:
            continuation.close()
        try:
            return await continuation.run(receive, send)
        finally:
            self._continuations.discard(continuation)

    def close(self) -> None:
        """End all streams and waiting requests, because the process ends."""
        self._is_closing = True
        for continuation in [*self._continuations]:
            continuation.close()

    async def _body(self, environ: Environ, receive: Receive) -> tuple[bytes, BodyFault | None]:
        """Read the body, or return why it cannot be read; a body that is announced as too large is not read at all."""
        announced = int(environ.get("CONTENT_LENGTH", "0"))
        expected = announced or "HTTP_TRANSFER_ENCODING" in environ
        if not expected or announced > MOST_BYTES or environ["REQUEST_METHOD"] in _WITHOUT_BODY:
            return b"", None
        try:
            with self._in_time():
                return await _read(receive, announced)
        except TimeoutError:
            return b"", "too-slow"

    def _start(self, request: _Request) -> None:
        """Handle a request on the loop; if it waits for its turn, it starts when another one ends."""
        loop = request.answer.get_loop()
        loop.call_soon(LoopGreenlet(self._run_here, loop).switch, request)

    def _in_thread(self, client: Client | None, function: Callable[[], Any]) -> Any:
        """Run a computation of a request in a thread, at the turn of its client."""
        by = greenlets.current()
        if by is None or client is None:
            return function()
        done = by.loop.create_future()
        self._of_threads.put(client, _Computation(partial(copy_context().run, function), by.loop, done))
        try:
            return by.wait_for(done)
        finally:
            self._of_threads.leave(client)

    def _compute(self, computation: _Computation) -> None:
        function, loop, done = computation
        result = loop.run_in_executor(self._threads, function)
        result.add_done_callback(partial(_settle, done))

    def _run_here(self, request: _Request) -> None:
        self._end(request, self._outcome(request))

    def _outcome(self, request: _Request) -> "_Answer | Exception | None":
        """Return the response to a request, or why there is none; None if its client has left."""
        try:
            return None if request.answer.cancelled() else self._answer(request)
        except Exception as failure:  # noqa: BLE001 - the server logs it and answers 500
            return failure

    def _work(self, waiting: _Waiting) -> None:
        """Handle requests one after the other in a thread, for the lifetime of the process."""
        while True:
            request, began = waiting.get(), time.perf_counter()
            end = partial(self._end, request, self._outcome(request))
            try:
                request.answer.get_loop().call_soon_threadsafe(end)
            except RuntimeError:  # the loop has ended, and with it the connection
                end()
            if request.is_long:
                time.sleep(min(_MOST_REST, time.perf_counter() - began))

    def _end(self, request: _Request, outcome: _Answer | Exception | None) -> None:
        """Leave the line, and set the response, on the event loop."""
        if request.client is not None:
            self._line(is_long=request.is_long).leave(request.client)
        answer = request.answer
        if answer.done() or outcome is None:
            return  # the request has been cancelled
        if isinstance(outcome, Exception):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)

    def _answer(self, request: _Request) -> _Answer:
        """Run the app, and return its response as two ASGI messages."""
        METRICS.time("queue", time.perf_counter() - request.since)
        with observability.span("request", request.environ.get("HTTP_TRACEPARENT", "")):
            return self._run(request.environ)

    def _run(self, environ: Environ) -> _Answer:
        start: Message = {"type": "http.response.start"}

        def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> None:
            start["status"] = int(status[:3])
            start["headers"] = _encoded(headers)

        chunks = self._app(environ, start_response)
        try:
            content = b"".join(chunks)
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
        return start, {"type": "http.response.body", "body": content}


def _settle(future: "asyncio.Future[Any]", result: "asyncio.Future[Any]") -> None:
    error = result.exception()
    if error is None:
        future.set_result(result.result())
    else:
        future.set_exception(error)


def _encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


async def _left(receive: Receive) -> None:
    """Wait until the client leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass


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
