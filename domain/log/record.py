"""The log of a game: a decided event becomes a record, chained and sealed, of which a viewer sees a part.

A record is stored whole; ``visible`` is the only way for a record to reach a viewer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

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


class Content(NamedTuple):
    """What an event says, apart from its place in a log: its type, seat and public data, and its hidden parts.

    ``bot`` is what is public of the bot that moved, if one did.
    """

    type: str
    seat: int | None
    data: Mapping[str, Plain]
    hidden: Mapping[str, Hidden]
    bot: Mapping[str, Plain] | None = None


def repeated(record: Record) -> Content:
    """Return what another log says that repeats an event: all of it, but which bot made it."""
    hidden = {pointer: part for pointer, part in record.hidden.items() if pointer != chain.THOUGHT}
    return Content(record.type, record.seat, record.data, hidden)


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
        contents = [_content(event_type, event) for event_type, event in events]
        if by is not None:
            contents[0] = _by_bot(contents[0], by)
        return self.write_again(contents, at, request)

    def write_again(self, contents: Iterable[Content], at: str, request: str) -> list[Record]:
        """Record what events say after the log's last version, at one time, for one request."""
        records = []
        version, head = self.version, self.head
        for content in contents:
            version += 1
            record = self._record(version, head, content, at, request)
            head = record.hash
            records.append(record)
        return records

    def _record(self, version: int, head: str, content: Content, at: str, request: str) -> Record:
        hidden = content.hidden
        sealed = {
            pointer: chain.seal(self.secrets.salt(version, pointer), part.value) for pointer, part in hidden.items()
        }
        public: dict[str, Plain] = {
            "game_id": self.secrets.game_id,
            "version": version,
            "type": content.type,
            "at": at,
            "seat": content.seat,
            "data": content.data,
            "sealed": sealed,
            **({} if content.bot is None else {"bot": content.bot}),
        }
        return Record(**public, hash=chain.link(head, public, self.canonical), hidden=hidden, request=request)


def _content(event_type: str, event: object) -> Content:
    data, hidden = redaction.split(event)
    return Content(event_type, getattr(event, "seat", None), data, hidden)


def _by_bot(content: Content, by: BotMove) -> Content:
    """Add the bot that made an event, and what it thought, which is hidden."""
    bot, of_bot = redaction.split(by)
    (thought,) = of_bot.values()
    return content._replace(hidden={**content.hidden, chain.THOUGHT: thought}, bot=bot)


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
    for pointer in secrets.withheld:
        values.pop(pointer, None)
    salts = {pointer: secrets.salt(record.version, pointer) for pointer in values}
    shown = record.sealed_form()
    if chain.THOUGHT in values:
        shown["bot"] = {**shown["bot"], "thought": values.pop(chain.THOUGHT)}
    if values:
        shown["data"] = redaction.merged(record.data, values)
    return {**shown, "salts": salts, "hash": record.hash}
