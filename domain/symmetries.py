"""The symmetries of a game: other names for the cards, or another way up for the board, that change no rule.

A mask names one of them: the suits exchanged, say. Masked, a deal has the same scores for the same play, but it cannot
be told to another table in a sentence. A game played under a mask draws its deals as if it had none; then the events of
the deal are masked (``masked``), and all that follows by the rules is masked by itself.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from domain.chance import Chance

OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")

Mask: TypeAlias = str

LABEL = "mask"
"""The label of the draw of a mask."""


@dataclass(frozen=True, slots=True)
class Symmetries(Generic[OptionsT, StateT, ActionT, EventT]):
    """The masks of a ruleset: a group, whose maps carry a legal game into a legal game with the same scores."""

    masks: Callable[[OptionsT, int], Sequence[Mask]]
    """List the masks that the rules allow with these options and this number of seats, first that which masks nothing.

    The order never changes, since a draw is a place in it.
    """
    inverse: Callable[[Mask], Mask]
    """Return the mask that removes a mask."""
    event: Callable[[Mask, StateT, EventT], EventT]
    """Mask an event that happens in a state, which is masked already."""
    action: Callable[[Mask, ActionT], ActionT]


AnySymmetries: TypeAlias = Symmetries[Any, Any, Any, Any]
"""Symmetries of any types that fit together."""


def drawn(symmetries: Symmetries[OptionsT, Any, Any, Any], chance: Chance, options: OptionsT, seats: int) -> Mask:
    """Draw a mask: the draw number 1 of its label."""
    masks = symmetries.masks(options, seats)
    return masks[chance.below(LABEL, 1, len(masks))]


def masked(
    symmetries: Symmetries[Any, StateT, Any, EventT],
    evolve: Callable[[StateT, EventT], StateT],
    mask: Mask,
    state: StateT,
    events: Iterable[EventT],
) -> list[EventT]:
    """Mask events that follow each other from a state, which is masked already."""
    result: list[EventT] = []
    for event in events:
        result.append(symmetries.event(mask, state, event))
        state = evolve(state, result[-1])
    return result
