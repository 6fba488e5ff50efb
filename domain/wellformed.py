"""Whether what is asked for is of its declared form: actions, options and seats that the rules have never heard of.

The rules judge values (is this card held, may this be bid); they rely on the form. So every ruleset checks the form
first, and whatever does not fit is refused with the domain's own errors, never with a ``KeyError`` from a table.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any, TypeAlias, TypeGuard, cast, get_args, get_origin

from domain.errors import IllegalAction, InvalidOptions, OptionProblem
from domain.serialization import Pattern, Plain, bare, literals, optional, plain_fields
from domain.table import Seat

Check: TypeAlias = Callable[[Any], str | None]
"""Says what is wrong with a value, with the path to the place; None if it is of the declared form."""

_LARGEST = 2**53 - 1
"""The largest integer that every reader of JSON keeps exactly."""


def check_action(actions: Mapping[str, type], seat: Seat, action: Any, rule: str) -> None:
    """Refuse an action that is not of the form of any of ``actions``; raises ``IllegalAction``."""
    if not is_whole(seat):
        raise IllegalAction("no-such-seat", f"{described(seat)} is not a seat", rule)
    if type(action) not in actions.values():
        message = f"{described(action)} is not an action; there are: {', '.join(actions)}"
        raise IllegalAction("unknown-action", message, rule)
    fault = fault_of(type(action), action)
    if fault is not None:
        raise IllegalAction("malformed-action", fault, rule)


def check_seat(seats: int, seat: Seat, rule: str) -> None:
    """Refuse a seat that a table of so many does not have; raises ``IllegalAction``."""
    if not is_whole(seat) or not 0 <= seat < seats:
        raise IllegalAction("no-such-seat", f"{described(seat)} is not a seat; there are 0 to {seats - 1}", rule)


def check_agreement(offered: Mapping[str, Any], kind: str, rule: str) -> None:
    """Refuse what cannot be agreed on now; raises ``IllegalAction``."""
    if type(kind) is not str or kind not in offered:
        raise IllegalAction("nothing-to-agree", f"{described(kind)} cannot be agreed on now", rule)


def check_options(options: type, given: Mapping[str, Plain], allowed: range, seats: int) -> None:
    """Refuse unknown options, values of another type, and a number of seats that the game is not played with.

    Raises ``InvalidOptions`` with all problems. Which values an option can have is for the ruleset's choices to say.
    """
    check_number_of_seats(allowed, seats)
    if not _is_mapping(given):
        message = f"options: {described(given)} is not a mapping from names to values"
        raise InvalidOptions([OptionProblem("options", "wrong-type", message)])
    types = {option.key: option.type for option in plain_fields(options)}
    problems = []
    for name, value in given.items():
        if type(name) is not str or name not in types:
            message = f"{described(name)} is not an option of this game; there are: {', '.join(types)}"
            problems.append(OptionProblem(name[:80] if type(name) is str else "", "unknown-option", message))
        elif fault := _plain_check(types[name])(value):
            problems.append(OptionProblem(name, "wrong-type", f"{name}: {fault}"))
    if problems:
        raise InvalidOptions(problems)


def check_number_of_seats(allowed: range, seats: int, game: str = "this game") -> None:
    """Refuse a number of seats that the game is not played with; raises ``InvalidOptions``."""
    if not is_whole(seats) or seats not in allowed:
        number = f"{allowed[0]} to {allowed[-1]}" if len(allowed) > 1 else f"{allowed[0]}"
        message = f"seats: {game} is for {number} players, not {described(seats)}"
        raise InvalidOptions([OptionProblem("seats", "number-of-seats", message)])


def fault_of(cls: Any, value: object) -> str | None:
    """Say what keeps a value from being of the declared form of ``cls``; None if nothing does."""
    return _action_check(cls)(value)


def is_whole(value: object) -> TypeGuard[int]:
    """Say whether a value is an integer of a size that can be written; true and false are none."""
    return type(value) is int and -_LARGEST <= value <= _LARGEST


def described(value: object) -> str:
    """Name any value at all in a message: short plain values as they are, everything else by its type."""
    if value is None or type(value) is bool or is_whole(value) or (type(value) is str and len(value) <= 40):
        return ascii(value)
    return f"a value of type {type(value).__name__}"[:80]


def _is_mapping(given: object) -> bool:
    return isinstance(given, Mapping)


@cache
def _action_check(tp: Any) -> Check:
    """Make the check of an action, or of a part of one."""
    return _check(tp, _action_check, (tuple,), _value_check)


@cache
def _plain_check(tp: Any) -> Check:
    """Make the check of an option's plain form: lists for tuples, and of a literal only the type."""
    return _check(tp, _plain_check, (tuple, list), _literal_type_check)


def _check(
    tp: Any,
    of: Callable[[Any], Check],
    sequences: tuple[type, ...],
    of_literal: Callable[[tuple[Any, ...]], Check],
) -> Check:
    inner = optional(tp)
    if inner is not None:
        check = of(inner)
        return lambda value: None if value is None else check(value)
    pattern = next((one for one in get_args(tp)[1:] if isinstance(one, Pattern)), None)
    tp = bare(tp)
    values = literals(tp)
    if values is not None:
        return of_literal(values)
    if get_origin(tp) is tuple:
        return _sequence_check(of(get_args(tp)[0]), sequences)
    if is_dataclass(tp):
        return _dataclass_check(cast("type", tp), of)
    if pattern is not None:
        return _pattern_check(pattern)
    return _simple_check(tp)


def _simple_check(tp: Any) -> Check:
    if tp is int:
        return lambda value: None if is_whole(value) else f"{described(value)} is not an integer that can be used here"
    names = {str: "a text", bool: "true or false"}
    return lambda value: None if type(value) is tp else f"{described(value)} is not {names[tp]}"


def _value_check(values: tuple[Any, ...]) -> Check:
    listed = {(type(value), value) for value in values}
    types = {type(value) for value in values}
    named = ", ".join(map(str, values))
    return lambda value: (
        None
        if type(value) in types and (type(value), value) in listed
        else f"{described(value)} is not one of: {named}"
    )


def _literal_type_check(values: tuple[Any, ...]) -> Check:
    checks = [_simple_check(tp) for tp in dict.fromkeys(map(type, values))]
    named = ", ".join(map(str, values))
    return lambda value: (
        None if any(check(value) is None for check in checks) else f"{described(value)} is not one of: {named}"
    )


def _pattern_check(pattern: Pattern) -> Check:
    matches = re.compile(pattern.regex).fullmatch
    return lambda value: (
        None if type(value) is str and matches(value) else f"{described(value)} is not a {pattern.name} code"
    )


def _sequence_check(check: Check, allowed: tuple[type, ...]) -> Check:
    def checked(value: Any) -> str | None:
        if type(value) not in allowed:
            return f"{described(value)} is not a list of values"
        for index, item in enumerate(value):
            fault = check(item)
            if fault is not None:
                return f"{index}: {fault}"
        return None

    return checked


def _dataclass_check(cls: type, of: Callable[[Any], Check]) -> Check:
    parts = [(part.name, part.key, of(part.type | None if part.omittable else part.type)) for part in plain_fields(cls)]

    def checked(value: Any) -> str | None:
        if type(value) is not cls:
            return f"{described(value)} is not a {cls.__name__.lower()}"
        for name, key, check in parts:
            fault = check(getattr(value, name))
            if fault is not None:
                return f"{key}: {fault}"
        return None

    return checked
