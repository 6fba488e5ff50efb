"""Checks that actions, options and seats have their declared form, before any rule sees them.

The rules judge values (is this card held, can this be bid) and rely on the form. So every ruleset checks the form
first, and rejects anything else with the domain's own errors, never with a ``KeyError`` from a table.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias, TypeGuard

from domain import field_types as ft
from domain.errors import IllegalAction, InvalidOptions, OptionProblem
from domain.sentences.message import Message, Number, Parameter, Text, message
from domain.serialization import Plain
from domain.table import Seat

Check: TypeAlias = Callable[[object], Message | None]
"""Returns what is wrong with a value, with the path to the fault; None if the value has the declared form."""

_LARGEST = 2**53 - 1
"""The largest integer that every reader of JSON keeps exactly."""


def check_action(actions: Mapping[str, type], seat: Seat, action: object, rule: str) -> None:
    """Reject an action that does not have the form of any of ``actions``; raise ``IllegalAction``."""
    if not is_whole(seat):
        raise IllegalAction("no-such-seat", message("fault.not.seat", value=shown(seat)), rule)
    if type(action) not in actions.values():
        said = message("fault.unknown-action", value=shown(action), actions=Text(", ".join(actions)))
        raise IllegalAction("unknown-action", said, rule)
    fault = fault_of(type(action), action)
    if fault is not None:
        raise IllegalAction("malformed-action", fault, rule)


def check_seat(seats: int, seat: Seat, rule: str) -> None:
    """Reject a seat that does not exist at a table of this size; raise ``IllegalAction``."""
    if not is_whole(seat) or not 0 <= seat < seats:
        said = message("fault.no-such-seat", value=shown(seat), last=Number(seats - 1))
        raise IllegalAction("no-such-seat", said, rule)


def check_agreement(offered: Mapping[str, object], kind: str, rule: str) -> None:
    """Reject what cannot be agreed on now; raise ``IllegalAction``."""
    if type(kind) is not str or kind not in offered:
        raise IllegalAction("nothing-to-agree", message("fault.nothing-to-agree", kind=shown(kind)), rule)


def check_options(options: type, given: Mapping[str, Plain], allowed: range, seats: int) -> None:
    """Reject unknown options, values of the wrong type, and an impossible number of seats.

    Raise ``InvalidOptions`` with all problems. The ruleset's choices decide which values an option can have.
    """
    check_number_of_seats(allowed, seats)
    if not _is_mapping(given):
        raise InvalidOptions([OptionProblem("options", "wrong-type", message("fault.options", value=shown(given)))])
    checks = _option_checks(options)
    problems = []
    for name, value in given.items():
        if type(name) is not str or name not in checks:
            said = message("fault.unknown-option", option=shown(name), options=Text(", ".join(checks)))
            problems.append(OptionProblem(name[:80] if type(name) is str else "", "unknown-option", said))
        elif fault := checks[name](value):
            problems.append(OptionProblem(name, "wrong-type", message("fault.at", at=Text(name), fault=fault)))
    if problems:
        raise InvalidOptions(problems)


def check_number_of_seats(allowed: range, seats: int, game: str | None = None) -> None:
    """Reject a number of seats that the game cannot be played with; raise ``InvalidOptions``."""
    if not is_whole(seats) or seats not in allowed:
        number = message("range", least=Number(allowed[0]), most=Number(allowed[-1]))
        said = message(
            "fault.number-of-seats",
            game=Text(game) if game else message("this_game"),
            number=number if len(allowed) > 1 else Number(allowed[0]),
            seats=shown(seats),
        )
        raise InvalidOptions([OptionProblem("seats", "number-of-seats", said)])


def fault_of(cls: type, value: object) -> Message | None:
    """Return what is wrong with a value as an object of ``cls``; None if it has the declared form."""
    return _action_check(cls)(value)


def form_of(tp: ft.FieldType) -> Callable[[object], bool]:
    """Return the test whether a value has the declared form of a type of which actions are made."""
    check = _check(tp, plain=False)
    return lambda value: check(value) is None


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer, not true or false, that JSON readers keep exactly."""
    return type(value) is int and -_LARGEST <= value <= _LARGEST


