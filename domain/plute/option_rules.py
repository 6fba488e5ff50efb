"""What each option of Plute may be, and what it is if left out; everything else is refused (rules.md, options).

``choices`` is what clients are told, and what the refusals go by: the two cannot differ.
"""

from collections.abc import Mapping
from typing import get_args

from domain.options import Choice, OptionRules
from domain.plute.deck import PLAYERS
from domain.plute.options import MOST_TO_AGREE, EarlyStop, JokerOrder, Low, Options


def choices(_seats: int) -> Mapping[str, Choice]:
    """Say what each option may be; all of them go together."""
    either = Choice((False, True), default=False)
    count = Choice(tuple(range(1, MOST_TO_AGREE + 1)), 3, f"1 to {MOST_TO_AGREE}", "out-of-range")
    return {
        "joker_order": Choice(get_args(JokerOrder), "first_played_high"),
        "early_stop": Choice(get_args(EarlyStop), "claim"),
        "stuck_dealer_may_raise": either,
        "dealer_may_steal": either,
        "declare_off_jack_lead": either,
        "win_at": count,
        "lose_at": count,
        "low": Choice(get_args(Low), "holder"),
        "show_points": either,
        "chat_in_hand": Choice((False,), False, "there is no chat here, during a hand or otherwise", "unsupported"),  # noqa: FBT003
    }


OPTION_RULES = OptionRules(Options, range(PLAYERS, PLAYERS + 1), choices)
