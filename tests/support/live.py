"""Clients of streams: the service in this process behind its ASGI app, on an event loop in a thread of its own."""

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from service.api.http.asgi import AsgiApp
from service.api.http.endpoint import Services
from tests.support.people import Person, Server
from tests.support.server import PATIENCE, wait_until

SSE, NDJSON = "text/event-stream", "application/x-ndjson"


class Frame(NamedTuple):
    """One item of a stream: its name, its id (of server-sent events), and its data as it was sent."""

    name: str
    id: str | None
    data: bytes


class Response:
    """A response that arrives in pieces; ``leave`` closes the connection, ``stall`` stops reading."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.is_complete = False
        self.left = asyncio.Event()
        self._reads = asyncio.Event()
        self._reads.set()
        self._loop: asyncio.AbstractEventLoop
        self._has_asked = False

    async def receive(self) -> Any:
        """Send the end of the request, and then nothing until the client leaves."""
        if not self._has_asked:
            self._has_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        """Take a part of the response."""
        await self._reads.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]
            self.is_complete = not message.get("more_body", False)

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Remember where the response is made."""
        self._loop = loop

    def leave(self) -> None:
        """Close the connection."""
        self._loop.call_soon_threadsafe(self.left.set)

    def stall(self) -> None:
        """Read no more."""
        self._loop.call_soon_threadsafe(self._reads.clear)

    def frames(self) -> list[Frame]:
        """Return the items that have arrived whole."""
        return list(frames_in(self.headers["content-type"], self.body))

    def versions(self) -> list[int]:
        """Return the versions of the events that have arrived."""
        return [json.loads(frame.data)["version"] for frame in self.frames() if frame.name == "event"]

    def wait_for_version(self, version: int) -> None:
        """Wait until an event has arrived."""
        wait_until(lambda: self.headers and version in self.versions(), f"version {version}")

    def wait_for_end(self) -> Frame:
        """Wait until the response is complete; return the last item."""
        wait_until(lambda: self.is_complete, "the end of the stream")
        return self.frames()[-1]


def frames_in(media_type: str, body: bytes) -> Iterator[Frame]:
    """Parse what has arrived whole."""
    if media_type == NDJSON:
        for line in body.split(b"\n")[:-1]:
            if line:
                (name, inner), *more = json.loads(line).items()
                is_event = bool(more) or name not in ("view", "phrase", "receipt", "end", "reconnect")
                yield Frame("event", None, line) if is_event else Frame(name, None, line[len(name) + 4 : -1])
                assert is_event or json.loads(line[len(name) + 4 : -1]) == inner
    else:
        for block in body.split(b"\n\n")[:-1]:
            fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if not line.startswith(b":"))
            if b"data" in fields:
                yield Frame(fields[b"event"].decode(), fields[b"id"].decode(), fields[b"data"])


class Live:
    """The ASGI app of a server, as a web process runs it."""

    def __init__(self, server: Server) -> None:
        self.app = AsgiApp(server.app, 4, 20.0)
        self._services: Services = server.app.extensions["plateau"]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._tasks: list[Any] = []

    def ask(self, person: Person | None, path: str, accept: str = "", **headers: str) -> Response:
        """GET, and return the response as it arrives."""
        sent: Mapping[str, str] = {name.replace("_", "-").lower(): text for name, text in headers.items()}
        if accept:
            sent = {**sent, "accept": accept}
        if person is not None and person.token:
            sent = {"authorization": f"Bearer {person.token}", **sent}
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "method": "GET", "raw_path": path.encode(), "query_string": query.encode(),
            "scheme": "http", "headers": [(name.encode(), text.encode()) for name, text in sent.items()],
            "server": ("127.0.0.1", 8000), "client": ("192.0.2.7", 4321),
        }  # fmt: skip
        response = Response()
        response.begin(self._loop)
        self._tasks.append(
            asyncio.run_coroutine_threadsafe(self.app(scope, response.receive, response.send), self._loop)
        )
        return response

    def open(self, person: Person | None, path: str, accept: str = SSE, **headers: str) -> Response:
        """Open a stream, and wait until it is open."""
        response = self.ask(person, path, accept, **headers)
        wait_until(lambda: response.headers, "the head of the response")
        assert response.status == 200, response.body
        return response

    def close(self) -> None:
        """End everything that is open."""
        self._loop.call_soon_threadsafe(self.app.close)
        for task in self._tasks:
            task.exception(PATIENCE)
        self._services.streams.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def live(server: Server) -> Iterator[Live]:
    """Run the ASGI app of a server until the block ends."""
    app = Live(server)
    try:
        yield app
    finally:
        app.close()
