"""A game's log: how a decided event becomes a record, chained and sealed, and how a viewer reads it.

A record is stored whole; ``visible`` is the one door through which a record leaves on a viewer's behalf.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.log import chain, redaction
from domain.log.redaction import Hidden
from domain.serialization import Plain


@dataclass(frozen=True, slots=True)
class Record:
    """One event of a log: the public data, the hidden parts (each sealed), and its place in the chain."""

    game_id: str
    version: int
    type: str
    at: str
    seat: int | None
    data: Mapping[str, Plain]
    sealed: Mapping[str, str]
    hash: str
    hidden: Mapping[str, Hidden] = field(repr=False)
    request: str

    def sealed_form(self) -> dict[str, Any]:
        """Give what the chain covers: the event as nobody in particular sees it."""
        return {
            "game_id": self.game_id,
            "version": self.version,
            "type": self.type,
            "at": self.at,
            "seat": self.seat,
            "data": self.data,
            "sealed": self.sealed,
        }

    def whole_data(self) -> dict[str, Plain]:
        """Give the event's data with the secrets in it, for folding only."""
        whole = redaction.merged(self.data, redaction.seen_by(self.hidden, None, everything=True))
        if self.seat is not None:
            whole["seat"] = self.seat
        return whole


@dataclass(frozen=True, slots=True)
class Writer:
    """What writing on needs to know of a log: its game, its secret, and where the chain stands."""

    game_id: str
    secret: bytes = field(repr=False)
    version: int = 0
    head: str = chain.GENESIS

    def write(self, events: Sequence[tuple[str, Any]], at: str, request: str) -> list[Record]:
        """Record (type, event) pairs after the log's last version, at one time, for one request."""
        records = []
        version, head = self.version, self.head
        for event_type, event in events:
            version += 1
            record = self._record(version, head, event_type, event, at, request)
            head = record.hash
            records.append(record)
        return records

    def _record(self, version: int, head: str, event_type: str, event: Any, at: str, request: str) -> Record:
        data, hidden = redaction.split(event)
        sealed = {
            pointer: chain.seal(chain.salt(self.secret, self.game_id, version, pointer), part.value)
            for pointer, part in hidden.items()
        }
        public: dict[str, Any] = {
            "game_id": self.game_id,
            "version": version,
            "type": event_type,
            "at": at,
            "seat": getattr(event, "seat", None),
            "data": data,
            "sealed": sealed,
        }
        return Record(**public, hash=chain.link(head, public), hidden=hidden, request=request)


def verify(
    records: Iterable[Record], head: str, secret: bytes, write: Callable[[Any], bytes] = chain.canonical
) -> None:
    """Check stored records against the hash before them, and their hidden parts against their seals.

    Raises ``chain.BrokenChain``. ``write`` can be any quicker writer of the canonical form: what matches is right, and
    where it does not, ``chain.canonical`` decides.
    """
    for record in records:
        sealed_form = record.sealed_form()
        if chain.link(head, sealed_form, write) != record.hash and chain.link(head, sealed_form) != record.hash:
            raise chain.BrokenChain(record.version, "the hash does not match what the event says")
        if record.hidden.keys() != record.sealed.keys():
            raise chain.BrokenChain(record.version, "its hidden parts are not those that are sealed")
        for pointer, part in record.hidden.items():
            part_salt = chain.salt(secret, record.game_id, record.version, pointer)
            if chain.seal(part_salt, part.value) != record.sealed[pointer]:
                raise chain.BrokenChain(record.version, f"what stands at {pointer} does not match its seal")
        head = record.hash


def visible(record: Record, secret: bytes, viewer: int | None, *, everything: bool) -> dict[str, Plain]:
    """Build the event that a viewer may see: the public data, and the viewer's own parts with their salts.

    ``viewer`` is a seat, or None for a spectator; ``everything`` opens all parts, once the game is over.
    """
    values = redaction.seen_by(record.hidden, viewer, everything=everything)
    return {
        "game_id": record.game_id,
        "version": record.version,
        "type": record.type,
        "at": record.at,
        "seat": record.seat,
        "data": redaction.merged(record.data, values) if values else record.data,
        "sealed": record.sealed,
        "salts": {pointer: chain.salt(secret, record.game_id, record.version, pointer) for pointer in values},
        "hash": record.hash,
    }
