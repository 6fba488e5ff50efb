"""Replicas: how many of them must have a write before it is reported as done (``PLATEAU_REPLICAS``).

WAIT counts the replicas that have received all that its connection had written before. So it belongs on the connection
that wrote, and thus on the same node of a cluster; a connection that has written nothing would not wait for anything.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from service.store.redis.availability import NotReplicated

CONFIRM_MS = 1000
"""How long a write waits for its replicas; less than a connection waits for a reply."""


class Replicas:
    """How many replicas must confirm a write; 0 asks nothing of them."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self.wait: Sequence[tuple[str | int, ...]] = [("WAIT", wanted, CONFIRM_MS)] if wanted else []
        """What to send after a write, on its connection and in the same round trip; the replies go to ``check``."""
        self.needs: Sequence[str] = ["+wait"] if wanted else []
        """The rights that the user of the server needs for that."""

    def check(self, replies: Sequence[int]) -> None:
        """Check the replies to ``wait``; raise ``NotReplicated``."""
        for confirmed in replies:
            if confirmed < self._wanted:
                raise NotReplicated(
                    f"the write is in the log of the primary, but after {CONFIRM_MS} ms {confirmed} of {self._wanted} "
                    "replicas have confirmed it"
                )

    def warnings(self, servers: Iterable[Mapping[str, Any]]) -> list[str]:
        """Say which primaries have too few replicas now, by what INFO says of each server."""
        primaries = (facts for facts in servers if facts.get("role") not in {"slave", "replica"})
        numbers = (facts.get("connected_slaves", self._wanted) for facts in primaries)
        return [
            f"PLATEAU_REPLICAS is {self._wanted}, but {connected} replicas are connected to a server, so no write "
            "is accepted there until there are more"
            for connected in numbers
            if connected < self._wanted
        ]
