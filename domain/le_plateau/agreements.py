"""What the players can agree on in mid-game (rules.md, score)."""

from collections.abc import Mapping

from domain.le_plateau import events as ev
from domain.le_plateau.hands import is_last
from domain.le_plateau.state import State
from domain.table import Seat
from domain.wellformed import check_agreement

RULE = "8. Score"


def offers(state: State, _seat: Seat) -> Mapping[str, int]:
    """Offer to stop after the current hand, unless it is the last; the offer lapses with the hand."""
    return {} if is_last(state) else {"stop_after_hand": state.hand.deal_number}


def agree(state: State, kind: str) -> list[ev.Event]:
    """Make the current hand the last."""
    check_agreement(offers(state, 0), kind, RULE)
    return [ev.StopAgreed()]
