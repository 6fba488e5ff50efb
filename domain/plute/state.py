"""The state of a game of Plute, and ``evolve``: events recorded one by one, never judged.

``Hand`` holds the story of a hand (the deal, the auction), ``Table`` the cards as they lie now, trump and the tricks.
``phase`` says which module asks the next question. What the state shares with its views is in plain field types.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, cast, get_args

from domain.plute import events as ev
from domain.plute.actions import BidPoints
from domain.plute.deck import Card, TableSeat, TrickCard, TrumpSuit, in_pack_order
from domain.plute.events import Phase, Team
from domain.plute.options import Options
from domain.serialization import changed
from domain.table import Seat

TEAMS: tuple[Team, ...] = get_args(Team)


def _hidden() -> Any:
    """Declare a field, empty at first, that no repr shows."""
    return field(default=(), repr=False)


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
    """A finished hand: what was bid, and what came of it. ``points`` are of the bidding team first."""

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
    dealt: tuple[tuple[Card, ...], ...] = _hidden()
    bids: tuple[Spoken, ...] = ()
    contract: ev.ContractWon | None = None


@dataclass(frozen=True)
class Table:
    """The cards as they lie. ``held`` is by seat, each in pack order; ``jokers`` are those named, high first."""

    held: tuple[tuple[Card, ...], ...] = _hidden()
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
    phase: Phase
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


def evolve(state: State, event: ev.Event) -> State:
    """Record an event."""
    return _RECORDERS[type(event)](state, event)


def _on_hand(state: State, **changes: Any) -> State:
    return changed(state, hand=changed(state.hand, **changes))


def _on_table(state: State, **changes: Any) -> State:
    return changed(state, table=changed(state.table, **changes))


def _hand_dealt(state: State, event: ev.HandDealt) -> State:
    dealt = tuple(hand.cards for hand in event.hands)
    hand = Hand(event.hand_number, event.dealer, dealt)
    return changed(state, hand=hand, table=Table(tuple(map(in_pack_order, dealt))))


def _phase_began(state: State, event: ev.PhaseBegan) -> State:
    return changed(state, phase=event.phase)


def _bid_made(state: State, event: ev.BidMade) -> State:
    return _on_hand(state, bids=(*state.hand.bids, Spoken(event.seat, event.points)))


def _passed(state: State, event: ev.Passed) -> State:
    return _on_hand(state, bids=(*state.hand.bids, Spoken(event.seat, None)))


def _contract_won(state: State, event: ev.ContractWon) -> State:
    return _on_hand(state, contract=event)


def _card_played(state: State, event: ev.CardPlayed) -> State:
    held = tuple(
        tuple(card for card in cards if card != event.card) if seat == event.seat else cards
        for seat, cards in enumerate(state.table.held)
    )
    return _on_table(state, held=held, trick=(*state.table.trick, TrickCard(event.seat, event.card)))


def _trump_named(state: State, event: ev.TrumpNamed) -> State:
    return _on_table(state, trump=event.trump)


def _joker_named(state: State, event: ev.JokerNamed) -> State:
    return _on_table(state, jokers=(*state.table.jokers, event.card))


def _trick_won(state: State, event: ev.TrickWon) -> State:
    return _on_table(state, trick=(), tricks=(*state.table.tricks, event))


def _hand_claimed(state: State, _event: ev.HandClaimed) -> State:
    return _on_table(state, claimed=True)


def _hand_stopped(state: State, _event: ev.HandStopped) -> State:
    return _on_table(state, stopped=True)


def _points_counted(state: State, event: ev.PointsCounted) -> State:
    return _on_table(state, counted=(*state.table.counted, event))


def _plute_made(state: State, event: ev.PluteMade) -> State:
    return _on_table(state, pluted=event.team)


def _bid_made_good(state: State, event: ev.BidMadeGood) -> State:
    return _with_result(state, event, replace(of_team(state.tallies, event.team), made=event.made))


def _team_set(state: State, event: ev.TeamSet) -> State:
    return _with_result(state, event, replace(of_team(state.tallies, event.team), set=event.set_))


def _with_result(state: State, event: ev.BidMadeGood | ev.TeamSet, tally: Tally) -> State:
    """Record the new tally of a team, and what came of the hand."""
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


_RECORDERS: Mapping[type, Callable[[State, Any], State]] = {
    ev.HandDealt: _hand_dealt,
    ev.PhaseBegan: _phase_began,
    ev.BidMade: _bid_made,
    ev.Passed: _passed,
    ev.ContractWon: _contract_won,
    ev.CardPlayed: _card_played,
    ev.TrumpNamed: _trump_named,
    ev.JokerNamed: _joker_named,
    ev.TrickWon: _trick_won,
    ev.HandClaimed: _hand_claimed,
    ev.HandStopped: _hand_stopped,
    ev.PointsCounted: _points_counted,
    ev.PluteMade: _plute_made,
    ev.BidMadeGood: _bid_made_good,
    ev.TeamSet: _team_set,
}
