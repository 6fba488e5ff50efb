"""That the players of Plute agree on nothing in mid-game, and that nobody resigns (rules.md, tally)."""

from collections.abc import Mapping
from typing import Any, NoReturn

from domain.plute.deck import PLAYERS
from domain.plute.state import State
from domain.ruleset import IllegalAction, Seat
from domain.wellformed import check_seat, described

RULE = "7. Tally and the end of the game"

PROPOSALS: Mapping[str, str] = {}


def proposals(_state: State, _seat: Seat) -> Mapping[str, Any]:
    """Offer nothing."""
    return {}


def agree(_state: State, kind: str) -> NoReturn:
    """Refuse: nothing can be proposed."""
    raise IllegalAction("nothing-to-agree", f"Plute has no agreement on {described(kind)}", RULE)


def resign(_state: State, seat: Seat) -> NoReturn:
    """Refuse: a team does not concede, all nine tricks are played for a Plute."""
    check_seat(PLAYERS, seat, RULE)
    raise IllegalAction("no-resignation", f"seat {seat} cannot resign: Plute knows no resignation", RULE)
