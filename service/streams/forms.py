"""How a stream is written: as server-sent events, or as lines of JSON."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from service.streams.source import EVENT, Item

RETRY_MS = 2000
"""How long a browser waits before it opens a stream again after its end."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of streams: its media type, its beginning, its sign of life, and how an item is written."""

    media_type: str
    opening: bytes
    heartbeat: bytes
    write: Callable[[Item], bytes]

    def written(self, items: Iterable[Item]) -> bytes:
        """Write items."""
        return b"".join(map(self.write, items))

    def last(self, name: str, cursor: str, data: Mapping[str, Any]) -> bytes:
        """Write the last item of a stream: ``end`` if nothing will follow, ``reconnect`` if the client can continue."""
        return self.write(Item(cursor, name, orjson.dumps(data)))


def _event(item: Item) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (item.cursor.encode(), item.name.encode(), item.data)


def _line(item: Item) -> bytes:
    if item.name == EVENT:
        return item.data + b"\n"
    return b'{"%b":%b}\n' % (item.name.encode(), item.data)


SSE = Form("text/event-stream", b"retry: %d\n\n" % RETRY_MS, b": \n\n", _event)
NDJSON = Form("application/x-ndjson", b"", b"\n", _line)
FORMS: Mapping[str, Form] = {form.media_type: form for form in (SSE, NDJSON)}
