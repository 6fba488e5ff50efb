"""The options of a game in the header of a text, as ``name=value``: only those that differ from the defaults."""

import re
from collections.abc import Mapping, Sequence

from domain import field_types as ft
from domain.errors import InvalidOptions
from domain.notation.lexer import Word
from domain.ruleset import AnyRuleset
from domain.serialization import Plain

_NONE = "none"


def option_words(ruleset: AnyRuleset, options: object, seats: int) -> list[str]:
    """Write the options that differ from the defaults for a number of seats, and from those that the others imply."""
    given: dict[str, Plain] = {}
    while differing := _differing(ruleset, options, ruleset.options.complete(given, seats), given):
        given |= differing
    written = {name: value for name, value in given.items() if value is not None}
    if ruleset.options.complete(written, seats) == options:
        given = written
    return [f"{name}={_written(value)}" for name, value in given.items()]


def _differing(ruleset: AnyRuleset, options: object, usual: object, given: Mapping[str, Plain]) -> dict[str, Plain]:
    return {
        option.key: value
        for option in _fields(ruleset)
        if option.key not in given and (value := getattr(options, option.name)) != getattr(usual, option.name)
    }


def _fields(ruleset: AnyRuleset) -> Sequence[ft.Field]:
    return ft.fields_of(ruleset.options.shape)


def read_options(ruleset: AnyRuleset, seats: int, words: Sequence[Word], otherwise: Word) -> object:
    """Read, complete and check options; report a fault of an option that is not written at ``otherwise``."""
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


def _read(tp: ft.FieldType, word: Word) -> Plain:
    """Read a value of the type of an option."""
    match tp:
        case ft.OrNone(inner):
            return None if word.text == _NONE else _read(inner, word)
        case ft.ListOf(item):
            return tuple(_read(item, piece) for piece in word.pieces(","))
        case ft.Integer(bounds):
            return _integer(bounds, word)
        case ft.Boolean():
            return _one_of((True, False), word)
        case ft.OneOf(values):
            return _one_of(values, word)
        case ft.Text():
            return word.text
        case ft.MapOf() | ft.Nested() | ft.Anything():
            raise TypeError(f"an option of the type {tp} has no text")


def _one_of(values: Sequence[Plain], word: Word) -> Plain:
    allowed = {_written(value): value for value in values}
    if word.text not in allowed:
        raise word.wrong(f"{word} is not among {' '.join(allowed)}")
    return allowed[word.text]


def _integer(bounds: ft.Bounds | None, word: Word) -> int:
    if not re.fullmatch("-?[0-9]{1,9}", word.text):
        raise word.wrong(f"{word} is not a whole number")
    number = int(word.text)
    if bounds and not bounds.low <= number <= bounds.high:
        raise word.wrong(f"{number} is not from {bounds.low} to {bounds.high}")
    return number
