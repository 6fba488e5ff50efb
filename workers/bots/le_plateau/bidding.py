"""Bids, raises and abdication: the highest expected score, by the chances that ``prospects`` estimates.

A bid can be raised later, when partner and talon are known. So the cheapest bid of a kind is as good as its best
objective; the bot bids the kind with the highest expectation, as low as the auction allows.
"""

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Final, NamedTuple

from domain.le_plateau import bidding as rules
from domain.le_plateau import partners
from domain.le_plateau.actions import Abdicate, Action, Bid, Pass, RaiseObjective
from domain.le_plateau.board import OBJECTIVES, Objective
from domain.le_plateau.scoring import hand_scores
from domain.le_plateau.state import Contract, State, contract_of
from domain.serialization import changed
from domain.table import Seat
from workers.bots.le_plateau.calibration import GREEDY, Odds, chance_of, error_of
from workers.bots.le_plateau.prospects import ONE, PARTNERS, Tally, of_bids, of_contract, play_out
from workers.bots.le_plateau.seen import Seen
from workers.bots.policy import Enough, never

SAFETY: Final = ONE // 2
"""How much better a bid or a raise must be than none: half a point, for what the estimate does not include.

Measured over 24 deals against one point: with none, bids came more often, were made as often, and won as much.
"""

PLAYOUTS: Final = 48
"""Playouts for each way to exchange, and for a raise."""


class Share(NamedTuple):
    """How an expectation depends on a chance: on which one, and the signed factor by which an error of it counts."""

    chance: object = None
    error: float = 0.0


class Weighed(NamedTuple):
    """Actions with their values, as parts of ``ONE``, the playouts done for them, and their shares.

    A value is the expectation of the action, and its bonus: ``SAFETY`` for a pass and against a raise.
    """

    values: list[tuple[Action, int]]
    playouts: int
    shares: Mapping[object, Share]
    favours: Mapping[object, int]

    def error(self, action: object, other: object | None) -> float:
        """Return the standard error of an expectation, or of a difference, as parts of ``ONE``.

        Two expectations by the same chance have the same error. Different chances are treated as independent, though
        they come from the same playouts, so the error of their difference is an upper estimate.
        """
        one, two = (self.shares.get(each, Share()) for each in (action, other))
        if one.chance == two.chance:
            return abs(one.error - two.error)
        return hypot(one.error, two.error)


def weighed_bids(seen: Seen, playouts: int | None = None, odds: Odds = GREEDY, is_enough: Enough = never) -> Weighed:
    """Value a pass and the legal bids, the cheapest of equals first.

    The playouts are shared by the ways to exchange that can still be bid; by default, each has ``PLAYOUTS``.
    """
    state = seen.world()
    legal = rules.legal_actions(state, seen.seat)
    bids = [action for action in legal if isinstance(action, Bid)]
    hands = {
        exchange: of_bids(seen, exchange=exchange) for exchange in dict.fromkeys(bool(bid.exchange) for bid in bids)
    }
    each_way = PLAYOUTS if playouts is None else playouts // max(len(hands), 1)
    done = play_out(hands.values(), each_way, is_enough)
    weighed: list[tuple[Action, int]] = [(Pass(), SAFETY)]
    shares: dict[object, Share] = {}
    for exchange, played in hands.items():
        for bid in (each for each in bids if bool(each.exchange) == exchange):
            tally = played.tally(PARTNERS[bid.team])
            value, contract = _best_of(state, seen.seat, bid, tally, odds)
            weighed.append((bid, value))
            shares[bid] = _share(state, seen.seat, contract, tally, odds)
    return Weighed(weighed, done, shares, {Pass(): SAFETY})


def _best_of(state: State, seat: Seat, bid: Bid, tally: Tally, odds: Odds) -> tuple[int, Contract]:
    """Return the value of a bid, with the best objective to which it can be raised."""
    higher = OBJECTIVES[OBJECTIVES.index(bid.objective) :]
    contracts = [_contract(state, seat, bid, objective) for objective in higher]
    found = [(_expected_by(state, seat, contract, tally, odds), contract) for contract in contracts]
    return max(found, key=lambda pair: pair[0])


def _expected_by(state: State, seat: Seat, contract: Contract, tally: Tally, odds: Odds) -> int:
    chance = chance_of(odds, state.seats, contract.team, OBJECTIVES.index(contract.objective), tally)
    return expected(state, seat, contract, chance)


def _share(state: State, seat: Seat, contract: Contract, tally: Tally, odds: Odds) -> Share:
    """Return how much the expectation of a contract errs by the number of playouts."""
    lost, won = (expected(state, seat, contract, chance) for chance in (0, ONE))
    error = error_of(odds, state.seats, contract.team, OBJECTIVES.index(contract.objective), tally)
    return Share((contract.exchange, contract.team, contract.objective), error * (won - lost) / ONE)


def _contract(state: State, seat: Seat, bid: Bid, objective: Objective) -> Contract:
    value = rules.value_of(state.seats, bid.exchange, objective, bid.team)
    others = [other for other in range(state.seats) if other != seat]
    team = tuple(others[: PARTNERS[bid.team]])
    return Contract(seat, team, None, bool(bid.exchange), objective, bid.team, value)


def expected(state: State, seat: Seat, contract: Contract, chance: int) -> int:
    """Return a contract's expectation for a seat, compared with the mean of the others, as parts of ``ONE``."""
    there = changed(state, hand=changed(state.hand, contract=contract))
    won, lost = (_lead(hand_scores(there, side), seat) for side in ("declarer", "opposing"))
    return (won * chance + lost * (ONE - chance)) // (state.seats - 1)


def _lead(scores: Sequence[int], seat: Seat) -> int:
    return len(scores) * scores[seat] - sum(scores)


def weighed_raises(seen: Seen, playouts: int = PLAYOUTS, odds: Odds = GREEDY, is_enough: Enough = never) -> Weighed:
    """Value keeping, raising and abdicating by so many playouts."""
    state = seen.world()
    contract = contract_of(state)
    hands = of_contract(seen)
    done = play_out([hands], playouts, is_enough)
    tally = hands.tally()
    weighed: list[tuple[Action, int]] = []
    shares: dict[object, Share] = {}
    legal = partners.legal_raises(state, seen.seat)
    favours: dict[object, int] = {action: -SAFETY for action in legal if isinstance(action, RaiseObjective)}
    for action in legal:
        after = _after(contract, action)
        weighed.append((action, _expected_by(state, seen.seat, after, tally, odds) + favours.get(action, 0)))
        shares[action] = _share(state, seen.seat, after, tally, odds)
    return Weighed(weighed, done, shares, favours)


def _after(contract: Contract, action: Action) -> Contract:
    match action:
        case RaiseObjective(objective):
            return changed(contract, objective=objective, value=rules.raised_value(contract, objective))
        case Abdicate():
            return changed(contract, declarer=contract.partners[0], partners=(contract.declarer,))
        case _:
            return contract
