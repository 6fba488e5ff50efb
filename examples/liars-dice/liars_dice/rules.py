"""Who can do what, what it means, and what the rules force next (rules.md, sections 2 to 5)."""

from collections.abc import Iterator, Sequence
from typing import cast

from domain.chance import Chance
from domain.draws import Draw, DrawnNumbers
from domain.errors import IllegalAction
from domain.log.record import Shown
from domain.table import Outcome, Seat
from domain.wellformed import check_action
from liars_dice.nouns import (
    ACTIONS,
    Action,
    Bid,
    BidChallenged,
    BidMade,
    Challenge,
    Cup,
    CupsLifted,
    DiceRolled,
    Event,
    Face,
    LiftedCup,
    Options,
    State,
)

BIDDING = "3. Bidding"
ENDING = "5. The end of the game"


def turn(state: State) -> Seat | None:
    """Return the seat whose turn it is; None while something is forced, and once the game is over."""
    if not state.cups or state.challenger is not None:
        return None
    return _next_with_dice(state.left, state.bids[-1].seat) if state.bids else state.starter


def to_act(state: State) -> frozenset[Seat]:
    """Return the one seat that can act, if any."""
    seat = turn(state)
    return frozenset() if seat is None else frozenset({seat})


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List the bids from low to high, then the challenge."""
    return tuple(_legal_actions(state)) if seat in to_act(state) else ()


def _legal_actions(state: State) -> Iterator[Action]:
    faces = range(2 if state.options.wild_ones else 1, 7)
    lowest = _rank(state.bids[-1]) if state.bids else (0, 0)
    for count in range(1, sum(state.left) + 1):
        yield from (Bid(count, cast("Face", face)) for face in faces if (count, face) > lowest)
    if state.bids:
        yield Challenge()


def decide(state: State, seat: Seat, action: Action) -> list[Event]:
    """Return what the player did; raise ``IllegalAction``."""
    check_action(ACTIONS, seat, action, BIDDING)
    if seat not in to_act(state):
        raise IllegalAction("not-your-turn", f"it is not the turn of seat {seat}", BIDDING)
    if isinstance(action, Bid):
        _check_bid(state, action)
        return [BidMade(seat, action.count, action.face)]
    if not state.bids:
        raise IllegalAction("nothing-to-challenge", "there is no bid yet; make one", BIDDING)
    return [BidChallenged(seat)]


def _check_bid(state: State, bid: Bid) -> None:
    total = sum(state.left)
    if not 1 <= bid.count <= total:
        raise IllegalAction("no-such-count", f"a bid names 1 to {total} dice, not {bid.count}", BIDDING)
    if state.options.wild_ones and bid.face == 1:
        raise IllegalAction("ones-are-wild", "ones are wild and cannot be bid on", BIDDING)
    if state.bids and _rank(bid) <= _rank(state.bids[-1]):
        raise IllegalAction("bid-too-low", "a bid must name more dice, or as many of a higher face", BIDDING)


def _rank(bid: Bid | BidMade) -> tuple[int, int]:
    return bid.count, bid.face


def settle(state: State, chance: Chance) -> list[Event]:
    """Lift the cups after a challenge, or roll for the next round."""
    if state.challenger is not None:
        return [_lifted(state, state.challenger)]
    return [] if state.cups or outcome(state) else [_rolled(state, chance)]


def _rolled(state: State, chance: Chance) -> DiceRolled:
    number = state.round + 1
    cups = tuple(Cup(seat, dice, _dice(chance, number, seat, dice)) for seat, dice in enumerate(state.left) if dice)
    starter = state.starter if state.round else chance.below("starter", 1, len(state.left))
    return DiceRolled(number, starter, cups)


def _dice(chance: Chance, number: int, seat: Seat, count: int) -> tuple[Face, ...]:
    drawn = (1 + chance.below(f"round {number} seat {seat}", die, 6) for die in range(1, count + 1))
    return cast("tuple[Face, ...]", tuple(sorted(drawn)))


def draws(_options: Options, seats: int, event: Shown) -> Iterator[Draw]:
    """State what is drawn for a round: who starts the first, and the dice."""
    if event["type"] != "dice_rolled":
        return
    number = event["data"]["round"]
    if number == 1:
        yield DrawnNumbers("starter", 1, seats, "/starter")
    for place, cup in enumerate(event["data"]["cups"]):
        label = f"round {number} seat {cup['seat']}"
        yield DrawnNumbers(label, 1, 6, f"/cups/{place}/dice", plus=1, count=cup["count"], sorted=True)


def _lifted(state: State, challenger: Seat) -> CupsLifted:
    bid = state.bids[-1]
    faces = {bid.face, 1} if state.options.wild_ones else {bid.face}
    matching = sum(die in faces for cup in state.cups for die in cup.dice)
    loser = challenger if matching >= bid.count else bid.seat
    starter = loser if state.left[loser] > 1 else _next_with_dice(state.left, loser)
    cups = tuple(LiftedCup(cup.seat, cup.dice) for cup in state.cups)
    return CupsLifted(bid, challenger, cups, matching, loser, starter)


def _next_with_dice(left: Sequence[int], seat: Seat) -> Seat:
    """Return the next seat clockwise that has dice."""
    order = ((seat + step) % len(left) for step in range(1, len(left) + 1))
    return next((other for other in order if left[other]), seat)


def outcome(state: State) -> Outcome | None:
    """Return the outcome once only one player has dice."""
    having = tuple(seat for seat, dice in enumerate(state.left) if dice)
    return None if len(having) > 1 else Outcome("last_with_dice", having, state.left)
