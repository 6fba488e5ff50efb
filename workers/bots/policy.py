"""What a policy is asked, and what it returns.

``think(asked) -> Thought``: the same question has the same thought, on any machine and at any speed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from domain.serialization import Plain

Enough: TypeAlias = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a policy expects of an action: the mean score for its side, and the standard error of that mean."""

    action: Any
    score: float
    error: float


@dataclass(frozen=True, slots=True)
class Thought:
    """The action, as a client would post it, the playouts done for it, and the actions weighed, best first."""

    action: Any
    playouts: int = 0
    estimates: tuple[Estimate, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A view, as its seat gets it over the API, a seed of 32 bits, and how many playouts a search has at most.

    ``is_enough`` is called between playouts with the number done, and ends a search early: when its time is over, or,
    when a move is played again, at the number that was done the first time.
    """

    view: Mapping[str, Plain]
    seed: int
    playouts: int = 0
    is_enough: Enough = lambda _done: False


Policy: TypeAlias = Callable[[Asked], Thought]
