"""Suits exchanged: a mask names, in four letters, the suits that S, H, D and C become, such as ``HSDC``."""

from collections.abc import Callable, Collection, Iterable
from functools import cache, partial
from itertools import permutations
from typing import Any, TypeAlias, TypeVar, cast

from domain import field_types as ft
from domain.cardplay.cards import SUITS, Card, is_of_a_suit
from domain.symmetries import Mask

T = TypeVar("T")

Order: TypeAlias = Callable[[Iterable[Card]], tuple[Card, ...]]
"""Puts the cards of a list into the order that the list must have."""

ORDERS: tuple[Mask, ...] = tuple(map("".join, permutations(SUITS)))
"""The 24 orders of the suits, first that which exchanges nothing."""


def inverse(mask: Mask) -> Mask:
    """Return the mask that exchanges the suits back."""
    return "".join(SUITS[mask.index(suit)] for suit in SUITS)


@cache
def masked_code(mask: Mask, code: str) -> str:
    """Return what a card or a suit becomes; any other code stays."""
    if code in SUITS:
        return mask[SUITS.index(code)]
    return code[:-1] + mask[SUITS.index(code[-1])] if is_of_a_suit(code) else code


def keeping(pack: Collection[Card]) -> tuple[Mask, ...]:
    """List the masks under which a pack has the same cards as before."""
    return tuple(mask for mask in ORDERS if {*pack} == {masked_code(mask, card) for card in pack})


def masked_cards(mask: Mask, value: T, order: Order = tuple) -> T:
    """Mask every card and suit in an event or an action, and put each list of cards in it into order."""
    cls: type = type(value)
    change = _of_class(cls, mask, order)
    return cast("T", change(value)) if change else value


_Change: TypeAlias = Callable[[Any], Any]


@cache
def _of_class(cls: type, mask: Mask, order: Order) -> _Change | None:
    """Return the function that masks a dataclass; None if nothing in it changes."""
    types = {part.name: ft.OrNone(part.type) if part.omittable else part.type for part in ft.fields_of(cls)}
    changes = {name: change for name, tp in types.items() if (change := _of_type(tp, mask, order))}
    if not changes:
        return None
    stays = [name for name in types if name not in changes]
    return lambda value: cls(
        **{name: getattr(value, name) for name in stays},
        **{name: change(getattr(value, name)) for name, change in changes.items()},
    )


def _of_type(tp: ft.FieldType, mask: Mask, order: Order) -> _Change | None:
    match tp:
        case ft.Text(pick="card") | ft.OneOf(values=("S", "H", "D", "C")):
            return partial(masked_code, mask)
        case ft.OrNone(inner) if change := _of_type(inner, mask, order):
            return partial(_unless_none, change)
        case ft.ListOf(inner) if change := _of_type(inner, mask, order):
            arranged = order if isinstance(inner, ft.Text) else tuple
            return lambda values: arranged(map(change, values))
        case ft.Nested(cls):
            return _of_class(cls, mask, order)
        case _:
            return None


def _unless_none(change: _Change, value: Any) -> Any:
    return None if value is None else change(value)
