"""That the players agree on nothing in mid-game, and that nobody resigns (rules.md, match)."""

from collections.abc import Mapping
from typing import Any, NoReturn

from domain.french_tarot.state import State
from domain.ruleset import IllegalAction, Seat
from domain.wellformed import check_seat, described

RULE = "11. Match"

PROPOSALS: Mapping[str, str] = {}


def proposals(_state: State, _seat: Seat) -> Mapping[str, Any]:
    """Offer nothing: the match has its agreed number of deals."""
    return {}


def agree(_state: State, kind: str) -> NoReturn:
    """Refuse: nothing can be proposed."""
    raise IllegalAction("nothing-to-agree", f"French Tarot has no agreement on {described(kind)}", RULE)


def resign(state: State, seat: Seat) -> NoReturn:
    """Refuse: the match is played to its end."""
    check_seat(state.seats, seat, RULE)
    raise IllegalAction("no-resignation", f"seat {seat} cannot resign: French Tarot knows no resignation", RULE)
