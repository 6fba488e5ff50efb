"""Deals in which a seat takes the contract that it is told to, and all seats play as ``greedy`` does."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from domain.chance import Chance
from domain.ruleset import AnyRuleset
from domain.serialization import Plain
from domain.table import Seat
from workers.bots.ranking import Valued, best_first

Weighed = Callable[[Any, Any, Seat], list[Valued]]


class Table:
    """A table with one deal after another, all of them numbered."""

    def __init__(self, ruleset: AnyRuleset, seats: int, options: Mapping[str, Plain], weighed: Weighed) -> None:
        self._ruleset, self._seats, self._weighed = ruleset, seats, weighed
        self._options = ruleset.options.complete(options, seats)

    def dealt(self, number: int) -> Any:
        """Return the state in which the first seat bids."""
        chance = Chance(sha256(b"%d" % number).digest(), "bids", (None,) * self._seats)
        return self._settled(self._ruleset.setup(self._options, self._seats), chance)

    def played(self, state: Any, taker: Seat, bid: object, passing: object) -> Any:
        """Return the state after the deal, in which one seat makes a bid and all others pass."""
        results = self._results(state)
        while self._results(state) == results:
            seat = min(self._ruleset.waiting_for(state))
            spoken = bid if seat == taker else passing
            action: Any = spoken if state.phase == "bid" else self._chosen(state, seat)
            for event in self._ruleset.decide(state, seat, action):
                state = self._ruleset.evolve(state, event)
            state = self._settled(state, Chance(b"", "", ()))
        return state

    @staticmethod
    def _results(state: Any) -> int:
        return len(state.results)

    def _chosen(self, state: Any, seat: Seat) -> object:
        view = self._ruleset.project(state, seat)
        return best_first(self._weighed(self._options, view, seat))[0][1]

    def _settled(self, state: Any, chance: Chance) -> Any:
        results = self._results(state)
        while self._results(state) == results and (events := self._ruleset.settle(state, chance)):
            for event in events:
                state = self._ruleset.evolve(state, event)
        return state
