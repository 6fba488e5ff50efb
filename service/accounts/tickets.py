"""Tickets: signed facts that are valid for a short time, for requests that cannot carry a token in a header.

The server keeps nothing of a ticket: every process of one store signs with the same secret.
"""

import binascii
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Purpose = Literal["board", "mail", "stream", "unsubscribe"]

SECONDS: Mapping[Purpose, int] = {"board": 300, "stream": 60}
"""How long a link to a player's own board, and a ticket to open a stream, are valid."""
LONGEST = 300
"""The most characters of a ticket."""
_MAC_BYTES = 16


@dataclass(eq=False)
class Tickets:
    """Issue and read tickets.

    ``secret`` returns the secret of the store, ``now`` the time in ms; ``seconds`` is how long a ticket is valid.
    """

    _secret: Callable[[], bytes]
    _now: Callable[[], int]
    _seconds: Mapping[Purpose, int]

    def issue(self, purpose: Purpose, *facts: str) -> tuple[str, int]:
        """Return a ticket for facts (words without white space), and the time in ms at which it expires."""
        until = self._now() + 1000 * self._seconds[purpose]
        content = " ".join([purpose, str(until), *facts]).encode()
        return urlsafe_b64encode(self._mac(content) + content).decode().rstrip("="), until

    def read(self, purpose: Purpose, ticket: str) -> Sequence[str] | None:
        """Return the facts of a ticket; None if it is not one of ours, or for another purpose, or has expired."""
        try:
            signed = urlsafe_b64decode(ticket + "=" * (-len(ticket) % 4))
        except (binascii.Error, ValueError):
            return None
        mac, content = signed[:_MAC_BYTES], signed[_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(content)):
            return None
        made_for, until, *facts = content.decode().split(" ")
        return facts if made_for == purpose and self._now() < int(until) else None

    def _mac(self, content: bytes) -> bytes:
        key = hmac.digest(self._secret(), b"tickets", "sha256")
        return hmac.digest(key, content, "sha256")[:_MAC_BYTES]
