"""Telling an event: from what its reader can see of it to a message.

A teller sees the event that ``domain.log.record.visible`` shows, so what is hidden from a reader cannot be told.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from domain.sentences.message import AtSeat, Card, Items, Message, Number, Parameter, Player, Score, Text
from domain.serialization import Plain
from domain.table import Seat


@dataclass(frozen=True, slots=True)
class Told:
    """What a reader can see of an event, without its place in the log and its seals."""

    type: str
    seat: Seat | None
    data: Mapping[str, Plain]


Teller: TypeAlias = Callable[[Told], Message]
Tellers: TypeAlias = Mapping[str, Teller]
"""How to tell events, by their types."""

_Read: TypeAlias = Callable[[Told], Parameter]


def says(message_id: str, /, **read: _Read) -> Teller:
    """Tell an event by a message; ``{field}`` in its id is the value of that field, so each value has its own entry."""
    has_fields = "{" in message_id

    def tell(event: Told) -> Message:
        chosen = message_id.format_map(event.data).lower() if has_fields else message_id
        return Message(chosen, {name: each(event) for name, each in read.items()})

    return tell


def if_shown(key: str, shown: Teller, otherwise: Teller) -> Teller:
    """Tell an event in one way if its reader can see a field (present, and not null), else in another."""
    return lambda event: (otherwise if event.data.get(key) is None else shown)(event)


def actor(event: Told) -> AtSeat:
    """Return the seat that acted."""
    if event.seat is None:
        raise TypeError(f"no seat acts in {event.type}")
    return AtSeat(event.seat)


def seat(key: str) -> _Read:
    """Read a seat."""
    return lambda event: AtSeat(event.data[key])


def player(key: str) -> _Read:
    """Read the id of a player."""
    return lambda event: Player(event.data[key])


def number(key: str) -> _Read:
    """Read a number."""
    return lambda event: Number(event.data[key])


def text(key: str) -> _Read:
    """Read a code or a name."""
    return lambda event: Text(event.data[key])


def card(key: str) -> _Read:
    """Read a card."""
    return lambda event: Card(event.data[key])


def cards(key: str) -> _Read:
    """Read cards, as a list."""
    return lambda event: card_list(event.data[key])


def term(key: str, kind: str) -> _Read:
    """Read one of a few words, which has its own entry in the catalogues: ``<kind>.<word>``."""
    return lambda event: Message(f"{kind}.{event.data[key]}")


def scores(event: Told) -> Items:
    """Read the field ``scores``: each seat, with what it won or lost."""
    listed = enumerate(event.data["scores"])
    return Items(tuple(Message("score_of", {"seat": AtSeat(at), "score": Score(score)}) for at, score in listed))


def card_list(codes: list[str]) -> Items:
    """List cards."""
    return Items(tuple(map(Card, codes)))
