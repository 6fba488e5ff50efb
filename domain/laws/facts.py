"""The facts about one game that the laws need: who knows what, worked out apart from the ruleset's own code.

Write these functions from how things are handled at a table, not from what the ruleset shows. What is said of cards
applies to anything that a game hides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from domain.game.aggregate import Game
from domain.log.record import Shown
from domain.serialization import Plain, to_plain
from domain.table import Seat

Knowledge: TypeAlias = Any
"""What one viewer knows, in whatever form suits the game; by default a frozenset of codes."""


def _always(*_: object) -> bool:
    return True


def _nothing(_: object) -> Iterable[str]:
    return ()


def _the_same(action: object, _events: object) -> object:
    return action


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Facts:
    """What the laws need to know about one game. A code names a hidden thing, with its place if that matters."""

    known_after: Callable[[Knowledge, Any, Seat | None], Knowledge]
    """Return what a viewer knows of hidden things after one more event, whole as the ruleset made it."""
    named_after: Callable[[Knowledge, Shown, Seat | None, Game], Knowledge]
    """Return what a reader has been shown after an event, as the reader sees it, with the reader's seat.

    The event has its ``type``, the ``seat`` that acted, if one did, and its ``data`` without that seat.
    """
    shown_by_view: Callable[[Any, Game], Set[str]]
    """Return the codes of the hidden things that a view shows."""
    is_deal: Callable[[Any], bool]
    """Return whether a new hand begins with an event: what was hidden before does not matter afterwards."""
    redealt: Callable[[Sequence[Any], Any], list[Any]]
    """Return the events since the last deal as they were in the world of a state with the same view."""

    acted_again: Callable[[Any, Sequence[Any]], Any] = _the_same
    """Return a seat's action as it was in another world, from its events there, because actions can be hidden."""
    has_many_worlds: Callable[[Any, Seat | None], bool] = _always
    """Return whether so many worlds look the same to a viewer that a drawn one mostly differs from the real one."""
    has_its_subject: Callable[[Any, Any], bool] = _always
    """Return whether everything that an event names exists in a state, so that the event can be recorded."""

    nothing_known: Callable[[], Knowledge] = frozenset
    nothing_named: Callable[[], Knowledge] = frozenset
    codes: Callable[[Knowledge], Set[str]] = frozenset
    """Return knowledge as codes that can be compared."""

    pack: Callable[[Game], Iterable[str]] = _nothing
    """Return the cards or pieces in play, if their number never changes."""
    places_of_cards: Callable[[Any], Iterable[str]] = _nothing
    """Return every card or piece anywhere in a state, as often as it occurs."""

    variants: Callable[[int], Sequence[str]] | None = None
    """Return options to try, written like ``deck=full board=custom``; None: those in which every value occurs."""
    with_details: Callable[[dict[str, Plain], int], dict[str, Plain]] | None = None
    """Return such options with all the others that they need; None: by the choices of the ruleset."""
    short: Mapping[str, Plain] = field(default_factory=dict)
    """Options that make a long game short enough to be played often: they stand in for the defaults in every game.

    If one of them has few values, the others are to occur all the same: ``variants`` of your own must name them.
    """
    longest: Mapping[str, Plain] = field(default_factory=dict)
    """Options with which a game is as long as it can be."""

    ordered: Set[tuple[str, str]] = frozenset()
    """The fields of actions, as (class, field), that are lists in which the order matters; other lists are sets."""
    words: Sequence[str] = ()
    """Texts that fields of actions can hold, such as codes of cards."""
    is_never_all_shown: bool = False
    """Whether the log of a finished game can still hide things."""


def strings_in(plain: object) -> Iterator[str]:
    """List every string anywhere in plain data, or in a dataclass as plain data, keys included, in any order."""
    rest = [to_plain(plain)]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            yield from value
            rest += value.values()
        elif isinstance(value, list | tuple):
            rest += value
        elif isinstance(value, str):
            yield value
