"""Which action of a seat led to the events in a log: found from the events, without knowing the ruleset.

The fields of an action are mostly among those of the events that it leads to. So actions are first made from what the
events hold, and then taken from the list of legal ones.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import chain, islice, product, takewhile

from domain import field_types as ft
from domain.errors import Rejected
from domain.game.aggregate import Game
from domain.log.record import Shown
from domain.serialization import Plain, reader
from domain.table import Seat
from domain.wellformed import form_of

REACH = 9
"""From how many events the parts of an action are taken."""
MOST_MADE = 64
"""How many actions of each kind are made from the parts of the events."""
MOST_LISTED = 20_000
"""How many of the legal actions are tried."""

ILL_FORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, AssertionError)
"""What data of a wrong form can raise anywhere in the rules, which trust it."""

_NOTHING = object()


class Fit(IntEnum):
    """How well the events that an action decides fit those of a log."""

    NOT = 0
    IN_TYPE = 1
    IN_CONTENT = 2
    IN_FULL = 3


class Told:
    """The events of a log from a place on, each read when it is asked for.

    ``data`` is the data of the first of them that can say what the action was: the seat's own, at most ``REACH``.
    """

    def __init__(
        self, known: Mapping[str, type], log: Sequence[Shown], start: int, read: Callable[[Shown], object]
    ) -> None:
        self._known = known
        self._log = log
        self._start = start
        self._read = read
        self._events: list[object] = []
        first = log[start]
        self.kind = known[first["type"]]
        near = log[start : start + REACH]
        own = takewhile(lambda each: each["seat"] == first["seat"] and each["type"] in known, near)
        self.data = [each["data"] for each in own]

    def fit(self, decided: Sequence[object]) -> Fit:
        """Return how well the events fit that an action decides: they are of one request, so of one time."""
        if not decided or type(decided[0]) is not self.kind:
            return Fit.NOT
        if any(self._event(place) != event for place, event in enumerate(decided)):
            return Fit.IN_TYPE
        times = {each["at"] for each in self._log[self._start : self._start + len(decided)]}
        return Fit.IN_FULL if len(times) == 1 else Fit.IN_CONTENT

    def can_go_on(self, count: int) -> bool:
        """Return whether the action can have led to more than so many of the events."""
        first, place = self._log[self._start], self._start + count
        if place == len(self._log):
            return False
        after = self._log[place]
        is_own = after["seat"] == first["seat"] and after["type"] in self._known and "bot" not in after
        return is_own and bool(after["at"] == first["at"])

    def _event(self, place: int) -> object:
        while len(self._events) <= place < len(self._log) - self._start:
            shown = self._log[self._start + len(self._events)]
            try:
                self._events.append(self._read(shown) if shown["type"] in self._known else _NOTHING)
            except ILL_FORMED:
                self._events.append(_NOTHING)
        return self._events[place] if place < len(self._events) else _NOTHING


class Candidates:
    """Finds the actions behind the events of one game; it tries first what was found for the same type of event."""

    def __init__(self) -> None:
        self._found: dict[type, type] = {}

    def action_behind(self, game: Game, seat: Seat, told: Told) -> object:
        """Return the action of a seat that led to the first of some events, None if there is none.

        Of several actions, it is the one that leads to exactly these events, and to most of them, if there is one; else
        the one that fits best, so that a comparison names what differs.
        """
        best, close, decide = (Fit.NOT, 0), None, game.ruleset.decide
        for action in self._actions(game, seat, told.kind, told.data):
            try:
                decided = decide(game.state, seat, action)
            except Rejected:
                continue
            fit = told.fit(decided)
            rank = (fit, len(decided) if fit is Fit.IN_FULL else 0)
            if rank > best:
                best, close = rank, action
            if fit is Fit.IN_FULL and not told.can_go_on(len(decided)):
                break
        if best[0] is Fit.IN_FULL:
            self._found[told.kind] = type(close)
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