def _is_short(value: object) -> bool:
    return value is None or type(value) is bool or is_whole(value) or (type(value) is str and len(value) <= 40)


def shown(value: object) -> Parameter:
    """Describe any value in a message: a short plain value as JSON, any other by its type, in each language's words."""
    if _is_short(value):
        return Text(json.dumps(value))
    return message("value_of_type", type=Text(type(value).__name__[:64]))


def _is_mapping(given: object) -> bool:
    return isinstance(given, Mapping)


@cache
def _action_check(cls: type) -> Check:
    return _check(ft.Nested(cls), plain=False)


@cache
def _option_checks(cls: type) -> Mapping[str, Check]:
    return {
        option.key: _check(ft.OrNone(option.type) if option.omittable else option.type, plain=True)
        for option in ft.fields_of(cls)
    }


def _check(tp: ft.FieldType, *, plain: bool) -> Check:
    """Return the check of a type. Plain data has lists for tuples; of one of a few values, only the type counts."""
    if isinstance(tp, ft.Scalar):
        return _scalar_check(tp, plain=plain)
    match tp:
        case ft.OrNone(inner):
            check = _check(inner, plain=plain)
            return lambda value: None if value is None else check(value)
        case ft.ListOf(item):
            return _list_check(_check(item, plain=plain), (tuple, list) if plain else (tuple,))
        case ft.Nested(cls):
            return _dataclass_check(cls, plain=plain)
        case ft.MapOf() | ft.Anything():
            raise TypeError(f"neither actions nor options hold values of the type {tp}")


def _scalar_check(tp: ft.Scalar, *, plain: bool) -> Check:
    match tp:
        case ft.Text(pattern):
            return _text_check(pattern)
        case ft.Integer():
            return _fault_unless(is_whole, "integer")
        case ft.Boolean():
            return _fault_unless(lambda value: type(value) is bool, "boolean")
        case ft.OneOf(values):
            fits = _has_type_of(values) if plain else is_among(values)
            return _fault_unless(fits, "among", values=Text(", ".join(map(json.dumps, values))))


def _fault_unless(fits: Callable[[object], object], expected: str, **more: Parameter) -> Check:
    return lambda value: None if fits(value) else message(f"fault.not.{expected}", value=shown(value), **more)


def _text_check(pattern: ft.Pattern | None) -> Check:
    if pattern is None:
        return _fault_unless(lambda value: type(value) is str, "string")
    matches = re.compile(pattern.regex).fullmatch
    return _fault_unless(lambda value: type(value) is str and matches(value), "code", kind=Text(pattern.name))


def is_among(values: tuple[object, ...]) -> Callable[[object], bool]:
    """Return the test whether a value is one of a few, with the same type: 5.0 and true are not 5 and 1."""
    listed = {(type(value), value) for value in values}
    types = {type(value) for value in values}
    return lambda value: type(value) in types and (type(value), value) in listed


def _has_type_of(values: tuple[object, ...]) -> Callable[[object], bool]:
    types = {type(value) for value in values}
    return lambda value: type(value) in types and (type(value) is not int or is_whole(value))


def _list_check(check: Check, allowed: tuple[type, ...]) -> Check:
    def checked(value: Plain) -> Message | None:
        if type(value) not in allowed:
            return message("fault.not.list", value=shown(value))
        for index, item in enumerate(value):
            fault = check(item)
            if fault is not None:
                return message("fault.at", at=Number(index), fault=fault)
        return None

    return checked


def _dataclass_check(cls: type, *, plain: bool) -> Check:
    parts = [
        (f.name, f.key, _check(ft.OrNone(f.type) if f.omittable else f.type, plain=plain)) for f in ft.fields_of(cls)
    ]

    def checked(value: object) -> Message | None:
        if type(value) is not cls:
            return message("fault.not.object", value=shown(value), kind=Text(cls.__name__.lower()))
        for name, key, check in parts:
            fault = check(getattr(value, name))
            if fault is not None:
                return message("fault.at", at=Text(key), fault=fault)
        return None

    return checked
