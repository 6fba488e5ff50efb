"""The state of a game of Plute, and ``evolve``: events recorded one by one, never judged.

``Hand`` holds the story of a hand (the deal, the auction), ``Table`` the cards as they lie now, trump and the tricks.
``phase`` names the module that decides what happens next. What the state shares with its views is in plain field types.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar, cast, get_args

from domain.cardplay.cards import Hands, without
from domain.plute import events as ev
from domain.plute.actions import BidPoints
from domain.plute.deck import Card, TableSeat, TrickCard, TrumpSuit, in_pack_order
from domain.plute.events import PhaseName, Team
from domain.plute.options import Options
from domain.recording import Part, Recorder, hidden, recorded_by
from domain.serialization import changed
from domain.table import Seat

TEAMS: tuple[Team, ...] = get_args(Team)


@dataclass(frozen=True)
class Spoken:
    """One turn in the bidding; null points are a pass."""

    seat: TableSeat
    points: BidPoints | None


@dataclass(frozen=True)
class Tally:
    """How often a team has made its bid, and how often it was set."""

    made: int
    set: int


@dataclass(frozen=True)
class Tallies:
    """The tallies by team."""

    even: Tally
    odd: Tally


@dataclass(frozen=True)
class TrickCounts:
    """Numbers of tricks by team."""

    even: int
    odd: int


@dataclass(frozen=True)
class HandResult:
    """A finished hand: the bid and its result. ``points`` are of the bidding team first."""

    hand_number: int
    dealer: TableSeat
    contract: ev.ContractWon
    trump: TrumpSuit
    tricks: TrickCounts
    stopped: bool
    points: tuple[ev.PointsCounted, ...]
    made: bool
    plute: Team | None


@dataclass(frozen=True)
class Hand:
    """The story of one hand up to the play; ``dealt`` is by seat, each in pack order."""

    number: int = 0
    dealer: Seat = 0
    dealt: Hands = hidden()
    bids: tuple[Spoken, ...] = ()
    contract: ev.ContractWon | None = None


@dataclass(frozen=True)
class Table:
    """The cards as they lie. ``held`` is by seat, each in pack order; ``jokers`` are those named, high first."""

    held: Hands = hidden()
    trump: TrumpSuit | None = None
    jokers: tuple[Card, ...] = ()
    trick: tuple[TrickCard, ...] = ()
    tricks: tuple[ev.TrickWon, ...] = ()
    claimed: bool = False
    stopped: bool = False
    counted: tuple[ev.PointsCounted, ...] = ()
    pluted: Team | None = None


@dataclass(frozen=True)
class State:
    """A game of Plute; ``results`` are of the finished hands."""

    options: Options
    phase: PhaseName
    hand: Hand
    table: Table
    tallies: Tallies = Tallies(Tally(0, 0), Tally(0, 0))
    results: tuple[HandResult, ...] = ()


Value_co = TypeVar("Value_co", covariant=True)


class ByTeam(Protocol[Value_co]):
    """A value for each team."""

    @property
    def even(self) -> Value_co:
        """Return the value of the even team."""

    @property
    def odd(self) -> Value_co:
        """Return the value of the odd team."""


def initial(options: Options, _seats: int) -> State:
    """Return the state before the first deal."""
    return State(options, "deal", Hand(), Table())


def team_of(seat: Seat) -> Team:
    """Return the team that a seat plays for: partners sit at every other seat."""
    return TEAMS[seat % 2]


def other_team(team: Team) -> Team:
    """Return the opponents of a team."""
    return TEAMS[1 - TEAMS.index(team)]


def of_team(values: ByTeam[Value_co], team: Team) -> Value_co:
    """Return the value of one team."""
    return values.even if team == "even" else values.odd


def contract_of(state: State) -> ev.ContractWon:
    """Return the contract of a hand whose bidding is over."""
    return cast("ev.ContractWon", state.hand.contract)


def trump_of(state: State) -> TrumpSuit:
    """Return the trump suit of a hand whose first card is played."""
    return cast("TrumpSuit", state.table.trump)


_HAND: Part[State, Hand] = Part("hand")
_TABLE: Part[State, Table] = Part("table")


def _hand_dealt(state: State, event: ev.HandDealt) -> State:
    dealt = tuple(hand.cards for hand in event.hands)
    hand = Hand(event.hand_number, event.dealer, dealt)
    return changed(state, hand=hand, table=Table(tuple(map(in_pack_order, dealt))))


def _played(table: Table, event: ev.CardPlayed) -> Mapping[str, object]:
    held = without(table.held, event.seat, (event.card,))
    return {"held": held, "trick": (*table.trick, TrickCard(event.seat, event.card))}


def _bid_made_good(state: State, event: ev.BidMadeGood) -> State:
    return _with_result(state, event, replace(of_team(state.tallies, event.team), made=event.made))


def _team_set(state: State, event: ev.TeamSet) -> State:
    return _with_result(state, event, replace(of_team(state.tallies, event.team), set=event.set_))


def _with_result(state: State, event: ev.BidMadeGood | ev.TeamSet, tally: Tally) -> State:
    """Record the new tally of a team, and the result of the hand."""
    hand, table = state.hand, state.table
    result = HandResult(
        hand_number=hand.number,
        dealer=hand.dealer,
        contract=contract_of(state),
        trump=trump_of(state),
        tricks=TrickCounts(*(sum(trick.team == team for trick in table.tricks) for team in TEAMS)),
        stopped=table.stopped,
        points=table.counted,
        made=isinstance(event, ev.BidMadeGood),
        plute=table.pluted,
    )
    tallies = replace(state.tallies, **{event.team: tally})
    return changed(state, tallies=tallies, results=(*state.results, result))


_RECORDERS: Mapping[type, Recorder[State]] = {
    ev.HandDealt: _hand_dealt,
    ev.PhaseBegan: lambda state, event: changed(state, phase=event.phase),
    **_HAND.on(ev.BidMade, lambda hand, event: {"bids": (*hand.bids, Spoken(event.seat, event.points))}),
    **_HAND.on(ev.Passed, lambda hand, event: {"bids": (*hand.bids, Spoken(event.seat, None))}),
    **_HAND.on(ev.ContractWon, lambda _, event: {"contract": event}),
    **_TABLE.on(ev.CardPlayed, _played),
    **_TABLE.on(ev.TrumpNamed, lambda _, event: {"trump": event.trump}),
    **_TABLE.on(ev.JokerNamed, lambda table, event: {"jokers": (*table.jokers, event.card)}),
    **_TABLE.on(ev.TrickWon, lambda table, event: {"trick": (), "tricks": (*table.tricks, event)}),
    **_TABLE.on(ev.HandClaimed, lambda *_: {"claimed": True}),
    **_TABLE.on(ev.HandStopped, lambda *_: {"stopped": True}),
    **_TABLE.on(ev.PointsCounted, lambda table, event: {"counted": (*table.counted, event)}),
    **_TABLE.on(ev.PluteMade, lambda _, event: {"pluted": event.team}),
    ev.BidMadeGood: _bid_made_good,
    ev.TeamSet: _team_set,
}

evolve: Callable[[State, ev.Event], State] = recorded_by(_RECORDERS)
"""Record an event."""
