"""One client that follows a source, on the event loop: as a stream, or waiting for a single answer."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from service.errors import Refusal
from service.store.event_store import NotServed, StoreUnavailable
from service.streams.forms import Form
from service.streams.hub import Hub
from service.streams.readers import Readers
from service.streams.source import Batch, Source

Message = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

HEARTBEAT_SECONDS = 15.0
"""How often a stream shows that it is alive, notices clients that have left, and checks everything again."""
_SEND_SECONDS = 20.0
"""How long a client can read nothing of what was sent; then the stream ends, and the client can resume."""
_AGAIN_SECONDS = 1.0


class Process(Protocol):
    """What all followers of a process share."""

    hub: Hub
    readers: Readers


class Gone(Exception):
    """The client has left."""


class Closing(Exception):
    """The process is about to end."""


class Follower:
    """A client that follows a source from a cursor on; it keeps nothing of what it has sent."""

    def __init__(self, process: Process, source: Source, cursor: str) -> None:
        self._process = process
        self._source = source
        self.cursor = cursor
        self.items = 0
        self.topics = (*source.topics, account_of(source.player)) if source.player else tuple(source.topics)
        self._heard: str | None = None
        self._woken = asyncio.Event()
        self._woken.set()
        self._is_gone = self._is_closing = False
        self._beat_at = 0.0

    def wake(self, heard: str | None) -> None:
        """Let it read on."""
        if self._woken.is_set() and self._heard is None:
            return  # it looks at the store anyway
        self._heard = heard
        self._woken.set()

    def close(self) -> None:
        """Let it end, because the process does; the client can go on with another one."""
        self._is_closing = True
        self.wake(None)

    # -- as a stream -----------------------------------------------------------------------------------------------

    async def stream(self, form: Form, receive: Receive, send: Send) -> str:
        """Send what is new until nothing can follow; return why it ended, which a client that is there reads last."""
        watching = asyncio.ensure_future(self._watch(receive))
        self._process.hub.add(self)
        try:
            name, why = await self._followed(form, send)
            await _send(send, form.last(name, self.cursor, why), more=False)
        except Gone:
            return "gone"
        except TimeoutError:
            return "too-slow"
        finally:
            self._process.hub.remove(self)
            watching.cancel()
        return str(why["code"])

    async def _followed(self, form: Form, send: Send) -> tuple[str, Mapping[str, Any]]:
        """Send what is new; return the last item, by its name and its data."""
        self._beat_at = _now() + random.uniform(0.5, 1) * HEARTBEAT_SECONDS  # noqa: S311 - spreads the load
        try:
            while True:
                batch = await self._next(form.heartbeat, send)
                if batch.items:
                    await _send(send, form.written(batch.items))
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
            return "end", {"code": refusal.code, "detail": refusal.message}

    async def _next(self, heartbeat: bytes, send: Send) -> Batch:
        """Wait for news, and meanwhile show from time to time that the stream is alive; return what is new."""
        while True:
            try:
                async with asyncio.timeout_at(self._beat_at):
                    await self._woken.wait()
            except TimeoutError:
                self._beat_at = _now() + HEARTBEAT_SECONDS
                await _send(send, heartbeat)
                self.wake(None)
            self._check()
            try:
                return await self._read()
            except StoreUnavailable:
                await asyncio.sleep(_AGAIN_SECONDS)
                self.wake(None)

    # -- waiting for one answer ------------------------------------------------------------------------------------

    async def wait(self, seconds: float, receive: Receive) -> bool:
        """Wait until there is something new, or the time is up; return False if the client has left."""
        watching = asyncio.ensure_future(self._watch(receive))
        self._process.hub.add(self)
        try:
            async with asyncio.timeout(seconds):
                while not await self._has_news():
                    self._check()
                    await self._woken.wait()
        except (TimeoutError, Closing):
            return True
        except Gone:
            return False
        finally:
            self._process.hub.remove(self)
            watching.cancel()
        return True

    async def _has_news(self) -> bool:
        """Return whether the answer would be another one now; the request itself finds out what."""
        try:
            batch = await self._read()
        except Exception:  # noqa: BLE001 - the request runs into it, too, and reports it
            return True
        return bool(batch.items) or batch.end is not None

    # -- both ------------------------------------------------------------------------------------------------------

    async def _read(self) -> Batch:
        heard, self._heard = self._heard, None
        self._woken.clear()
        return await self._process.readers.read(self._source, self.cursor, heard)

    async def _watch(self, receive: Receive) -> None:
        """Notice when the client leaves."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self._is_gone = True
        self.wake(None)

    def _check(self) -> None:
        if self._is_gone:
            raise Gone
        if self._is_closing:
            raise Closing


def account_of(player: str) -> str:
    """Return the name under which the hub wakes all streams of a player whose tokens have changed."""
    return f"account {player}"


async def _send(send: Send, data: bytes, *, more: bool = True) -> None:
    async with asyncio.timeout(_SEND_SECONDS):
        await send({"type": "http.response.body", "body": data, "more_body": more})


def _now() -> float:
    return asyncio.get_running_loop().time()
