"""The state of a game of Hearts, and ``evolve``: events recorded one by one, never judged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from domain.cardplay.cards import Hands, without
from domain.recording import Part, Recorder, hidden, recorded_by, replaced
from domain.serialization import changed
from domain.table import Seat
from hearts import nouns as ev
from hearts.deck import PLAYERS, TRICKS, in_pack_order

PhaseName: TypeAlias = Literal["deal", "pass", "play", "over"]
NOTHING: Hands = ((),) * PLAYERS


@dataclass(frozen=True)  # no slots, for domain.serialization.changed
class Hand:
    """The story of a hand up to the play. ``chosen`` are the cards that each seat passes, () until it has chosen."""

    number: int = 0
    dealer: Seat = 0
    direction: ev.Direction = "none"
    dealt: Hands = hidden()
    chosen: Hands = hidden()
    passed: bool = False


@dataclass(frozen=True)
class Table:
    """The cards as they lie; ``leader`` leads the first trick, None until the play begins."""

    held: Hands = hidden()
    leader: Seat | None = None
    trick: tuple[ev.TrickCard, ...] = ()
    tricks: tuple[ev.TrickTaken, ...] = ()
    broken: bool = False


@dataclass(frozen=True)
class State:
    """A game of Hearts; ``results`` are of the finished hands."""

    options: ev.Options
    hand: Hand = Hand()
    table: Table = Table()
    results: tuple[ev.HandScored, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the scores by seat."""
        return self.results[-1].totals if self.results else (0,) * PLAYERS

    @property
    def phase(self) -> PhaseName:
        """Return which part of a hand it is; between two hands, it is the deal."""
        if len(self.results) == self.hand.number:
            return "over" if max(self.totals) >= self.options.limit else "deal"
        return "play" if self.hand.direction == "none" or self.hand.passed else "pass"

    @property
    def is_played_out(self) -> bool:
        """Return whether all tricks of this hand are taken."""
        return len(self.table.tricks) == TRICKS


def receiver_of(giver: Seat, direction: ev.Direction) -> Seat:
    """Return the seat to which a seat passes its cards."""
    return (giver + {"left": 1, "across": 2, "right": 3, "none": 0}[direction]) % PLAYERS


_TABLE: Part[State, Table] = Part("table")


def _dealt(state: State, event: ev.HandDealt) -> State:
    dealt = tuple(hand.cards for hand in event.hands)
    hand = Hand(event.hand_number, event.dealer, event.direction, dealt, NOTHING)
    return changed(state, hand=hand, table=Table(dealt))


def _chosen(state: State, event: ev.CardsChosen) -> State:
    hand, table = state.hand, state.table
    chosen, held = replaced(hand.chosen, event.seat, event.cards), without(table.held, event.seat, event.cards)
    return changed(state, hand=replace(hand, chosen=chosen), table=replace(table, held=held))


def _passed(state: State, event: ev.CardsPassed) -> State:
    held = state.table.held
    for each in event.passes:
        held = replaced(held, each.receiver, in_pack_order((*held[each.receiver], *each.cards)))
    return changed(state, hand=replace(state.hand, passed=True), table=replace(state.table, held=held))


def _played(table: Table, event: ev.CardPlayed) -> Mapping[str, object]:
    held = without(table.held, event.seat, (event.card,))
    return {"held": held, "trick": (*table.trick, ev.TrickCard(event.seat, event.card))}


_RECORDERS: Mapping[type, Recorder[State]] = {
    ev.HandDealt: _dealt,
    ev.CardsChosen: _chosen,
    ev.CardsPassed: _passed,
    **_TABLE.on(ev.PlayBegan, lambda _, event: {"leader": event.leader}),
    **_TABLE.on(ev.CardPlayed, _played),
    **_TABLE.on(ev.HeartsBroken, lambda *_: {"broken": True}),
    **_TABLE.on(ev.TrickTaken, lambda table, event: {"trick": (), "tricks": (*table.tricks, event)}),
    ev.HandScored: lambda state, event: changed(state, results=(*state.results, event)),
}

evolve: Callable[[State, ev.Event], State] = recorded_by(_RECORDERS)
"""Record an event."""


def setup(options: ev.Options, _seats: int) -> State:
    """Return the state before the first deal."""
    return State(options)
