"""One client that follows a source, on the event loop: as a stream, or waiting for a single response."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from service.common.errors import Limited, Refusal
from service.common.time_limit import TimeLimit
from service.store.event_store import NotServed, StoreUnavailable
from service.streams.forms import Form
from service.streams.hub import Hub, Outcome
from service.streams.source import Batch, Source

Message = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

HEARTBEAT_SECONDS = 15.0
"""How often a stream sends a sign of life, detects clients that have left, and checks everything again."""
SEND_SECONDS = 20.0
"""How long a client can leave what was sent unread; then the stream ends, and the client can resume."""
_AGAIN_SECONDS = 1.0


class Process(Protocol):
    """The parts that all followers of a process share."""

    hub: Hub
    sending: TimeLimit


class Gone(Exception):
    """The client has left."""


class Closing(Exception):
    """The process is about to end."""


class Follower:
    """A client that follows a source from a cursor on; it stores nothing of what it has sent."""

    def __init__(self, process: Process, source: Source, cursor: str) -> None:
        self._process = process
        self.source = source
        self.cursor = cursor
        self.items = 0
        self.topics, self.player = tuple(source.topics), source.player
        self._heard: str | None = None
        self._is_woken = True
        self._found: asyncio.Future[Batch | None] | None = None
        self._is_gone = self._is_closing = self._is_beat_due = False
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[object] | None = None

    def wake(self, heard: str | None) -> None:
        if self._is_woken and self._heard is None:
            return  # it reads the store anyway
        is_all = not self._is_woken or len(self.topics) == 1  # a cursor does not cover another topic
        self._is_woken, self._heard = True, heard if is_all else None
        if self._found is not None and not self._found.done():
            self._found.set_result(None)

    @property
    def is_idle(self) -> bool:
        """Return whether it waits for news."""
        return self._found is not None and not self._found.done()

    def take(self, after: str, heard: str, outcome: Outcome) -> None:
        """Take what was read after its cursor; if the cursor has moved, it reads for itself."""
        if self._found is None or self._found.done() or after != self.cursor:
            self.wake(heard)
        elif isinstance(outcome, Exception):
            self._found.set_exception(outcome)
        else:
            self._found.set_result(outcome)

    def close(self) -> None:
        """Let it end, because the process ends; the client can resume with another process."""
        self._is_closing = True
        self.wake(None)

    # -- as a stream -----------------------------------------------------------------------------------------------

    async def stream(self, form: Form, receive: Receive, send: Send) -> str:
        """Send what is new until nothing can follow; return the reason of the end, which is also the last item."""
        self._task = asyncio.current_task()
        watching = asyncio.ensure_future(self._watch(receive))
        self._process.hub.add(self)
        try:
            name, why = await self._followed(form, send)
            await self._send(send, form.last(name, self.cursor, why), more=False)
        except Gone:
            return "gone"
        except TimeoutError:
            return "too-slow"
        finally:
            self._process.hub.remove(self)
            watching.cancel()
            if self._timer is not None:
                self._timer.cancel()
        return str(why["code"])

    async def _followed(self, form: Form, send: Send) -> tuple[str, Mapping[str, Any]]:
        """Send what is new; return the last item, by its name and its data."""
        self._beat_in(random.uniform(0.5, 1) * HEARTBEAT_SECONDS)  # noqa: S311 - spreads the load
        try:
            while True:
                batch = await self._next(form.heartbeat, send)
                if batch.items:
                    await self._send(send, form.written(batch.items))
                    self.items += len(batch.items)
                self.cursor = batch.cursor
                if batch.end is not None:
                    return "end", batch.end
                if batch.more:
                    self.wake(None)
        except Closing:
            return "reconnect", {"code": "restarting"}
        except NotServed as failure:
            return "end", {"code": failure.code, "detail": failure.detail}
        except Refusal as refusal:
            return "end", {"code": refusal.code, "detail": refusal.message, **refusal.facts}

    async def _next(self, heartbeat: bytes, send: Send) -> Batch:
        """Wait for updates, with regular signs of life; return what is new."""
        while True:
            try:
                batch = await self._news()
                if self._is_beat_due:
                    self._is_beat_due = False
                    await self._send(send, heartbeat)
                self._check()
                return await self._read() if batch is None else batch
            except (StoreUnavailable, Limited):
                await asyncio.sleep(_AGAIN_SECONDS)
                self.wake(None)

    async def _send(self, send: Send, data: bytes, *, more: bool = True) -> None:
        with self._process.sending(self._task):
            await send({"type": "http.response.body", "body": data, "more_body": more})

    def _beat_in(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._beat)

    def _beat(self) -> None:
        """Let the stream send a sign of life, and check everything again."""
        self._is_beat_due = True
        self.wake(None)
        self._beat_in(HEARTBEAT_SECONDS)

    # -- waiting for one answer ------------------------------------------------------------------------------------

    async def wait(self, seconds: float, receive: Receive) -> bool:
        """Wait until there is something new, or the time is up; return False if the client has left."""
        watching = asyncio.ensure_future(self._watch(receive))
        self._process.hub.add(self)
        try:
            async with asyncio.timeout(seconds):
                while not await self._has_news():
                    self._check()
        except (TimeoutError, Closing):
            return True
        except Gone:
            return False
        finally:
            self._process.hub.remove(self)
            watching.cancel()
        return True

    async def _has_news(self) -> bool:
        """Wait for updates; return whether the response is different now. The request itself finds out how."""
        try:
            batch = await self._news() or await self._read()
        except Exception:  # noqa: BLE001 - the request runs into it, too, and reports it
            return True
        self.cursor = batch.cursor
        if batch.more:
            self.wake(None)
        return bool(batch.items) or batch.end is not None

    # -- both ------------------------------------------------------------------------------------------------------

    async def _news(self) -> Batch | None:
        """Wait for what is read for all followers of a topic; return None if this one must read for itself."""
        if self._is_woken:
            return None
        self._found = asyncio.get_running_loop().create_future()
        try:
            return await self._found
        finally:
            self._found = None

    async def _read(self) -> Batch:
        heard, self._heard = self._heard, None
        self._is_woken = False
        return await self._process.hub.read(self.source, self.cursor, heard)

    async def _watch(self, receive: Receive) -> None:
        """Detect that the client has left."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self._is_gone = True
        self.wake(None)

    def _check(self) -> None:
        if self._is_gone:
            raise Gone
        if self._is_closing:
            raise Closing
