"""The symmetries of French Tarot: no rule and no option tells one suit from another, and trumps stay trumps."""

from domain.cardplay import suits
from domain.cardplay.cards import in_deck_order
from domain.french_tarot.actions import Action
from domain.french_tarot.events import Event
from domain.french_tarot.options import Options
from domain.french_tarot.state import State
from domain.symmetries import Symmetries

SYMMETRIES: Symmetries[Options, State, Action, Event] = Symmetries(
    masks=lambda _options, _seats: suits.ORDERS,
    inverse=suits.inverse,
    event=lambda mask, _state, event: suits.masked_cards(mask, event, in_deck_order),
    action=lambda mask, action: suits.masked_cards(mask, action, in_deck_order),
)
