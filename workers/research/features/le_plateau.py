"""What a seat observes of Le Plateau."""

from functools import lru_cache
from typing import get_args

from domain.cardplay.cards import TAROT_PACK
from domain.le_plateau.actions import TeamSize
from domain.le_plateau.board import OBJECTIVES, Objective, Space, places
from domain.le_plateau.events import PhaseName
from domain.le_plateau.view import View
from domain.table import Seat
from workers.research.features.sheet import SEATS, Block, Sheet, card_blocks, write_cards

_PACK = {card: place for place, card in enumerate(TAROT_PACK)}
_CARDS = len(_PACK)
_PHASES = {phase: place for place, phase in enumerate(get_args(PhaseName))}
_OBJECTIVES: dict[Objective, int] = {objective: place for place, objective in enumerate(OBJECTIVES)}
_TEAMS: dict[TeamSize, int] = {team: place for place, team in enumerate(get_args(TeamSize))}
_SPACES = 37
_MOST_TRICKS = 18
_SAID = 2 + len(_TEAMS) + len(_OBJECTIVES)
_SAYING = f"{', '.join(_TEAMS)}; {', '.join(_OBJECTIVES)}"

BLOCKS: tuple[Block, ...] = (
    Block("phase", (len(_PHASES),), f"the phase: {', '.join(_PHASES)}"),
    Block("hands", (2,), "the number of this hand, and how many follow it, in tenths"),
    Block("scores", (SEATS,), "the scores before this hand, in tens"),
    Block("dealer", (SEATS,), "who deals"),
    *card_blocks(_CARDS),
    Block("owners", (2, _SPACES), "the spaces, in ring order, of the declarer's side; those of the opposing side"),
    Block("space of card", (_CARDS,), "the place in ring order of the space that a card claims, from 1, in tenths"),
    Block("space of trick", (_MOST_TRICKS,), "the place of the space that a trick claims, by the number of the trick"),
    Block("bids", (SEATS, _SAID), f"the last bid of each seat: a pass; with exchange; {_SAYING}"),
    Block("contract", (_SAID,), f"the contract: there is one; with exchange; {_SAYING}"),
    Block("value", (1,), "the value of the contract, in tens"),
    Block("declarer", (SEATS,), "the declarer"),
    Block("partners", (SEATS,), "the declarer's partners, as far as known"),
    Block("announced", (_CARDS,), "the announced cards"),
    Block("holders", (SEATS,), "who held an announced card"),
    Block("raises", (SEATS, 2), "who could raise the objective; who did"),
    Block("abdicated", (SEATS,), "who gave up the declarer's role"),
    Block("groups", (2, _CARDS), "the two groups of a talon that was turned up"),
    Block("chosen", (2,), "which of them the declarer took"),
    Block("talon", (1,), "how many cards lie in the talon, in tenths"),
    Block("taken", (_CARDS,), "the cards that you took from the talon"),
    Block("discard", (_CARDS,), "the cards that you laid aside"),
    Block("gifts", (SEATS, _CARDS), "the cards given to each seat, as far as you know them"),
    Block("receivers", (SEATS,), "who was given a card"),
    Block("dealt", (_CARDS,), "the card that you got from the talon"),
    Block("tops", (2, _CARDS), "the cards on top of piles: your own, the opponent's (2 players)"),
    Block("covering", (2, _CARDS), "those that cover another card"),
)


def write(sheet: Sheet, view: View, seat: Seat, seats: int) -> None:
    sheet.mark("phase", _PHASES[view.phase])
    sheet.put("hands", 0, view.hand_number / 10)
    sheet.put("hands", 1, (view.hands_total - view.hand_number) / 10)
    for other, score in enumerate(view.scores):
        sheet.put("scores", (other - seat) % seats, score / 10)
    sheet.mark("dealer", (view.dealer - seat) % seats)
    write_cards(sheet, _PACK, view.hands, view.trick, view.tricks, seat)
    _write_board(sheet, view)
    _write_bidding(sheet, view, seat, seats)
    _write_partners(sheet, view, seat, seats)
    _write_exchange(sheet, view, seat, seats)
    for hand in view.hands if seats == 2 else ():
        begin = (hand.seat - seat) % seats * _CARDS
        sheet.mark_all("tops", [begin + _PACK[pile["top"]] for pile in hand.piles if pile["top"]])
        covering = [pile["top"] for pile in hand.piles if pile["top"] and pile["under"]]
        sheet.mark_all("covering", [begin + _PACK[card] for card in covering])


