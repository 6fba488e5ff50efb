"""The seam between what can be followed and how it is sent."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol

EVENT = "event"
"""The usual name of an item: NDJSON shows it without its name."""


class Item(NamedTuple):
    """An item to send: the cursor at which a client that has it continues, its name, and its data as JSON."""

    cursor: str
    name: str
    data: bytes


class Batch(NamedTuple):
    """What is new: the items, in order, and the cursor after which to read on.

    With ``more``, there is more to read at once. With ``end``, nothing will ever follow: ``end`` is sent last.
    """

    items: Sequence[Item]
    cursor: str
    more: bool = False
    end: dict[str, Any] | None = None


class Source(Protocol):
    """What a client subscribed to, and as which caller.

    A source is an object for one request; it holds who asks (a ``Caller``, not a token) and what they asked for. It is
    read in the request first, and then, while the stream is open, on the event loop: whenever one of its ``topics`` has
    news, and at least once every ``HEARTBEAT_SECONDS``.

    So ``read`` must check every time what the request checked (the token, the scope, who can see what), and raise the
    same ``Refusal``: the stream then ends, and its last item shows the code. ``StoreUnavailable`` does not end a
    stream: it is read again a little later. ``read`` must never return more than a page, some 64 KiB at most; ``more``
    has the rest read at once, after the page was sent. It must be cheap when nothing is new, because every open stream
    asks it at each heartbeat.

    A topic is the id of a game or of a player. Code that writes something new calls ``topics.publish``, in the same
    atomic step if possible, with the cursor of what is new.
    """

    @property
    def topics(self) -> Sequence[str]:
        """Return the topics whose news wake the stream."""
        ...

    @property
    def player(self) -> str | None:
        """Return whose stream it is, for the limits, and for reading again when their tokens change."""
        ...

    @property
    def shared(self) -> Hashable:
        """Return what determines all that it reads after a cursor: those with an equal one are read once."""
        return id(self)

    def read(self, after: str, heard: str | None) -> Batch:
        """Return what is new after a cursor.

        ``heard`` is the cursor that the latest message named, or None if any number of messages can have been missed.
        A source can do without a look at the store if it knows already of everything up to there.
        """
        ...
