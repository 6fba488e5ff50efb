"""The symmetries of Plute: the suits, as far as two of a colour stay together, since the off-jack ties them."""

from domain.cardplay import suits
from domain.plute.actions import Action
from domain.plute.deck import in_pack_order
from domain.plute.events import Event
from domain.plute.options import Options
from domain.plute.state import State
from domain.symmetries import Symmetries

COLOURS = ({"S", "C"}, {"H", "D"})
MASKS = tuple(mask for mask in suits.ORDERS if {suits.masked_code(mask, suit) for suit in ("S", "C")} in COLOURS)

SYMMETRIES: Symmetries[Options, State, Action, Event] = Symmetries(
    masks=lambda _options, _seats: MASKS,
    inverse=suits.inverse,
    event=lambda mask, _state, event: suits.masked_cards(mask, event, in_pack_order),
    action=lambda mask, action: suits.masked_cards(mask, action, in_pack_order),
)