def _write_board(sheet: Sheet, view: View) -> None:
    place = places(view.board.tokens)
    for space, side in view.board.owners.items():
        sheet.mark("owners", place[space] if side == "declarer" else _SPACES + place[space])
    by_card, by_trick = _claimed_by(view.board.tokens)
    for block, claims in (("space of card", by_card), ("space of trick", by_trick)):
        begin = sheet.begin[block]
        sheet.numbers += [(begin + claim, number) for claim, number in claims]


@lru_cache(maxsize=256)
def _claimed_by(tokens: tuple[Space, ...]) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Return, for the cards and for the tricks that claim a space, their place in the block and the value there."""
    numbered = [(space, number / 10) for number, space in enumerate(tokens, 1)]
    by_card = [(_PACK[space], number) for space, number in numbered if space in _PACK]
    by_trick = [(int(space[1:]) - 1, number) for space, number in numbered if space not in _PACK]
    return by_card, by_trick


def _write_bidding(sheet: Sheet, view: View, seat: Seat, seats: int) -> None:
    last = {spoken.seat: spoken.bid for spoken in view.bids}
    for other, bid in last.items():
        step = (other - seat) % seats * _SAID
        if bid is None:
            sheet.mark("bids", step)
        else:
            sheet.mark_all("bids", [step + place for place in _said(bid["team"], bid["objective"])])
            sheet.put("bids", step + 1, bool(bid.get("exchange")))
    contract = view.contract
    if contract is not None:
        sheet.mark_all("contract", [0, *_said(contract.team, contract.objective)])
        sheet.put("contract", 1, contract.exchange)
        sheet.put("value", 0, contract.value / 10)
        sheet.mark("declarer", (contract.declarer - seat) % seats)
        sheet.mark_all("partners", [(partner - seat) % seats for partner in contract.partners])


def _said(team: TeamSize, objective: Objective) -> tuple[int, int]:
    return 2 + _TEAMS[team], 2 + len(_TEAMS) + _OBJECTIVES[objective]


def _write_partners(sheet: Sheet, view: View, seat: Seat, seats: int) -> None:
    sheet.mark_all("announced", [_PACK[card] for card in view.announced])
    sheet.mark_all("holders", [(holder - seat) % seats for holder in view.holders.values() if holder is not None])
    for raised in view.raises:
        step = (raised.seat - seat) % seats
        sheet.mark("raises", 2 * step)
        sheet.put("raises", 2 * step + 1, raised.objective is not None)
        sheet.put("abdicated", step, raised.abdicated)


def _write_exchange(sheet: Sheet, view: View, seat: Seat, seats: int) -> None:
    talon = view.talon
    sheet.put("talon", 0, talon.count / 10)
    for place, group in enumerate(talon.groups or ()):
        sheet.mark_all("groups", [place * _CARDS + _PACK[card] for card in group])
    if talon.chosen is not None:
        sheet.mark("chosen", talon.chosen)
    sheet.mark_all("taken", [_PACK[card] for card in talon.taken or ()])
    sheet.mark_all("discard", [_PACK[card] for card in view.discard.cards or ()])
    for gift in view.gifts:
        step = (gift["to"] - seat) % seats
        sheet.mark("receivers", step)
        if gift["card"] is not None:
            sheet.mark("gifts", step * _CARDS + _PACK[gift["card"]])
    sheet.mark_all("dealt", [_PACK[dealt.card] for dealt in talon.dealt if dealt.card is not None])
