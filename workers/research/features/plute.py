"""What a seat observes of Plute. The own team comes first."""

from typing import get_args

from domain.plute.deck import JOKERS, PACK, TRUMP_SUITS
from domain.plute.events import PhaseName
from domain.plute.scoring import POINTS
from domain.plute.state import of_team, other_team, team_of
from domain.plute.view import View
from domain.table import Seat
from workers.research.features.sheet import SEATS, Block, Sheet, card_blocks, write_cards

_PACK = {card: place for place, card in enumerate(PACK)}
_PHASES = {phase: place for place, phase in enumerate(get_args(PhaseName))}
_LEAST = 4
_BIDS = 4

BLOCKS: tuple[Block, ...] = (
    Block("phase", (len(_PHASES),), f"the phase: {', '.join(_PHASES)}"),
    Block("dealer", (SEATS,), "who deals"),
    *card_blocks(len(PACK)),
    Block("bids", (SEATS, 1 + _BIDS), "what each seat has bid: nothing (a pass), 4, 5, 6, 7"),
    Block("bidder", (SEATS,), "who has won the bidding"),
    Block("contract", (_BIDS,), "the bid that won: 4, 5, 6, 7"),
    Block("trump", (4,), f"the trump suit: {', '.join(TRUMP_SUITS)}"),
    Block("jokers", (2, 2), "which joker, X1 or X2, is the high one; and which the low one"),
    Block("points", (2, len(POINTS)), f"the points that each team has for certain: {', '.join(POINTS)}"),
    Block("game", (2,), "what each team has taken for Game, in tenths"),
    Block("tally", (2, 2), "how many bids each team has made; how often it was set"),
    Block("claim", (1,), "whether a claim would stop the hand"),
)


def write(sheet: Sheet, view: View, seat: Seat, seats: int) -> None:
    sheet.mark("phase", _PHASES[view.phase])
    sheet.mark("dealer", (view.dealer - seat) % seats)
    write_cards(sheet, _PACK, view.hands, view.trick, view.tricks, seat)
    for spoken in view.bids:
        step = (spoken.seat - seat) % seats * (1 + _BIDS)
        sheet.mark("bids", step if spoken.points is None else step + 1 + spoken.points - _LEAST)
    if view.contract is not None:
        sheet.mark("bidder", (view.contract.bidder - seat) % seats)
        sheet.mark("contract", view.contract.points - _LEAST)
    if view.trump is not None:
        sheet.mark("trump", TRUMP_SUITS.index(view.trump))
    for place, joker in enumerate((view.jokers.high, view.jokers.low)):
        if joker is not None:
            sheet.mark("jokers", 2 * place + JOKERS.index(joker))
    _write_teams(sheet, view, seat)
    if view.may_claim:
        sheet.mark("claim", 0)


def _write_teams(sheet: Sheet, view: View, seat: Seat) -> None:
    mine = team_of(seat)
    for place, team in enumerate((mine, other_team(mine))):
        standing, tally = of_team(view.standing, team), of_team(view.tally, team)
        sheet.mark_all("points", [place * len(POINTS) + POINTS.index(point) for point in standing.points])
        sheet.put("game", place, standing.game_value / 10)
        sheet.put("tally", 2 * place, tally.made)
        sheet.put("tally", 2 * place + 1, tally.set)
