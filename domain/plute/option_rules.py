"""What each option of Plute can be, and its default; all other values are rejected (rules.md, options)."""

from collections.abc import Mapping
from typing import get_args

from domain.options import Choice, OptionRules
from domain.plute.deck import PLAYERS
from domain.plute.options import MOST_TO_AGREE, EarlyStop, JokerOrder, Low, Options


def choices(_seats: int) -> Mapping[str, Choice]:
    """Return what each option can be; all values can be combined."""
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
