"""A deal of a set as all its tables share it: without the mask that a table plays it under."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce

from domain.ruleset import AnyRuleset
from domain.symmetries import Mask, masked


@dataclass(frozen=True)
class Unmasked:
    """The ruleset's state and its events so far, without the mask."""

    state: object = field(repr=False)
    events: tuple[object, ...] = field(default=(), repr=False)

    def after(self, ruleset: AnyRuleset, mask: Mask | None, events: Iterable[object]) -> "Unmasked":
        """Return what follows from events under a mask; without a mask, they are as they happened."""
        if mask and ruleset.symmetries is not None:
            inverse = ruleset.symmetries.inverse(mask)
            events = masked(ruleset.symmetries, ruleset.evolve, inverse, self.state, events)
        events = tuple(events)
        return Unmasked(reduce(ruleset.evolve, events, self.state), (*self.events, *events))
