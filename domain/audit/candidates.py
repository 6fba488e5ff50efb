"""Which action of a seat led to the events in a log: found from the events, without knowing the ruleset.

The fields of an action are mostly among those of the events that it leads to. So actions are first made from what the
events hold, and then taken from the list of legal ones.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, product

from domain import field_types as ft
from domain.errors import IllegalAction
from domain.game.aggregate import Game
from domain.serialization import Plain, reader
from domain.table import Seat
from domain.wellformed import form_of

MOST_MADE = 64
"""How many actions of each kind are made from the parts of the events."""
MOST_LISTED = 20_000
"""How many of the legal actions are tried."""

_NOTHING = object()


class Candidates:
    """Finds the actions behind the events of one game; it tries first what was found for the same type of event."""

    def __init__(self) -> None:
        self._found: dict[type, type] = {}

    def action_behind(
        self, game: Game, seat: Seat, told: Sequence[object], data: Sequence[Mapping[str, Plain]]
    ) -> object:
        """Return the action of a seat that led to the first of some events, None if there is none.

        ``told`` are the events from there on, and ``data`` the data of those that can say what the action was. Of
        several actions, it is one that leads to exactly these events, if there is one; else one whose first event is of
        the same type, so that a comparison names what differs.
        """
        close, decide = None, game.ruleset.decide
        kind = type(told[0])
        for action in self._actions(game, seat, kind, data):
            try:
                decided = decide(game.state, seat, action)
            except IllegalAction:
                continue
            if [*told[: len(decided)]] == decided:
                self._found[kind] = type(action)
                return action
            if close is None and type(decided[0]) is kind:
                close = action
        return close

    def _actions(self, game: Game, seat: Seat, kind: type, data: Sequence[Mapping[str, Plain]]) -> Iterator[object]:
        last = self._found.get(kind)
        for cls in sorted(game.ruleset.actions.values(), key=lambda each: each is not last):
            yield from _made(cls, data)
        yield from _likely_first(islice(game.ruleset.legal_actions(game.state, seat), MOST_LISTED), data)


def _likely_first(actions: Iterable[object], data: Sequence[Mapping[str, Plain]]) -> Iterator[object]:
    """Put those actions first of which every part is somewhere in the events: trying one takes much longer."""
    told, others = {*chain.from_iterable(map(_leaves, data))}, list[object]()
    for action in actions:
        if told.issuperset(_leaves(action)):
            yield action
        else:
            others.append(action)
    yield from others


def _leaves(value: object) -> Iterator[object]:
    """Return the texts, numbers and nulls in a value."""
    if isinstance(value, str | int) or value is None:
        yield value
    elif isinstance(value, Mapping):
        yield from chain.from_iterable(map(_leaves, value.values()))
    elif isinstance(value, list | tuple):
        yield from chain.from_iterable(map(_leaves, value))
    else:
        for field in ft.fields_of(type(value)):
            yield from _leaves(getattr(value, field.name))


def _made(cls: type, data: Sequence[Mapping[str, Plain]]) -> Iterator[object]:
    """Make actions of a class from the parts of events: by the names of its fields, or else by their types."""
    parts = _parts(cls)
    found = [_values(part, data) for part in parts]
    for values in islice(product(*found), MOST_MADE):
        given = zip((part.field.name for part in parts), values, strict=True)
        yield cls(**{name: item for name, item in given if item is not _NOTHING})


def _values(part: "_Part", data: Sequence[Mapping[str, Plain]]) -> list[object]:
    """Return the values that a field can have; ``_NOTHING`` stands for its default."""
    field = part.field
    named = [*part.fitting(each[field.key] for each in data if field.key in each)]
    fitting = named[:1] or [*part.fitting(chain.from_iterable(each.values() for each in data))]
    if field.omittable:
        return [*fitting, None]
    return fitting if field.required else [*fitting, _NOTHING]


@dataclass(frozen=True, slots=True)
class _Part:
    """A field of an action, and how its values are read and recognized."""

    field: ft.Field
    read: Callable[[Plain], object]
    fits: Callable[[object], bool]

    def fitting(self, values: Iterable[Plain]) -> Iterator[object]:
        """Return those of some plain values that have the form of the field."""
        for plain in values:
            try:
                item = self.read(plain)
            except (LookupError, TypeError, ValueError, AttributeError):
                continue
            if self.fits(item):
                yield item


@cache
def _parts(cls: type) -> Sequence[_Part]:
    return tuple(_Part(field, reader(field.type), form_of(field.type)) for field in ft.fields_of(cls))
