"""Which options of French Tarot go together, and with which defaults; all else is rejected (rules.md, options)."""

from collections.abc import Mapping

from domain import field_types as ft
from domain.french_tarot.options import MOST_DEALS, Options
from domain.options import Choice, Chosen, OptionRules, first_dealer
from domain.sentences.message import Message, Number, message
from domain.serialization import Plain

USUAL_DEALS = 12


def _values(tp: ft.FieldType) -> tuple[Plain, ...]:
    match tp:
        case ft.OrNone(inner):
            return _values(inner)
        case ft.OneOf(values):
            return values
        case _:
            return (True, False)


_VALUES: Mapping[str, tuple[Plain, ...]] = {option.name: _values(option.type) for option in ft.fields_of(Options)}
"""What each option can be by its type, the default first; the numbers have choices of their own."""

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
    """List what each option can be with a number of seats, in the order of ``Options``."""
    special = {name: _where_five_play(name, seats) for name in _WHERE_FIVE_PLAY} | {
        "called_suit_ban_after_excuse": _ban_after_excuse(seats),
        "excuse_wins_last_trick": _excuse_wins(seats),
        "half_point_short": _half_point_short(seats),
        "thrown_in": Choice((None, "count"), None),
        "deals": _deals(seats),
        "first_dealer": first_dealer(seats),
    }
    if seats != 3:
        special["deal_packet_3p"] = _not_here("for_three", "three-players-only")
    if seats != 5:
        special["five_player_mode"] = _not_here("for_five", "five-players-only")
    return {name: special.get(name) or _any_of(name) for name in _VALUES}


def _where_four_play(asked: Chosen, chosen: Chosen, seats: int) -> Chosen:
    """Leave out what means nothing while the dealer sits out."""
    if seats != 5 or chosen["five_player_mode"] != "dead_dealer":
        return {}
    return {name: None for name in _WHERE_FIVE_PLAY if name not in asked}


def _any_of(name: str) -> Choice:
    """Allow every value of an option; its first one is the default."""
    return Choice(_VALUES[name], _VALUES[name][0])


def _not_here(where: str, code: str) -> Choice:
    return Choice((None,), None, Message(f"note.{where}"), code)


def _where_five_play(name: str, seats: int) -> Choice:
    """Allow the values, the first by default, with 5 players of whom none sits out."""
    if seats != 5:
        return _not_here("for_five", "five-players-only")
    values = _VALUES[name]
    return Choice(
        (*values, None),
        values[0],
        message("note.dealer_sits_out"),
        "dealer-sits-out",
        {value: {"five_player_mode": ("call_king",)} for value in values},
    )


def _deals(seats: int) -> Choice:
    """Allow any number of deals, but a multiple of the players where each dealer sits out."""
    values, usual = tuple(range(1, MOST_DEALS + 1)), -(-USUAL_DEALS // seats) * seats
    most = Number(MOST_DEALS)
    if seats != 5:
        return Choice(values, usual, message("note.deals", most=most), "not-a-match")
    five = {"five_player_mode": ("call_king",)}
    needs = {number: five for number in values if number % seats}
    return Choice(values, usual, message("note.deals_for_five", most=most), "not-a-match", needs)


def _ban_after_excuse(seats: int) -> Choice:
    if seats != 5:
        return _not_here("for_five", "five-players-only")
    five = {"five_player_mode": ("call_king",)}
    return Choice(
        values=(False, True, None),
        default=False,
        note=message("note.ban_after_excuse"),
        code="no-such-ban",
        needs={False: five, True: {**five, "called_suit_lead": ("only_called_card",)}},
    )


def _excuse_wins(seats: int) -> Choice:
    """Allow every value where the taker can have a partner, else those that do not name one."""
    values = _VALUES["excuse_wins_last_trick"]
    if seats == 5:
        five = {"five_player_mode": ("call_king",)}
        return Choice(values, values[0], needs={"announcing_side": five})
    values = tuple(value for value in values if value != "announcing_side")
    return Choice(values, values[0], code="five-players-only")


def _half_point_short(seats: int) -> Choice:
    if seats == 4:
        return _not_here("no_half_points", "no-half-points")
    return _any_of("half_point_short") if seats == 3 else _where_five_play("half_point_short", seats)


OPTION_RULES = OptionRules(Options, range(3, 6), choices, _where_four_play, package=__package__)
