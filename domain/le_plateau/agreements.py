"""What the players may agree on in mid-game, and that nobody resigns (rules.md, score)."""

from collections.abc import Mapping
from typing import Any, NoReturn

from domain.le_plateau import events as ev
from domain.le_plateau.hands import is_last
from domain.le_plateau.state import State
from domain.ruleset import IllegalAction, Seat
from domain.wellformed import check_agreement, check_seat

RULE = "8. Score"

PROPOSALS: Mapping[str, str] = {"stop_after_hand": "Stop the game after the current hand; the ranking is then final."}


def proposals(state: State, _seat: Seat) -> Mapping[str, Any]:
    """Offer to stop after the current hand, unless it is the last; the offer lapses with the hand."""
    return {} if is_last(state) else {"stop_after_hand": state.hand.deal_number}


def agree(state: State, kind: str) -> list[Any]:
    """Make the current hand the last."""
    check_agreement(proposals(state, 0), kind, RULE)
    return [ev.StopAgreed()]


def resign(state: State, seat: Seat) -> NoReturn:
    """Refuse: a player who leaves is replaced, the hand goes on."""
    check_seat(state.seats, seat, RULE)
    raise IllegalAction("no-resignation", f"seat {seat} cannot resign: Le Plateau knows no resignation", RULE)
