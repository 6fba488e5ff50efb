"""The interface between what can be followed and how it is sent."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol

EVENT = "event"
"""The usual name of an item: NDJSON shows it without its name."""


class Item(NamedTuple):
    """An item to send: the cursor from which a client that has it resumes, its name, and its data as JSON."""

    cursor: str
    name: str
    data: bytes


class Batch(NamedTuple):
    """The new items, in order, and the cursor after which to read on.

    With ``more``, there is more to read at once. With ``end``, nothing can follow: ``end`` is sent last.
    """

    items: Sequence[Item]
    cursor: str
    more: bool = False
    end: dict[str, Any] | None = None


class Source(Protocol):
    """What a client subscribed to, and as which caller.

    A source belongs to one request; it has the caller (a ``Caller``, not a token) and what was requested. It is read
    first in the request, and then, while the stream is open, on the event loop: whenever one of its ``topics`` has a
    message, and at least once every ``HEARTBEAT_SECONDS``.

    So ``read`` must repeat all checks of the request (the token, the scope, who can see what), and raise the same
    ``Refusal``: the stream then ends, and its last item shows the code. ``StoreUnavailable`` does not end a stream: it
    is read again a little later. ``read`` must never return more than a page, 64 KiB at most; with ``more``, the rest
    is read at once, after the page was sent. It must be cheap when nothing is new, because every open stream calls it
    at each heartbeat.

    A topic is the id of a game or of a player. Code that writes something new publishes its cursor
    (``change_feed.publish``), in the same atomic step if possible.
    """

    @property
    def topics(self) -> Sequence[str]:
        """Return the topics whose messages wake the stream."""
        ...

    @property
    def player(self) -> str | None:
        """Return the player whose stream it is, for the limits, and to read again when their tokens change."""
        ...

    @property
    def shared(self) -> Hashable:
        """Return what determines all that it reads after a cursor; sources with an equal value are read once."""
        return id(self)

    def read(self, after: str, heard: str | None) -> Batch:
        """Return what is new after a cursor.

        ``heard`` is the cursor of the latest message, or None if messages may have been missed. A source that has
        already read up to ``heard`` need not read the store.
        """
        ...
