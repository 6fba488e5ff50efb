"""Options of a game of Plateau (rules.md, options): switches where the sources differ, and the limits of a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, get_args, get_origin

from domain.plain import Bounds, Plain, doc, from_plain, plain_fields
from domain.ruleset import InvalidOptions, OptionProblem


@dataclass(frozen=True, slots=True)
class Options:
    """The agreed options, all of them written out."""

    onboard_under_enemy: bool = doc(
        "Whether a piece may be put under a stack whose lowest piece is not yours.", default=True
    )
    merged_strength: bool = doc(
        "Whether a unit that lands on your own captures with the strength of both, or of those that arrived.",
        default=True,
    )
    refused_tender_keeps_turn: bool = doc(
        "Whether you are still to move after your tender was refused, or have lost the turn.", default=True
    )
    repetition: Annotated[int, Bounds(2, 100)] = doc(
        "How many times a position must have stood at the start of a turn for a draw.", default=3
    )
    no_progress_plies: Annotated[int, Bounds(2, 1000)] = doc(
        "After how many turns in a row without an onboarding, a capture or an exchange the game is drawn.", default=100
    )
    max_plies: Annotated[int, Bounds(4, 2000)] = doc("After how many turns the game is drawn.", default=600)


def complete(given: Mapping[str, Plain], _seats: int) -> Options:
    """Complete the options given with the defaults; raises ``InvalidOptions``."""
    problems = [
        OptionProblem(
            option.name, "out-of-range", f"{option.name}: {value!r} is not from {bounds.low} to {bounds.high}"
        )
        for option in plain_fields(Options)
        if (bounds := _bounds(option.type)) and (value := given.get(option.name, option.default)) is not None
        if not bounds.low <= value <= bounds.high
    ]
    if problems:
        raise InvalidOptions(problems)
    return from_plain(Options, given)


def _bounds(tp: object) -> Bounds | None:
    return next((a for a in get_args(tp)[1:] if isinstance(a, Bounds)), None) if get_origin(tp) is Annotated else None
