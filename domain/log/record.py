"""The log of a game: a decided event becomes a record, chained and sealed, of which a viewer sees a part.

A record is stored whole; ``visible`` is the only way for a record to reach a viewer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from domain.log import chain, redaction
from domain.log.bot_moves import BotMove
from domain.log.redaction import Hidden
from domain.log.secrets import REVEALED, Secrets
from domain.serialization import Plain

Shown: TypeAlias = Mapping[str, Plain]
"""An event as a viewer can see it: its place in the log, its ``type``, ``seat`` and ``data``, seals and salts."""


@dataclass(frozen=True, slots=True)
class Record:
    """One event of a log: the public data, the hidden parts (each sealed), and its place in the chain.

    ``bot`` is what is public of the bot that moved, in the first event of its move.
    """

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
    bot: Mapping[str, Plain] | None = None

    def sealed_form(self) -> dict[str, Plain]:
        """Return what the chain covers: the event without its hidden parts."""
        return {
            "game_id": self.game_id,
            "version": self.version,
            "type": self.type,
            "at": self.at,
            "seat": self.seat,
            "data": self.data,
            "sealed": self.sealed,
            **({} if self.bot is None else {"bot": self.bot}),
        }

    def whole_data(self) -> dict[str, Plain]:
        """Return the event's data with its secrets, for folding only."""
        values = redaction.seen_by(self.hidden, None, everything=True)
        values.pop(chain.THOUGHT, None)
        whole = redaction.merged(self.data, values)
        if self.seat is not None:
            whole["seat"] = self.seat
        return whole


@dataclass(frozen=True, slots=True)
class Writer:
    """Appends records to a log, given the secrets of its game, also those after them, and where its chain ends.

    ``canonical`` can be any faster writer of the canonical form, if it is exact.
    """

    secrets: Secrets
    version: int = 0
    head: str = chain.GENESIS
    canonical: Callable[[Plain], bytes] = chain.canonical

    def write(
        self, events: Sequence[tuple[str, object]], at: str, request: str, by: BotMove | None = None
    ) -> list[Record]:
        """Record (type, event) pairs after the log's last version, at one time, for one request, perhaps of a bot."""
        records = []
        version, head = self.version, self.head
        for event_type, event in events:
            version += 1
            record = self._record(version, head, event_type, event, at, request, by)
            head, by = record.hash, None
            records.append(record)
        return records

    def _record(  # noqa: PLR0913, PLR0917 - the parts of a record
        self, version: int, head: str, event_type: str, event: object, at: str, request: str, by: BotMove | None
    ) -> Record:
        data, hidden = redaction.split(event)
        bot: Mapping[str, Plain] | None = None
        if by is not None:
            bot, of_bot = redaction.split(by)
            (hidden[chain.THOUGHT],) = of_bot.values()
        sealed = {
            pointer: chain.seal(self.secrets.salt(version, pointer), part.value) for pointer, part in hidden.items()
        }
        public: dict[str, Plain] = {
            "game_id": self.secrets.game_id,
            "version": version,
            "type": event_type,
            "at": at,
            "seat": getattr(event, "seat", None),
            "data": data,
            "sealed": sealed,
            **({} if bot is None else {"bot": bot}),
        }
        return Record(**public, hash=chain.link(head, public, self.canonical), hidden=hidden, request=request)


def verify(
    records: Iterable[Record], head: str, secrets: Secrets, write: Callable[[Plain], bytes] = chain.canonical
) -> None:
    """Check stored records against the hash before them, and their hidden parts against their seals.

    ``secrets`` are those of their game, before or after them.

    Raise ``chain.BrokenChain``. ``write`` can be any faster writer of the canonical form: if its hash does not match,
    ``chain.canonical`` decides.
    """
    for record in records:
        sealed_form = record.sealed_form()
        if chain.link(head, sealed_form, write) != record.hash and chain.link(head, sealed_form) != record.hash:
            raise chain.BrokenChain(record.version, "the hash does not match the event")
        if record.hidden.keys() != record.sealed.keys():
            raise chain.BrokenChain(record.version, "its hidden parts are not the sealed ones")
        for pointer, part in record.hidden.items():
            if chain.seal(secrets.salt(record.version, pointer), part.value) != record.sealed[pointer]:
                raise chain.BrokenChain(record.version, f"the value at {pointer} does not match its seal")
        if record.type == REVEALED:
            secrets = secrets.after(record.version)
        head = record.hash


def visible(
    record: Record, secrets: Secrets, viewer: int | None, *, everything: bool, finished_deals: bool = False
) -> dict[str, Plain]:
    """Build the event that a viewer can see: the public data, and the viewer's own parts with their salts.

    ``viewer`` is a seat, or None for a spectator; ``everything`` opens all parts, once the game is over, and
    ``finished_deals`` those whose secret has been revealed.
    """
    values = redaction.seen_by(record.hidden, viewer, everything=everything) if record.hidden else {}
    if finished_deals:
        values |= {at: part.value for at, part in record.hidden.items() if secrets.is_open(record.version, at)}
    salts = {pointer: secrets.salt(record.version, pointer) for pointer in values}
    shown = record.sealed_form()
    if chain.THOUGHT in values:
        shown["bot"] = {**shown["bot"], "thought": values.pop(chain.THOUGHT)}
    if values:
        shown["data"] = redaction.merged(record.data, values)
    return {**shown, "salts": salts, "hash": record.hash}
