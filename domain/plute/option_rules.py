"""What each option of Plute can be; all other values are rejected (rules.md, options)."""

from collections.abc import Mapping

from domain import field_types as ft
from domain.options import Choice, OptionRules
from domain.plute.deck import PLAYERS
from domain.plute.options import Options
from domain.sentences.message import Number, message


def choices(_seats: int) -> Mapping[str, Choice]:
    """Return what each option can be: by its type, for all values can be combined."""
    no_chat = Choice((False,), False, message("note.no_chat"), "unsupported")  # noqa: FBT003 - the only value
    return {option.key: _by_type(option) for option in ft.fields_of(Options)} | {"chat_in_hand": no_chat}


def _by_type(option: ft.Field) -> Choice:
    match option.type:
        case ft.OneOf(values):
            return Choice(values, option.default)
        case ft.Integer(ft.Bounds(low, high)):
            return Choice(
                tuple(range(low, high + 1)),
                option.default,
                message("range", least=Number(low), most=Number(high)),
                "out-of-range",
            )
        case _:
            return Choice((False, True), option.default)


OPTION_RULES = OptionRules(Options, range(PLAYERS, PLAYERS + 1), choices, package=__package__)
