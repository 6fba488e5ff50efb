"""Actions close to a given one: each field changed to every other value that its type allows."""

from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass, replace
from typing import Any, get_args, get_origin

from domain.cards import TAROT_PACK
from domain.plain import bare, literals, plain_fields, to_plain
from tests.domain.laws.facts import facts_of


def changed(action: Any) -> Iterator[Any]:
    """List actions that differ from this one in one place."""
    for part in plain_fields(type(action)):
        value = getattr(action, part.name)
        others = [*_others(value, bare(part.type))]
        if part.omittable:
            others = [True, False] if value is None else [None, *others]
        for other in others:
            yield replace(action, **{part.name: other})


def same_meaning(action: Any) -> Any:
    """Give what two actions share when they mean the same: lists in actions are sets, unless they are ordered."""
    name, ordered = type(action).__name__, facts_of(type(action).__module__.split(".")[1]).ORDERED
    return name, tuple(
        (field, str(value) if (name, field) in ordered else _sorted(value))
        for field, value in sorted(to_plain(action).items())
    )


def _others(value: Any, tp: Any) -> Iterator[Any]:
    closed = literals(tp)
    if closed is not None:
        yield from (other for other in closed if other != value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (other for other in range(-1, 7) if other != value)
    elif isinstance(value, str):
        yield from (card for card in TAROT_PACK if card != value)
    elif isinstance(value, tuple):
        yield from _other_tuples(value, bare(get_args(tp)[0]) if get_origin(tp) is tuple else Any)
    elif is_dataclass(value):
        yield from changed(value)


def _other_tuples(items: Sequence[Any], tp: Any) -> Iterator[tuple[Any, ...]]:
    yield ()
    yield tuple(reversed(items))
    for index, item in enumerate(items):
        yield (*items[:index], *items[index + 1 :])
        yield (*items, item)
        for other in _others(item, tp):
            yield (*items[:index], other, *items[index + 1 :])


def _sorted(plain: Any) -> Any:
    if isinstance(plain, dict):
        return tuple((key, _sorted(value)) for key, value in sorted(plain.items()))
    if isinstance(plain, list):
        return tuple(sorted(map(_sorted, plain)))
    return plain
