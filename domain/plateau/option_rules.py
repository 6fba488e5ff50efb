"""What the options of Plateau may be; everything else is refused (rules.md, options)."""

from collections.abc import Mapping
from typing import get_args

from domain.plateau.options import Options
from domain.ruleset import Choice, InvalidOptions, OptionProblem, refused
from domain.serialization import Bounds, Plain, from_plain, plain_fields


def choices(_seats: int) -> Mapping[str, Choice]:
    """Say what each option may be."""
    return {
        option.key: Choice(None, option.default, _range(bounds), "out-of-range")
        if (bounds := _BOUNDS.get(option.key))
        else Choice((True, False), option.default)
        for option in plain_fields(Options)
    }


def complete(given: Mapping[str, Plain], seats: int) -> Options:
    """Complete the options given with the defaults; raises ``InvalidOptions``."""
    allowed = choices(seats)
    chosen = {name: choice.default for name, choice in allowed.items()} | dict(given)
    problems = refused(allowed, chosen, seats)
    for name, bounds in _BOUNDS.items():
        if not bounds.low <= chosen[name] <= bounds.high:
            message = f"{name}: {chosen[name]!r} is out of range; {_range(bounds)}"
            problems.append(OptionProblem(name, allowed[name].code, message))
    if problems:
        raise InvalidOptions(problems)
    return from_plain(Options, chosen)


_BOUNDS: dict[str, Bounds] = {
    option.key: bounds
    for option in plain_fields(Options)
    for bounds in get_args(option.type)[1:]
    if isinstance(bounds, Bounds)
}


def _range(bounds: Bounds) -> str:
    return f"from {bounds.low} to {bounds.high}"
