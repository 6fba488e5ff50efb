"""A game that is entered number by number, and whose chance comes byte by byte, as OpenSpiel plays it."""

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NoReturn

import orjson

from domain.chance import Chance
from domain.registry import RULESETS
from domain.table import EVERYTHING, Seat, Viewer
from workers.research.actions import Choices, Word, numbering
from workers.research.tables import Position, Table

BYTES = 8
"""How many bytes are drawn for a deal."""


class _NeedsChance(Exception):
    """The game needs random numbers."""


class _Undrawn(Chance):
    __slots__ = ()

    def below(self, label: str, number: int, limit: int) -> NoReturn:  # noqa: ARG002 - that of Chance
        raise _NeedsChance

    def permutation(self, label: str, number: int, items: Sequence[Any]) -> NoReturn:  # noqa: ARG002 - that of Chance
        raise _NeedsChance


_UNDRAWN = _Undrawn(b"", "", ())
_NOTHING = Choices((), None, {})


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a game: its position, the numbers entered of an action, the bytes drawn of a deal.

    There is no ``position`` before the first deal. An action after which something is drawn is ``pending`` until then.
    A moment never changes, so copies share it.
    """

    table: Table
    position: Position | None = None
    seat: Seat | None = None
    """The seat to act, if there is one."""
    choices: Choices = _NOTHING
    pending: Any = None
    drawn: bytes = b""
    _seen: MutableMapping[Viewer, str] = field(default_factory=dict, compare=False)

    @property
    def is_drawing(self) -> bool:
        return self.position is None or self.pending is not None

    def after(self, number: int) -> "Moment":
        """Enter a number; raise ``ValueError`` if it cannot come next."""
        if self.position is None:
            raise ValueError("nothing can be entered before the deal")
        choices = self.choices.after(number)
        if choices.action is None:
            return replace(self, choices=choices, _seen={})
        try:
            return moment_at(self.position.after(choices.action))
        except _NeedsChance:
            return replace(self, seat=None, choices=choices, pending=choices.action, _seen={})

    def drew(self, byte: int) -> "Moment":
        drawn = self.drawn + bytes([byte])
        if len(drawn) < BYTES:
            return replace(self, drawn=drawn, _seen={})
        chance = self.table.chance(int.from_bytes(drawn, "big"))
        if self.position is None:
            return moment_at(self.table.begun(chance)[1])
        return moment_at(replace(self.position, chance=chance).after(self.pending))

    def resampled(self, seat: Seat, rng: Random) -> "Moment":
        """Redeal everything that a seat does not see; the numbers that it has entered stay.

        While bytes are drawn, there is nothing to redeal: the last deal is over.
        """
        if self.position is None or self.is_drawing:
            return self
        new = moment_at(self.position.resampled(seat, rng))
        for number in self.entered_by(seat):
            new = new.after(number)
        return new

    def entered_by(self, seat: Seat) -> Word:
        return self.choices.entered if seat == self.seat else ()

    def seen(self, viewer: Viewer) -> str:
        """Write everything that a viewer knows of the deal: the view, and the numbers that it has entered, as JSON."""
        if viewer not in self._seen:
            entered = self.choices.entered if viewer in (self.seat, EVERYTHING) else ()
            view = None if self.position is None else self.position.view(viewer)
            self._seen[viewer] = orjson.dumps([entered, view]).decode()
        return self._seen[viewer]

    def __deepcopy__(self, _memo: Any) -> "Moment":
        return self

    def __reduce__(self) -> Any:
        table, position = self.table, self.position
        about_table = table.ruleset.id, table.seats, table.options, table.whole_game
        state = None if position is None else position.state
        return _restored, (about_table, state, self.choices.entered, self.drawn)


def first_moment(table: Table) -> Moment:
    try:
        return moment_at(table.begun(_UNDRAWN)[1])
    except _NeedsChance:
        return Moment(table)


def moment_at(position: Position) -> Moment:
    """Return the moment at which a seat must act, or the game is over; later deals are not drawn yet."""
    table, seat = position.table, position.seat
    undrawn = Position(table, position.state, _UNDRAWN)
    choices = _NOTHING if seat is None else numbering(table.ruleset.id).choices(undrawn)
    return Moment(table, undrawn, seat, choices)


def _restored(about_table: tuple[str, int, Any, bool], state: Any, entered: Word, drawn: bytes) -> Moment:
    ruleset_id, *rest = about_table
    table = Table(RULESETS[ruleset_id], *rest)
    if state is None:
        return Moment(table, drawn=drawn)
    moment = moment_at(Position(table, state, _UNDRAWN))
    for number in entered:
        moment = moment.after(number)
    return replace(moment, drawn=drawn)
