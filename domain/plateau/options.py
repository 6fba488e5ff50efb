"""Options of a game of Plateau (rules.md, options): switches where the sources differ, and the limits of a game.

``option_rules`` holds what each can be.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from domain.field_types import Bounds, doc


@dataclass(frozen=True, slots=True)
class Options:
    """The agreed options, all of them written out."""

    onboard_under_enemy: bool = doc(
        "Whether a piece can be put under a stack whose lowest piece is not yours.", default=True
    )
    pin: Literal["any", "weapons"] = doc(
        "Whether any pieces can be left on an enemy piece at a stop, or only with a marker uppermost.", default="any"
    )
    merged_strength: bool = doc(
        "Whether a unit that lands on your own captures with the strength of both, or of those that arrived.",
        default=False,
    )
    refused_tender_keeps_turn: bool = doc(
        "Whether you continue your turn after your tender was refused, or lose it.", default=True
    )
    repetition: Annotated[int, Bounds(2, 100)] = doc(
        "How many times a position must have stood at the start of a turn for a draw.", default=3
    )
    no_progress_plies: Annotated[int, Bounds(2, 1000)] = doc(
        "After how many turns in a row without an onboarding, a capture or an exchange the game is drawn.", default=100
    )
    max_plies: Annotated[int, Bounds(4, 2000)] = doc("After how many turns the game is drawn.", default=600)
