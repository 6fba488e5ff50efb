"""The bot ``greedy`` for Plute: it counts its hand to bid, counts cards to play, and claims as soon as it can."""

from domain.plute import RULESET, bidding, play
from domain.plute.actions import Action, Bid, Claim
from domain.plute.deck import TRUMP_SUITS, printed_suit
from domain.plute.options import Options
from domain.plute.state import Hand, State, Table, of_team, other_team, team_of
from domain.plute.view import View
from domain.serialization import from_plain
from domain.table import Seat
from workers.bots.chances import SURE
from workers.bots.plute import cards as c
from workers.bots.plute.bidding import chance_of, count_of
from workers.bots.plute.knowledge import known_of
from workers.bots.plute.playing import UNIT, value_of
from workers.bots.policy import Asked, Thought
from workers.bots.ranking import Valued, thought_of

FIRST = 1000 * UNIT
"""Above the value of any card: a claim changes no result, and saves the table the rest of the hand."""

A_HAND = 100 * UNIT
"""The value of making a bid rather than being set."""

NAMING = 10 * UNIT
"""The weight of a tenth of a point of a suit beside the card that names it."""

OVER_NOBODY, OVER_OPPONENTS, OVER_PARTNER = SURE // 2, SURE * 9 // 20, SURE * 9 // 10
"""The chance to make a bid from which it is better than a pass: opponents make about half of theirs, and so do
partners, whose contract is the team's own.
"""

WHEN_BEHIND = SURE // 10
"""How much smaller a chance suffices if the opponents need one more bid to win, and how much larger it must be before
the last set.
"""


def think(asked: Asked) -> Thought:
    """Weigh the actions of the seat, and choose the best."""
    view = from_plain(View, asked.view["state"])
    options = from_plain(Options, asked.view["game"]["options"])
    return thought_of(RULESET, weighed(options, view, asked.view["viewer"]["seat"]), 100 * UNIT)


def weighed(options: Options, view: View, seat: Seat) -> list[Valued]:
    """Return the actions worth considering, with their values."""
    state = own_state(options, view, seat)
    if view.phase == "bid":
        return [(_worth_of_bid(options, view, seat, action), action) for action in bidding.legal_actions(state, seat)]
    if view.may_claim:
        return [(FIRST, Claim())]
    return _plays(options, state, view, seat)


def own_state(options: Options, view: View, seat: Seat) -> State:
    """Return the state with the cards of one seat only: enough for the rules to list what that seat can do."""
    held = tuple(hand.cards if hand.seat == seat and hand.cards else () for hand in view.hands)
    hand = Hand(view.hand_number, view.dealer, (), view.bids, view.contract)
    trick = view.trick.cards if view.trick else ()
    return State(options, view.phase, hand, Table(held, view.trump, (), trick, view.tricks), view.tally)


def _worth_of_bid(options: Options, view: View, seat: Seat, action: Action) -> int:
    """Return the value of a bid, compared with a pass."""
    if not isinstance(action, Bid):
        return 0
    hand = _hand(view, seat)
    count = max(count_of(hand, suit, options.low == "taker") for suit in range(4))
    surplus = chance_of(action.points, count) - chance_needed(options, view, seat)
    return surplus * A_HAND // SURE - action.points


def chance_needed(options: Options, view: View, seat: Seat) -> int:
    """Return the chance from which a bid pays, by who has the highest bid and by the tallies."""
    highest = next((spoken.seat for spoken in reversed(view.bids) if spoken.points), None)
    whose = None if highest is None else team_of(highest) == team_of(seat)
    enough = {None: OVER_NOBODY, True: OVER_PARTNER, False: OVER_OPPONENTS}[whose]
    own, other = of_team(view.tally, team_of(seat)), of_team(view.tally, other_team(team_of(seat)))
    enough -= WHEN_BEHIND if other.made == options.win_at - 1 else 0
    return enough + (WHEN_BEHIND if own.set == options.lose_at - 1 else 0)


def _plays(options: Options, state: State, view: View, seat: Seat) -> list[Valued]:
    """Value the cards; the first one names trump, so it is valued together with the hand under that trump."""
    hand, plays = _hand(view, seat), play.legal_actions(state, seat)
    if view.trump is not None:
        known = known_of(options, view, seat, TRUMP_SUITS.index(view.trump))
        return [(value_of(known, c.NUMBER[action.card]), action) for action in plays]
    named = {suit: count_of(hand, suit, options.low == "taker") * NAMING for suit in range(4)}
    known_by = [known_of(options, view, seat, suit) for suit in range(4)]
    return [
        (named[suit] + value_of(known_by[suit], c.NUMBER[action.card]), action)
        for action in plays
        for suit in [TRUMP_SUITS.index(action.trump or printed_suit(action.card))]
    ]


def _hand(view: View, seat: Seat) -> int:
    return c.mask_of(view.hands[seat].cards or ())
