"""The question to a policy, and its answer.

``think(asked) -> Thought``: the same question has the same answer, on any machine and at any speed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from domain.serialization import Plain

Enough: TypeAlias = Callable[[int], bool]


def never(_done: int) -> bool:
    """Let a search continue until all its playouts are done."""
    return False


Measure: TypeAlias = Literal["points", "bid", "win", "worth"]
"""The unit of a score: points of the hand; 1 for a bid made and -1 for one that is not; 1 for a game won and -1 for one
lost, each with a little for the margin; or a value by rules of thumb, comparable only with those beside it.
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A policy's estimate of an action: the mean score for its side, and the standard error of that mean.

    ``behind`` is how much less it is than the mean of the best action, in the worlds in which both were tried, and
    ``behind_error`` the standard error of this difference, in which most of the luck cancels.
    """

    action: Any
    score: float
    error: float
    behind: float = 0.0
    behind_error: float = 0.0


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action is good, as a message of the service: its id, and numbers or texts by name."""

    id: str
    parameters: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Thought:
    """The action, as a client would post it, the playouts done for it, and the actions weighed, best first.

    ``measure`` is the unit of their scores; ``reason`` says why the action is good, if it was requested.
    """

    action: Any
    playouts: int = 0
    estimates: tuple[Estimate, ...] = ()
    measure: Measure = "worth"
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A view, as its seat gets it over the API, a seed of 32 bits, and the most playouts of a search.

    ``is_enough`` is called between playouts with the number done, and ends a search early: when its time is over or,
    when a move is repeated, at the number of the first time. A search also tries the action ``also``, as a client posts
    it, even if it would leave it out.
    """

    view: Mapping[str, Plain]
    seed: int
    playouts: int = 0
    is_enough: Enough = never
    also: Any = None


Policy: TypeAlias = Callable[[Asked], Thought]


def by_ruleset(policies: Mapping[str, Policy]) -> Policy:
    """Return the policy that chooses like that of the ruleset."""

    def think(asked: Asked) -> Thought:
        game: Any = asked.view["game"]
        return policies[game["ruleset"]](asked)

    return think
