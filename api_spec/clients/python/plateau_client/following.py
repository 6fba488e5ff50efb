"""Following events: in one streamed response, or if streams do not work, in pages that wait."""

import json
import math
import random
import time
from collections.abc import Callable, Generator
from typing import Any, Final, Literal

import httpx

from plateau_client.connection import Connection, Query, is_passing
from plateau_client.problems import PlateauError, RateLimited, Unavailable

Item = dict[str, Any]

_WAIT: Final = 25.0
_PACE: Final = 1.0
_REOPEN: Final = 2.0
_WITHOUT_STREAMS: Final = 600.0
_PATIENCE: Final = 600.0
_LONGEST_PAUSE: Final = 15.0


class Following:
    """Yields events after a cursor, as they happen, and views as ``{"view": …}`` if the query asks for them.

    A stream can be cut or refused, or a proxy can hold it back. Each time a stream ends, a page follows: it catches up,
    and raises errors. While streams do not work, pages wait for new events; if too many streams are open, pages cannot
    wait either, and come once a second.
    """

    def __init__(
        self, connection: Connection, path: str, query: Query, cursor: Literal["version", "id"],
        is_over: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._connection = connection
        self._path = path
        self._query = {**query}
        self._cursor = cursor
        self._asks_if_over = is_over
        self._is_over = False
        self._stream_at = 0.0
        self._can_wait = True
        self._heard_at: float | None = None

    def items(self) -> Generator[Item, None, None]:
        """Yield existing and new events, until there can be no more."""
        while not self._is_over:
            if time.monotonic() >= self._stream_at:
                yield from self._streamed()
            if not self._is_over:
                yield from self._paged()

    def _streamed(self) -> Generator[Item, None, None]:
        """Yield the items of a stream; a stream without any item, even a heartbeat, is not opened again soon."""
        self._stream_at = time.monotonic() + _WITHOUT_STREAMS
        self._can_wait = True
        try:
            with self._connection.lines(self._path, self._query) as lines:
                for line in lines:
                    self._heard_at = time.monotonic()
                    self._stream_at = self._heard_at + _REOPEN * random.uniform(0.5, 1)  # noqa: S311 - spreads clients
                    item: Item = json.loads(line) if line else {}
                    if "end" in item:
                        self._is_over = item["end"]["code"] == "game-over"
                        return
                    yield from self._passed_on(item)
        except RateLimited as limited:
            self._stream_at = time.monotonic() + max(limited.after, _REOPEN)
            self._can_wait = False
        except (PlateauError, httpx.TransportError, ValueError):
            return  # the page that comes next shows whether more is wrong than the stream

    def _paged(self) -> Generator[Item, None, None]:
        """Yield the next page; an empty page comes after some seconds."""
        began = time.monotonic()
        wait = min(_WAIT, self._connection.longest_wait, self._stream_at - began)
        page = self._page(math.ceil(max(wait, 0)) if self._heard_at is not None and self._can_wait else 0)
        for event in page["events"]:
            yield from self._passed_on(event)
        if "view" in page:
            yield {"view": page["view"]}
        if page["next"] is None and not page["events"]:
            self._is_over = self._asks_if_over()
            if not self._is_over:
                time.sleep(max(0.0, began + _PACE - time.monotonic()))

    def _page(self, wait: int) -> Item:
        """Read a page. After the first success, retry for some minutes if the service fails."""
        pause = _PACE
        while True:
            try:
                page: Item = self._connection.request("GET", self._path, query=self._query | {"wait": wait}).json()
            except (Unavailable, RateLimited) as error:
                is_late = self._heard_at is None or time.monotonic() > self._heard_at + _PATIENCE
                if is_late or not is_passing(error):
                    raise
                time.sleep(max(error.after, pause * random.uniform(0.5, 1)))  # noqa: S311 - spreads clients
                wait = 0 if isinstance(error, RateLimited) else wait
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                self._heard_at = time.monotonic()
                return page

    def _passed_on(self, item: Item) -> Generator[Item, None, None]:
        if self._cursor in item:
            self._query["after"] = item[self._cursor]
            yield item
        elif "view" in item:
            yield item
