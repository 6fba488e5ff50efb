"""A message: what is to be said, apart from any language. Its parameters have types, which each language words.

Players appear as seats or ids, never by name: the code that puts a message into words knows the names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, Union

from domain.serialization import Plain
from domain.table import Seat


@dataclass(frozen=True, slots=True)
class AtSeat:
    """The player or bot that holds a seat."""

    value: Seat


@dataclass(frozen=True, slots=True)
class Player:
    """A player, by id."""

    value: str


@dataclass(frozen=True, slots=True)
class Number:
    """How many, or which one."""

    value: int


def seat_number(seat: Seat) -> Number:
    """Return the number of a seat as people count: the interface calls the first seat 0, and a sentence seat 1."""
    return Number(seat + 1)


@dataclass(frozen=True, slots=True)
class Score:
    """Points won or lost: a number with its sign."""

    value: int


@dataclass(frozen=True, slots=True)
class Card:
    """A card, by its code."""

    value: str


@dataclass(frozen=True, slots=True)
class Text:
    """A code or a name that is the same in every language."""

    value: str


@dataclass(frozen=True, slots=True)
class Decimal:
    """A number that can have a fraction, written with a point; each language has its own mark."""

    value: str


@dataclass(frozen=True, slots=True)
class Items:
    """Several parameters, to be listed."""

    value: tuple["Parameter", ...]


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be said: an entry of the catalogues, and its parameters by name."""

    id: str
    parameters: Mapping[str, "Parameter"] = field(default_factory=dict)


Parameter: TypeAlias = Union[AtSeat, Player, Number, Score, Card, Text, Decimal, Items, Message]  # noqa: UP007 - names itself


def message(message_id: str, /, **parameters: Parameter) -> Message:
    """Return a message with its parameters by keyword."""
    return Message(message_id, parameters)


_KINDS: Mapping[type, tuple[str, str]] = {
    AtSeat: ("seat", "seat"),
    Player: ("player", "player"),
    Number: ("number", "number"),
    Score: ("score", "number"),
    Card: ("card", "card"),
    Text: ("text", "text"),
    Decimal: ("text", "text"),
    Items: ("list", "items"),
    Message: ("message", "message"),
}
"""The kind of each type of parameter, and the key of its value, in plain data."""


def plain(parameter: Parameter) -> dict[str, Plain]:
    """Write a parameter as plain data: its kind, and its value."""
    kind, key = _KINDS[type(parameter)]
    value: Plain
    match parameter:
        case Items(items):
            value = [plain(item) for item in items]
        case Message(id, parameters):
            value = {"id": id, "params": {name: plain(each) for name, each in parameters.items()}}
        case _:
            value = parameter.value
    return {"kind": kind, key: value}
