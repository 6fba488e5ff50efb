"""Options of a game of Plute (rules.md, options): the defaults, and what is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from domain.plain import Bounds, Plain, doc, from_plain
from domain.ruleset import InvalidOptions, OptionProblem

MOST_TO_AGREE = 9

Count: TypeAlias = Annotated[int, Bounds(1, MOST_TO_AGREE)]


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
        "Whether a dealer before whom nobody has bid may bid more than 4.", default=False
    )
    dealer_may_steal: bool = doc("Whether the dealer may bid as much as the highest bid.", default=False)
    declare_off_jack_lead: bool = doc(
        "Whether a jack that leads the first trick may be declared the off-jack of the other suit of its colour.",
        default=False,
    )
    win_at: Count = doc("The made bids that win the game.", default=3)
    lose_at: Count = doc("The sets that lose the game.", default=3)
    low: Literal["holder", "taker"] = doc(
        "Whether Low goes to the team that was dealt the deuce of trump, or to the one that takes it.", default="holder"
    )
    show_points: bool = doc("Whether the points of the other team are recorded too.", default=False)
    chat_in_hand: bool = doc("Whether players may chat during a hand; there is no chat yet.", default=False)


def complete(given: Mapping[str, Plain], _seats: int) -> Options:
    """Complete the options given with the defaults; raises ``InvalidOptions``."""
    options = from_plain(Options, given)
    problems = [
        OptionProblem(name, "out-of-range", f"{name}: {count} is not from 1 to {MOST_TO_AGREE}")
        for name, count in (("win_at", options.win_at), ("lose_at", options.lose_at))
        if count not in range(1, MOST_TO_AGREE + 1)
    ]
    if options.chat_in_hand:
        message = "chat_in_hand: there is no chat here, during a hand or otherwise; leave it out"
        problems.append(OptionProblem("chat_in_hand", "unsupported", message))
    if problems:
        raise InvalidOptions(problems)
    return options
