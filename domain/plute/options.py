"""Options of a game of Plute, all of them written out (rules.md, options)."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from domain.field_types import Bounds, doc

Count: TypeAlias = Annotated[int, Bounds(1, 9)]


@dataclass(frozen=True, slots=True)
class Options:
    """The agreed options, all of them written out."""

    joker_order: Literal["first_played_high", "marked"] = doc(
        "Which joker is high: the one played first in a hand, or always X1.", default="first_played_high"
    )
    early_stop: Literal["claim", "auto", "off"] = doc(
        "Whether a decided hand stops when a player claims it, by itself, or never.", default="claim"
    )
    stuck_dealer_may_raise: bool = doc(
        "Whether the dealer can bid more than 4 after all the others have passed.", default=False
    )
    dealer_may_steal: bool = doc("Whether the dealer can bid as much as the highest bid.", default=False)
    declare_off_jack_lead: bool = doc(
        "Whether a jack that leads the first trick can be declared the off-jack of the other suit of its colour.",
        default=False,
    )
    win_at: Count = doc("The made bids that win the game.", default=3)
    lose_at: Count = doc("The sets that lose the game.", default=3)
    low: Literal["holder", "taker"] = doc(
        "Whether Low goes to the team that was dealt the deuce of trump, or to the one that takes it.", default="holder"
    )
    show_points: bool = doc("Whether the points of the other team are recorded too.", default=False)
    chat_in_hand: bool = doc("Whether players can say set phrases during a hand, too.", default=False)
