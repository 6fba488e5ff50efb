"""What one viewer may know of a game of Plute: built field by field, from nothing.

The types describe the plain data that clients receive (rules.md, view). Every public fact of the hand is here, and of
the hands dealt only the viewer's own.
"""

from typing import TypedDict, cast

from domain.plute.actions import BidPoints, TableSeat
from domain.plute.deck import Card, TrickCard, TrumpSuit
from domain.plute.events import Phase, Point, Team
from domain.plute.naming import named_jokers
from domain.plute.play import is_over, leader
from domain.plute.scoring import Standing, standings
from domain.plute.state import Spoken, State
from domain.plute.stopping import may_claim
from domain.serialization import Plain, to_plain
from domain.table import Seat


class HandView(TypedDict):
    """One seat's cards: how many, and which (own ones only, in pack order)."""

    seat: TableSeat
    count: int
    cards: list[Card] | None


class SpokenView(TypedDict):
    """One turn in the bidding; null points are a pass."""

    seat: TableSeat
    points: BidPoints | None


class ContractView(TypedDict):
    """What the bidder's team has to win."""

    bidder: TableSeat
    team: Team
    points: BidPoints


class JokersView(TypedDict):
    """Which joker is the high one and which the low one; null while that is not known."""

    high: Card | None
    low: Card | None


class PlayedView(TypedDict):
    """A card in a trick."""

    seat: TableSeat
    card: Card


class TrickView(TypedDict):
    """The trick on the table."""

    number: int
    leader: TableSeat
    cards: list[PlayedView]


class WonTrickView(TypedDict):
    """A finished trick."""

    number: int
    winner: TableSeat
    team: Team
    cards: list[PlayedView]


class TallyView(TypedDict):
    """How often a team has made its bid, and how often it was set."""

    made: int
    set: int


class TalliesView(TypedDict):
    """The tallies by team."""

    even: TallyView
    odd: TallyView


class StandingView(TypedDict):
    """What a team has for certain, by the tricks taken so far: their number, its points, what they count for Game."""

    tricks: int
    points: list[Point]
    game_value: int


class StandingsView(TypedDict):
    """The standings by team."""

    even: StandingView
    odd: StandingView


class TricksView(TypedDict):
    """Numbers of tricks by team."""

    even: int
    odd: int


class PointsView(TypedDict):
    """The points that a team won, and what its tricks counted for Game."""

    team: Team
    points: list[Point]
    game_value: int


class HandResultView(TypedDict):
    """A finished hand: what was bid, and what came of it. ``points`` are of the bidding team first."""

    hand_number: int
    dealer: TableSeat
    contract: ContractView | None
    trump: TrumpSuit | None
    tricks: TricksView
    stopped: bool
    points: list[PointsView]
    made: bool
    plute: Team | None


class View(TypedDict):
    """The ``state`` of a view."""

    phase: Phase
    hand_number: int
    dealer: TableSeat
    hands: list[HandView]
    bids: list[SpokenView]
    contract: ContractView | None
    trump: TrumpSuit | None
    jokers: JokersView
    trick: TrickView | None
    tricks: list[WonTrickView]
    standing: StandingsView
    may_claim: bool
    tally: TalliesView
    hand_results: list[HandResultView]


def project(state: State, viewer: Seat | None) -> dict[str, Plain]:
    """Build the view of a seat, or of a spectator (None)."""
    hand, table = state.hand, state.table
    even, odd = state.tallies
    high, low, *_ = (*named_jokers(state), None, None)
    view: View = {
        "phase": state.phase,
        "hand_number": hand.number,
        "dealer": hand.dealer,
        "hands": [_hand(seat, cards, viewer) for seat, cards in enumerate(table.held)],
        "bids": [_spoken(spoken) for spoken in hand.bids],
        "contract": cast("ContractView | None", to_plain(hand.contract)),
        "trump": table.trump,
        "jokers": {"high": high, "low": low},
        "trick": _trick(state),
        "tricks": [
            {"number": trick.number, "winner": trick.winner, "team": trick.team, "cards": _played(trick.cards)}
            for trick in table.tricks
        ],
        "standing": _standings(state),
        "may_claim": hand.contract is not None and not (table.claimed or is_over(state)) and may_claim(state),
        "tally": {"even": {"made": even.made, "set": even.set_}, "odd": {"made": odd.made, "set": odd.set_}},
        "hand_results": [cast("HandResultView", result) for result in state.results],
    }
    return cast("dict[str, Plain]", view)


def _hand(seat: Seat, held: tuple[Card, ...], viewer: Seat | None) -> HandView:
    return {"seat": seat, "count": len(held), "cards": list(held) if seat == viewer else None}


def _spoken(spoken: Spoken) -> SpokenView:
    return {"seat": spoken.seat, "points": spoken.points}


def _trick(state: State) -> TrickView | None:
    """Show the trick on the table, from the moment the contract is won until the hand is over."""
    if state.phase != "play" or state.hand.contract is None or is_over(state):
        return None
    return {
        "number": len(state.table.tricks) + 1,
        "leader": leader(state),
        "cards": _played(state.table.trick),
    }


def _standings(state: State) -> StandingsView:
    """Show what everybody can count up from the tricks taken."""
    even, odd = (_standing(standing) for standing in standings(state).values())
    return {"even": even, "odd": odd}


def _standing(standing: Standing) -> StandingView:
    return {"tricks": standing.tricks, "points": list(standing.points), "game_value": standing.game_value}


def _played(cards: tuple[TrickCard, ...]) -> list[PlayedView]:
    return [{"seat": played.seat, "card": played.card} for played in cards]
