"""Moves in positions built by hand, alike in every game: the ``builders`` of a game bind them to its ruleset."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from domain.cardplay.tricks import TrickCard
from domain.chance import Chance
from domain.errors import IllegalAction
from domain.ruleset import AnyRuleset

SECRET = b"a secret of thirty-two bytes long"


@dataclass(frozen=True)
class Moves:
    """The moves of one ruleset, and the chance that its draws follow from."""

    ruleset: AnyRuleset
    chance: Chance

    def played(self, state: Any, *events: Any) -> Any:
        """Record events."""
        for event in events:
            state = self.ruleset.evolve(state, event)
        return state

    def act(self, state: Any, seat: int, action: Any) -> tuple[list[Any], Any]:
        """Decide an action and what it forces, up to the next deal; return the events and the state."""
        events = [*self.ruleset.decide(state, seat, action)]
        state = self.played(state, *events)
        while state.phase not in ("deal", "over") and (forced := self.ruleset.settle(state, self.chance)):
            events += forced
            state = self.played(state, *forced)
        return events, state

    def acts(self, state: Any, *actions: Any) -> Any:
        """Take one action after the other, each by the seat to act; return the state."""
        for action in actions:
            _, state = self.act(state, self.to_act(state), action)
        return state

    def refusal(self, state: Any, seat: int, action: Any) -> str | None:
        """Return the code with which an action is rejected, None if it is accepted."""
        try:
            self.ruleset.decide(state, seat, action)
        except IllegalAction as refused:
            return refused.code
        return None

    def to_act(self, state: Any) -> int | None:
        """Return the only seat to act, or None."""
        seats = self.ruleset.to_act(state)
        assert len(seats) <= 1
        return next(iter(seats), None)

    def legal(self, state: Any, seat: int | None = None) -> list[Any]:
        """List the legal actions of a seat, by default of the one to act."""
        return [*self.ruleset.legal_actions(state, self.to_act(state) if seat is None else seat)]

    def worlds(self, state: Any, viewer: int | None, count: int = 40) -> list[Any]:
        """Draw worlds that look to a viewer as the state does, of many kinds."""
        view, rng = self.ruleset.project(state, viewer), random.Random(7)
        drawn = [self.ruleset.sample(state.options, viewer, view, rng) for _ in range(count)]
        assert all(self.ruleset.project(world, viewer) == view for world in drawn)
        assert len({world.table.held for world in drawn}) > count // 2
        return drawn

    def check_hand(
        self,
        state: Any,
        viewers: Iterable[int | None],
        seat: int,
        *,
        always: str = "",
        never: str = "",
        maybe: str = "",
    ) -> None:
        """Check which cards a seat holds in all worlds, in none, and in some."""
        for viewer in viewers:
            hands = [{*world.table.held[seat]} for world in self.worlds(state, viewer)]
            in_all, in_some = set.intersection(*hands), set.union(*hands)
            assert in_all >= {*always.split()}
            assert not in_some & {*never.split()}
            assert in_some - in_all >= {*maybe.split()}


def of_kind(events: Sequence[Any], *kinds: type) -> list[Any]:
    """Pick the events of some kinds."""
    return [event for event in events if isinstance(event, kinds)]


def trick(text: str) -> tuple[TrickCard, ...]:
    """Read played cards: "0:RH 1:T3"."""
    return tuple(TrickCard(int(seat), card) for seat, _, card in (word.partition(":") for word in text.split()))
