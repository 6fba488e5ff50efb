"""What each option of Plateau can be; everything else is rejected (rules.md, options)."""

from collections.abc import Iterator, Mapping

from domain.errors import OptionProblem
from domain.field_types import Bounds, Integer, OneOf, fields_of
from domain.options import Choice, Chosen, OptionRules, as_given
from domain.plateau.options import Options
from domain.sentences.message import Message, Number, Text, message


def choices(_seats: int) -> Mapping[str, Choice]:
    """Return what each option can be."""
    return {
        option.key: Choice(None, option.default, _range(bounds), "out-of-range")
        if (bounds := _BOUNDS.get(option.key))
        else Choice(option.type.values if isinstance(option.type, OneOf) else (True, False), option.default)
        for option in fields_of(Options)
    }


def _out_of_range(chosen: Chosen, _seats: int) -> Iterator[OptionProblem]:
    for name, bounds in _BOUNDS.items():
        if not bounds.low <= chosen[name] <= bounds.high:
            value = as_given(chosen[name])
            said = message("fault.out-of-range", option=Text(name), value=value, range=_range(bounds))
            yield OptionProblem(name, "out-of-range", said, __package__)


_BOUNDS: dict[str, Bounds] = {
    option.key: option.type.bounds
    for option in fields_of(Options)
    if isinstance(option.type, Integer) and option.type.bounds
}


def _range(bounds: Bounds) -> Message:
    return message("note.range", least=Number(bounds.low), most=Number(bounds.high))


OPTION_RULES = OptionRules(Options, range(2, 3), choices, problems=_out_of_range, package=__package__)
