"""What a seat observes of French Tarot."""

from typing import get_args

from domain.cardplay.cards import TAROT_PACK
from domain.french_tarot.actions import ContractName, Misere
from domain.french_tarot.events import PhaseName
from domain.french_tarot.state import SlamAnswer
from domain.french_tarot.view import View
from domain.table import Seat
from workers.research.features.sheet import SEATS, Block, Sheet, card_blocks, write_cards

_PACK = {card: place for place, card in enumerate(TAROT_PACK)}
_CARDS = len(_PACK)
_PHASES = {phase: place for place, phase in enumerate(get_args(PhaseName))}
_CONTRACTS = {contract: place for place, contract in enumerate(get_args(ContractName))}
_SLAMS = {slam: place for place, slam in enumerate(get_args(SlamAnswer))}
_MISERES = {misere: place for place, misere in enumerate(get_args(Misere))}

BLOCKS: tuple[Block, ...] = (
    Block("phase", (len(_PHASES),), f"the phase: {', '.join(_PHASES)}"),
    Block("deals", (2,), "how many deals are played, and how many are left, in tenths"),
    Block("scores", (SEATS,), "the scores before this deal, in hundreds"),
    Block("dealer", (SEATS,), "who deals"),
    Block("players", (SEATS,), "who plays in this deal"),
    *card_blocks(_CARDS),
    Block("bids", (SEATS, 1 + len(_CONTRACTS)), f"what each seat has bid: nothing (a pass), {', '.join(_CONTRACTS)}"),
    Block("taker", (SEATS,), "who has won the bidding"),
    Block("contract", (len(_CONTRACTS),), f"the contract: {', '.join(_CONTRACTS)}"),
    Block("called", (_CARDS,), "the called card"),
    Block("revealed", (1,), "whether the holder of the called card is known"),
    Block("partner", (SEATS,), "the taker's partner, once known"),
    Block("chien", (_CARDS,), "the chien, once turned up"),
    Block("ecart", (_CARDS,), "the écart, as far as you know it"),
    Block("slam", (len(_SLAMS),), f"what was announced: {', '.join(_SLAMS)}"),
    Block("poignees", (SEATS, _CARDS), "the trumps that each seat has shown"),
    Block("declined", (SEATS,), "who has shown no poignée where all are shown before the first lead"),
    Block("miseres", (SEATS, len(_MISERES)), f"which misères each seat has announced: {', '.join(_MISERES)}"),
    Block("imprenable", (SEATS,), "who plays the petit as a second Excuse"),
)


def write(sheet: Sheet, view: View, seat: Seat, seats: int) -> None:
    sheet.mark("phase", _PHASES[view.phase])
    sheet.put("deals", 0, view.deals_played / 10)
    sheet.put("deals", 1, (view.deals_total - view.deals_played) / 10)
    for other, score in enumerate(view.scores):
        sheet.put("scores", (other - seat) % seats, score / 100)
    sheet.mark("dealer", (view.dealer - seat) % seats)
    sheet.mark_all("players", [(player - seat) % seats for player in view.players])
    write_cards(sheet, _PACK, view.hands, view.trick, view.tricks, seat)
    _write_bidding(sheet, view, seat, seats)
    sheet.mark_all("chien", [_PACK[card] for card in view.chien.turned_up])
    sheet.mark_all("ecart", [_PACK[card] for card in view.ecart.cards or view.ecart.trumps])
    _write_announcements(sheet, view, seat, seats)


def _write_bidding(sheet: Sheet, view: View, seat: Seat, seats: int) -> None:
    for spoken in view.bids:
        step = (spoken.seat - seat) % seats * (1 + len(_CONTRACTS))
        sheet.mark("bids", step if spoken.contract is None else step + 1 + _CONTRACTS[spoken.contract])
    if view.contract is not None:
        sheet.mark("taker", (view.contract.taker - seat) % seats)
        sheet.mark("contract", _CONTRACTS[view.contract.contract])
    if view.called is not None:
        sheet.mark("called", _PACK[view.called.card])
        sheet.put("revealed", 0, view.called.revealed)
        if view.called.partner is not None:
            sheet.mark("partner", (view.called.partner - seat) % seats)


def _write_announcements(sheet: Sheet, view: View, seat: Seat, seats: int) -> None:
    if view.slam is not None:
        sheet.mark("slam", _SLAMS[view.slam])
    for poignee in view.poignees:
        begin = (poignee.seat - seat) % seats * _CARDS
        sheet.mark_all("poignees", [begin + _PACK[card] for card in poignee.cards])
    sheet.mark_all("declined", [(other - seat) % seats for other in view.poignees_declined])
    for misere in view.miseres:
        sheet.mark("miseres", (misere.seat - seat) % seats * len(_MISERES) + _MISERES[misere.kind])
    if view.petit_imprenable is not None:
        sheet.mark("imprenable", (view.petit_imprenable - seat) % seats)
