"""Options, actions, events and the state; ``evolve`` records events without judging them (rules.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, TypeAlias

from domain.field_types import Bounds, doc, secret
from domain.options import Choice, OptionRules
from domain.table import Seat

SEATS = range(2, 7)
MOST_DICE = 6

Face: TypeAlias = Literal[1, 2, 3, 4, 5, 6]


@dataclass(frozen=True, slots=True)
class Options:
    """The agreed options, all of them written out."""

    dice: Annotated[int, Bounds(1, MOST_DICE)] = doc("How many dice each player begins with.", default=5)
    wild_ones: bool = doc("Whether ones count as every face, and cannot be bid on.", default=True)


def choices(_seats: int) -> Mapping[str, Choice]:
    """List the possible values of each option; all combinations are allowed."""
    return {
        "dice": Choice(tuple(range(1, MOST_DICE + 1)), 5, f"1 to {MOST_DICE}", "out-of-range"),
        "wild_ones": Choice((False, True), default=True),
    }


OPTION_RULES = OptionRules(Options, SEATS, choices)


@dataclass(frozen=True, slots=True)
class Bid:
    """Claim that at least ``count`` of all dice show a face."""

    count: Annotated[int, Bounds(1, MOST_DICE * SEATS[-1])] = doc("How many dice.")
    face: Face = doc("Which face.")


@dataclass(frozen=True, slots=True)
class Challenge:
    """Doubt the last bid."""


Action: TypeAlias = Bid | Challenge
ACTIONS: Mapping[str, type] = {"bid": Bid, "challenge": Challenge}


@dataclass(frozen=True, slots=True)
class Cup:
    """The dice under one cup, low to high."""

    seat: Seat
    count: int
    dice: tuple[Face, ...] = secret("seat")


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """A round begins: each player who has dice rolled them."""

    round: int
    starter: Seat
    cups: tuple[Cup, ...]


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat bid."""

    seat: Seat
    count: int
    face: Face


@dataclass(frozen=True, slots=True)
class BidChallenged:
    """A seat challenged the last bid."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LiftedCup:
    """What lay under a cup."""

    seat: Seat
    dice: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class CupsLifted:
    """A round ends: who challenged which bid, how many dice matched it, who lost a die, and who starts next."""

    bid: BidMade
    challenger: Seat
    cups: tuple[LiftedCup, ...]
    matching: int
    loser: Seat
    next_starter: Seat


EVENTS: Mapping[str, type] = {
    "dice_rolled": DiceRolled,
    "bid_made": BidMade,
    "bid_challenged": BidChallenged,
    "cups_lifted": CupsLifted,
}
Event: TypeAlias = DiceRolled | BidMade | BidChallenged | CupsLifted


@dataclass(frozen=True, slots=True)
class State:
    """A game at some moment; ``cups`` is empty between rounds, ``left`` counts the dice of every seat."""

    options: Options
    left: tuple[int, ...]
    round: int = 0
    starter: Seat = 0
    cups: tuple[Cup, ...] = field(default=(), repr=False)
    bids: tuple[BidMade, ...] = ()
    challenger: Seat | None = None
    last: CupsLifted | None = None


def setup(options: Options, seats: int) -> State:
    """Return the state before the first roll."""
    return State(options, (options.dice,) * seats)


def evolve(state: State, event: Event) -> State:
    """Record an event."""
    match event:
        case DiceRolled(number, starter, cups):
            return replace(state, round=number, starter=starter, cups=cups, bids=(), challenger=None)
        case BidMade():
            return replace(state, bids=(*state.bids, event))
        case BidChallenged(seat):
            return replace(state, challenger=seat)
        case CupsLifted():
            left = tuple(max(0, dice - (seat == event.loser)) for seat, dice in enumerate(state.left))
            return replace(state, left=left, starter=event.next_starter, cups=(), bids=(), challenger=None, last=event)
