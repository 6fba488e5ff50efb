"""The state of a game of Plute, and ``evolve``: events recorded one by one, never judged.

A hand's story is told in ``Hand`` (the deal, the auction) and ``Table`` (the cards as they lie now, trump, the tricks).
``phase`` says which module asks the next question.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from domain.plute import events as ev
from domain.plute.deck import Card, TrickCard, TrumpSuit, in_pack_order
from domain.plute.events import Phase, Team
from domain.plute.options import Options
from domain.serialization import Plain, changed, to_plain
from domain.table import Seat

TEAMS: tuple[Team, ...] = get_args(Team)


def _hidden() -> Any:
    """Declare a field, empty at first, that no repr shows."""
    return field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn in the bidding; ``points`` is None for a pass."""

    seat: Seat
    points: int | None


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick."""

    number: int
    winner: Seat
    team: Team
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """How often a team has made its bid, and how often it was set."""

    made: int = 0
    set_: int = 0


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
    tricks: tuple[Trick, ...] = ()
    claimed: bool = False
    stopped: bool = False
    counted: tuple[ev.PointsCounted, ...] = ()
    pluted: Team | None = None


@dataclass(frozen=True)
class State:
    """A game of Plute. ``tallies`` are by team, ``results`` hold what came of each finished hand, as plain data."""

    options: Options
    phase: Phase
    hand: Hand
    table: Table
    tallies: tuple[Tally, ...] = (Tally(), Tally())
    results: tuple[Mapping[str, Plain], ...] = ()


def initial(options: Options, _seats: int) -> State:
    """Give the state before the first deal."""
    return State(options, "deal", Hand(), Table())


def team_of(seat: Seat) -> Team:
    """Say for which team a seat plays: partners sit at every other seat."""
    return TEAMS[seat % 2]


def other_team(team: Team) -> Team:
    """Give the opponents of a team."""
    return TEAMS[1 - TEAMS.index(team)]


def tally_of(state: State, team: Team) -> Tally:
    """Give the tally of a team."""
    return state.tallies[TEAMS.index(team)]


def contract_of(state: State) -> ev.ContractWon:
    """Give the contract of a hand whose bidding is over."""
    return cast("ev.ContractWon", state.hand.contract)


def trump_of(state: State) -> TrumpSuit:
    """Give the trump suit of a hand whose first card is played."""
    return cast("TrumpSuit", state.table.trump)


def evolve(state: State, event: Any) -> State:
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
    trick = Trick(event.number, event.winner, event.team, event.cards)
    return _on_table(state, trick=(), tricks=(*state.table.tricks, trick))


def _hand_claimed(state: State, _event: ev.HandClaimed) -> State:
    return _on_table(state, claimed=True)


def _hand_stopped(state: State, _event: ev.HandStopped) -> State:
    return _on_table(state, stopped=True)


def _points_counted(state: State, event: ev.PointsCounted) -> State:
    return _on_table(state, counted=(*state.table.counted, event))


def _plute_made(state: State, event: ev.PluteMade) -> State:
    return _on_table(state, pluted=event.team)


def _bid_made_good(state: State, event: ev.BidMadeGood) -> State:
    return _tallied(state, event, Tally(event.made, tally_of(state, event.team).set_))


def _team_set(state: State, event: ev.TeamSet) -> State:
    return _tallied(state, event, Tally(tally_of(state, event.team).made, event.set_))


def _tallied(state: State, event: ev.BidMadeGood | ev.TeamSet, tally: Tally) -> State:
    """Write down the new tally of a team, and what came of the hand."""
    tallies = tuple(tally if team == event.team else tally_of(state, team) for team in TEAMS)
    hand, table = state.hand, state.table
    result = {
        "hand_number": hand.number,
        "dealer": hand.dealer,
        "contract": to_plain(hand.contract),
        "trump": table.trump,
        "tricks": {team: sum(trick.team == team for trick in table.tricks) for team in TEAMS},
        "stopped": table.stopped,
        "points": to_plain(table.counted),
        "made": isinstance(event, ev.BidMadeGood),
        "plute": table.pluted,
    }
    return changed(state, tallies=tallies, results=(*state.results, result))


_RECORDERS: dict[type, Callable[[State, Any], State]] = {
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
