"""The hash chain of a game's log, with sealed parts: one chain verifies the redacted log of every viewer.

*Canonical form*: JSON with keys sorted by code point, no white space, strings in UTF-8 unescaped where JSON allows,
integers only.
*Seal* of a hidden value: SHA-256 over the salt's hex digits followed by the value's canonical form. A salt is 128 bits,
derived from the game's secret, so that a value cannot be guessed from its seal and all salts open with the secret.
*Hash* of an event: SHA-256 over the previous event's hash (hex) followed by the canonical form of the event in its
sealed form: ``{"at", "data", "game_id", "sealed", "seat", "type", "version"}``, ``data`` without any hidden part, and
``"bot"`` without its ``"thought"`` where a bot moved.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Mapping

from domain.serialization import Plain, place_of

GENESIS = "0" * 64
"""The hash before the first event."""

THOUGHT = "/bot/thought"
"""Pointers lead into the ``data`` of an event; this one leads into the event itself."""

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


class BrokenChain(ValueError):
    """A log does not verify; the message names the first version that is wrong, and the fault.

    ``field`` is a JSON pointer into the event; ``expected`` and ``found`` are what it should and does hold.
    """

    def __init__(self, version: int, message: str, field: str = "", expected: str = "", found: object = None) -> None:
        super().__init__(message)
        self.version = version
        self.field = field
        self.expected = expected
        self.found = found


def canonical(value: Plain) -> bytes:
    """Write plain data in canonical form."""
    return _encode(value).encode()


def salt(game_secret: bytes, game_id: str, version: int, pointer: str) -> str:
    """Derive the salt (32 hex digits) of one hidden part."""
    message = canonical(["salt", game_id, version, pointer])
    return hmac.digest(game_secret, message, "sha256").hex()[:32]


def seal(part_salt: str, value: Plain) -> str:
    """Commit to a hidden value (64 hex digits)."""
    return hashlib.sha256(part_salt.encode() + canonical(value)).hexdigest()


def link(previous: str, sealed_event: Mapping[str, Plain], write: Callable[[Plain], bytes] = canonical) -> str:
    """Chain the sealed form of an event to the hash of the one before; ``write`` writes the canonical form."""
    return hashlib.sha256(previous.encode() + write(sealed_event)).hexdigest()


def verify(events: Iterable[Mapping[str, Plain]], *, after: int = 0, head: str = GENESIS) -> str:
    """Check a log, as any viewer receives it, and return its last hash.

    ``events`` are API events in order; ``after`` and ``head`` are the version and hash already verified. Raise
    ``BrokenChain`` at the first gap, altered event or part that does not match its seal.
    """
    expected = after
    for event in events:
        expected += 1
        if event.get("version") != expected:
            found = event.get("version")
            message = f"version {expected} is missing: version {found} follows"
            raise BrokenChain(expected, message, "/version", str(expected), found)
        try:
            head = link(head, sealed_form(event))
        except BrokenChain:
            raise
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            message = f"version {expected}: the event lacks a part, or a part has the wrong shape"
            raise BrokenChain(expected, message, "", "an event", "one that lacks a part") from error
        if head != event.get("hash"):
            message = f"version {expected}: the hash does not match the event"
            raise BrokenChain(expected, message, "/hash", head, event.get("hash"))
    return head


def sealed_form(event: Mapping[str, Plain]) -> dict[str, Plain]:
    """Check the opened parts against their seals, and take them out."""
    data = json.loads(canonical(event["data"])) if event["salts"] else event["data"]
    by_bot = {"bot": dict(event["bot"])} if "bot" in event else {}
    for pointer, part_salt in event["salts"].items():
        place, key = place_of(by_bot if pointer == THOUGHT else data, pointer)
        made, found = seal(part_salt, place.pop(key, None)), event["sealed"].get(pointer)
        if made != found:
            version = event["version"]
            message = f"version {version}: the value at {pointer} does not match its seal"
            raise BrokenChain(version, message, f"/sealed{pointer}", made, found)
    return {key: event[key] for key in ("game_id", "version", "type", "at", "seat", "sealed")} | {"data": data} | by_bot
