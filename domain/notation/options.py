"""The options of a game in the header of a text: ``name=value``, those that differ from the defaults."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args, get_origin

from domain.errors import InvalidOptions
from domain.notation.lexer import Word
from domain.ruleset import AnyRuleset
from domain.serialization import Bounds, Plain, PlainField, bare, literals, optional, plain_fields

_NONE = "none"


def option_words(ruleset: AnyRuleset, options: Any, seats: int) -> list[str]:
    """Write the options that differ from the defaults for a number of seats, and from those that they bring about."""
    given: dict[str, Plain] = {}
    while differing := _differing(ruleset, options, ruleset.options.complete(given, seats), given):
        given |= differing
    told = {name: value for name, value in given.items() if value is not None}
    if ruleset.options.complete(told, seats) == options:
        given = told
    return [f"{name}={_written(value)}" for name, value in given.items()]


def _differing(ruleset: AnyRuleset, options: Any, usual: Any, given: Mapping[str, Plain]) -> dict[str, Plain]:
    pairs = [(option.key, getattr(options, option.name), getattr(usual, option.name)) for option in _fields(ruleset)]
    return {key: value for key, value, other in pairs if value != other and key not in given}


def _fields(ruleset: AnyRuleset) -> Sequence[PlainField]:
    return plain_fields(cast("type", ruleset.options.shape))


def read_options(ruleset: AnyRuleset, seats: int, words: Sequence[Word], otherwise: Word) -> Any:
    """Read options, complete and check them; ``otherwise`` is the place to blame for an option that is missing."""
    known = {option.key: option.type for option in _fields(ruleset)}
    given: dict[str, Plain] = {}
    places: dict[str, Word] = {}
    for word in words:
        name, value = word.cut("=")
        if name.text not in known:
            raise word.wrong(f"there is no option {name}; there are: {' '.join(known)}")
        if value is None:
            raise word.wrong(f"an option is written {name}=value")
        if name.text in given:
            raise word.wrong(f"the option {name} is given twice")
        given[name.text], places[name.text] = _read(known[name.text], value), value
    try:
        return ruleset.options.complete(given, seats)
    except InvalidOptions as refused:
        problem = refused.problems[0]
        raise places.get(problem.option, otherwise).wrong(problem.message) from refused


def _written(value: Plain) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_written, value))
    if value is None or isinstance(value, bool):
        return {None: _NONE, True: "yes", False: "no"}[value]
    return str(value)


def _read(tp: Any, word: Word) -> Plain:
    """Read a value of the type of an option."""
    inner = optional(tp)
    if inner is not None:
        return None if word.text == _NONE else _read(inner, word)
    if get_origin(bare(tp)) is tuple:
        return tuple(_read(get_args(bare(tp))[0], piece) for piece in word.pieces(","))
    if bare(tp) is int:
        return _whole(tp, word)
    allowed = {_written(value): value for value in (True, False) if bare(tp) is bool}
    allowed |= {_written(value): value for value in literals(bare(tp)) or ()}
    if allowed and word.text not in allowed:
        raise word.wrong(f"{word} is not among {' '.join(allowed)}")
    return allowed.get(word.text, word.text)


def _whole(tp: Any, word: Word) -> int:
    bounds = [each for each in get_args(tp)[1:] if isinstance(each, Bounds)]
    number = int(word.text) if re.fullmatch("-?[0-9]{1,9}", word.text) else None
    if number is None:
        raise word.wrong(f"{word} is no whole number")
    if any(not each.low <= number <= each.high for each in bounds):
        raise word.wrong(f"{number} is not from {bounds[0].low} to {bounds[0].high}")
    return number
