"""The bot ``greedy`` for French Tarot: it bids by points, counts cards, and plays the card with the highest value.

It samples no worlds and plays nothing out: every decision is a rule of thumb on the view of its seat.
"""

from collections.abc import Callable, Mapping

from domain.french_tarot import RULESET, announcements, bidding, partners, play
from domain.french_tarot.actions import (
    AnnounceMisere,
    AnnouncePetitChelem,
    AnnounceSlam,
    Bid,
    Call,
    Discard,
    NoSlam,
    Pass,
    Play,
    ShowPoignee,
)
from domain.french_tarot.deck import SHAPES
from domain.french_tarot.events import PhaseName
from domain.french_tarot.options import Options
from domain.french_tarot.state import Deal, State, Table
from domain.french_tarot.view import View
from domain.serialization import from_plain
from domain.table import Seat
from workers.bots.french_tarot import announcing, contracts, ecart
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot.knowledge import known_of
from workers.bots.french_tarot.playing import HALF, value_of
from workers.bots.policy import Asked, Thought
from workers.bots.ranking import Valued, thought_of

MOST_LOSERS = {AnnounceSlam: 0, AnnouncePetitChelem: 1}
"""The most losers of a hand that announces a slam."""


def think(asked: Asked) -> Thought:
    """Weigh the actions of the seat, and choose the best."""
    view = from_plain(View, asked.view["state"])
    options = from_plain(Options, asked.view["game"]["options"])
    return thought_of(RULESET, weighed(options, view, asked.view["viewer"]["seat"]), 2 * HALF)


def weighed(options: Options, view: View, seat: Seat) -> list[Valued]:
    """Return the actions worth considering, with their values."""
    return _PHASES[view.phase](options, own_state(options, view, seat), view, seat)


def own_state(options: Options, view: View, seat: Seat) -> State:
    """Return the state with the cards of one seat only: enough for the rules to list what that seat can do."""
    held = tuple(hand.cards if hand.seat == seat and hand.cards else () for hand in view.hands)
    deal = Deal(
        number=view.deal_number,
        dealer=view.dealer,
        players=view.players,
        imprenable=view.petit_imprenable,
        bids=view.bids,
        contract=view.contract,
        called=view.called,
        shown_trumps=view.ecart.trumps,
        slam=view.slam,
        poignees=view.poignees,
        declined=view.poignees_declined,
        miseres=view.miseres,
    )
    table = Table(held, view.trick.cards if view.trick else (), view.tricks)
    return State(options, len(view.hands), view.phase, deal, table, view.scores)


def _bids(_options: Options, state: State, view: View, seat: Seat) -> list[Valued]:
    points = contracts.points_of(_hand(view, seat))
    legal = bidding.legal_actions(state, seat)
    return [
        (contracts.worth_of(len(view.players), action.contract, points) if isinstance(action, Bid) else 0, action)
        for action in legal
        if isinstance(action, Bid | Pass)
    ]


def _calls(_options: Options, state: State, view: View, seat: Seat) -> list[Valued]:
    hand = _hand(view, seat)
    return [(contracts.worth_of_call(hand, card), Call(card)) for card in partners.callable_cards(state, seat)]


def _discards(_options: Options, _state: State, view: View, seat: Seat) -> list[Valued]:
    size = SHAPES[len(view.players)].chien
    return [(HALF, Discard(c.cards_of(ecart.chosen(_hand(view, seat), size))))]


def _slams(_options: Options, state: State, view: View, seat: Seat) -> list[Valued]:
    losers = announcing.losers(_hand(view, seat), len(view.players) - 1)
    return [
        (0 if isinstance(action, NoSlam) else HALF if losers <= MOST_LOSERS[type(action)] else -losers * HALF, action)
        for action in announcements.legal_slams(state, seat)
        if isinstance(action, NoSlam | AnnounceSlam | AnnouncePetitChelem)
    ]


def _poignees(_options: Options, state: State, view: View, seat: Seat) -> list[Valued]:
    return [*_showings(state, view, seat), (0, Pass())]


def _showings(state: State, view: View, seat: Seat) -> list[Valued]:
    """Return the highest poignée that the seat can show; a player with so many trumps usually wins, on either side."""
    if any(poignee.seat == seat for poignee in view.poignees):
        return []
    again = c.mask_of(view.ecart.trumps) if view.contract and view.contract.taker == seat else 0
    cards = announcing.poignee(_hand(view, seat), again, announcements.poignee_sizes(state))
    return [(FIRST, ShowPoignee(cards))] if cards else []


FIRST = 1000 * HALF
"""Above the value of any card: a paying announcement comes before the first card."""


def _plays(options: Options, state: State, view: View, seat: Seat) -> list[Valued]:
    cards = play.legal_cards(state, seat)
    known = known_of(options, view, seat)
    values: list[Valued] = [(value_of(known, c.NUMBER[card]), Play(card)) for card in cards]
    announced = list(announcements.legal_before_first_card(state, seat)[:2])
    miseres: list[Valued] = [(FIRST, action) for action in announced if isinstance(action, AnnounceMisere)]
    shows = options.poignee_timing == "before_own_first_card" and len(announced) > len(miseres)
    return [*miseres, *(_showings(state, view, seat) if shows else ()), *values]


def _hand(view: View, seat: Seat) -> int:
    return c.mask_of(view.hands[seat].cards or ())


_PHASES: Mapping[PhaseName, Callable[[Options, State, View, Seat], list[Valued]]] = {
    "bid": _bids,
    "call": _calls,
    "discard": _discards,
    "slam": _slams,
    "poignee": _poignees,
    "play": _plays,
}
