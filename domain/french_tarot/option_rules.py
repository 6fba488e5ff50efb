"""Which options of French Tarot go together, with which defaults; everything else is refused (rules.md, options)."""

from collections.abc import Mapping
from typing import Any, get_args

from domain.french_tarot.options import (
    MOST_DEALS,
    Bidding,
    CalledSuitLead,
    ChienExcluded,
    Direction,
    ExcuseLastTrick,
    ExcuseWinsLastTrick,
    FivePlayerMode,
    FivePlayerSplit,
    HalfPointShort,
    MinimumContract,
    Options,
    PetitChelem,
    PetitSec,
    PoigneeScale,
    PoigneeTiming,
    ScoreRounding,
)
from domain.options import Choice, Chosen, OptionRules
from domain.serialization import Plain

USUAL_DEALS = 12
_WHERE_FIVE_PLAY = (
    "call_self",
    "called_suit_lead",
    "called_suit_ban_after_excuse",
    "five_player_split",
    "half_point_short",
    "poignee_5p_triple",
)
"""Options that mean nothing while the dealer sits out."""


def choices(seats: int) -> Mapping[str, Choice]:
    """Say what each option may be with a number of seats, in the order of ``Options``."""
    return {
        "bidding": _any_of(Bidding),
        "minimum_contract": _any_of(MinimumContract),
        "petit_sec": _any_of(PetitSec),
        "deal_packet_3p": Choice((4, 3), 4) if seats == 3 else _not_here("for 3 players", "three-players-only"),
        "chien_excluded": _any_of(ChienExcluded),
        "excuse_last_trick": _any_of(ExcuseLastTrick),
        "excuse_wins_last_trick": _any_of(ExcuseWinsLastTrick),
        "call_self": _where_five_play(seats, (True, False)),
        "called_suit_lead": _where_five_play(seats, get_args(CalledSuitLead)),
        "called_suit_ban_after_excuse": _ban_after_excuse(seats),
        "five_player_split": _where_five_play(seats, get_args(FivePlayerSplit)),
        "five_player_mode": _any_of(FivePlayerMode) if seats == 5 else _not_here("for 5 players", "five-players-only"),
        "half_point_short": _half_point_short(seats),
        "poignee_scale": _any_of(PoigneeScale),
        "poignee_5p_triple": _where_five_play(seats, (13, 15)),
        "poignee_timing": _any_of(PoigneeTiming),
        "misere": Choice(("off", "on"), "off"),
        "petit_chelem": _any_of(PetitChelem),
        "score_rounding": _any_of(ScoreRounding),
        "direction": _any_of(Direction),
        "deals": Choice(
            tuple(range(1, MOST_DEALS + 1)),
            -(-USUAL_DEALS // seats) * seats,
            f"a match has 1 to {MOST_DEALS} deals",
            "not-a-match",
        ),
        "first_dealer": Choice(
            (None, *range(seats)), None, f"the seats are 0 to {seats - 1}; drawn if left out", "no-such-seat"
        ),
    }


def _where_four_play(asked: Chosen, chosen: Chosen, seats: int) -> Chosen:
    """Leave out what means nothing while the dealer sits out."""
    if seats != 5 or chosen["five_player_mode"] != "dead_dealer":
        return {}
    return {name: None for name in _WHERE_FIVE_PLAY if name not in asked}


def _any_of(tp: Any) -> Choice:
    """Allow every value of a type; its first one is the default."""
    values = get_args(tp)
    return Choice(values, values[0])


def _not_here(where: str, code: str) -> Choice:
    return Choice((None,), None, f"this option is {where}; leave it out", code)


def _where_five_play(seats: int, values: tuple[Plain, ...]) -> Choice:
    """Allow the values, the first by default, with 5 players of whom none sits out."""
    if seats != 5:
        return _not_here("for 5 players", "five-players-only")
    return Choice(
        (*values, None),
        values[0],
        "with five_player_mode 'dead_dealer' four play each deal: leave the option out",
        "dealer-sits-out",
        {value: {"five_player_mode": ("call_king",)} for value in values},
    )


def _ban_after_excuse(seats: int) -> Choice:
    if seats != 5:
        return _not_here("for 5 players", "five-players-only")
    five = {"five_player_mode": ("call_king",)}
    return Choice(
        values=(False, True, None),
        default=False,
        note="the ban after a led Excuse extends the ban on leading the called suit, where five play",
        code="no-such-ban",
        needs={False: five, True: {**five, "called_suit_lead": ("only_called_card",)}},
    )


def _half_point_short(seats: int) -> Choice:
    values = get_args(HalfPointShort)
    if seats == 3:
        return Choice(values, values[0])
    if seats == 4:
        return _not_here("for 3 or 5 players: with 4 no half points arise", "no-half-points")
    return _where_five_play(seats, values)


OPTION_RULES = OptionRules(Options, range(3, 6), choices, _where_four_play)
