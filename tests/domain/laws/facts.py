"""What the laws must be told of each game, worked out apart from the ruleset's own code: one module a game here.

Such a module, named like the ruleset, offers

- ``has_its_subject(state, event)``: whether what the event speaks of exists, so that it can be recorded at all;
- ``places_of_cards(state)``: every card, or piece, that lies anywhere, as many times as it does;
- ``variants(seats)``: options to try, written like "deck=full board=custom"; every value of every option occurs;
- ``with_details(options, seats)``: such options, with what else they ask for;
- ``pack(game)``: those in play;
- ``nothing_known()``, ``known_after(known, event, viewer)`` and ``codes(known)``: what a viewer knows of hidden cards,
  at first, after one more event, and as codes that can be compared;
- ``nothing_named()`` and ``named_after(named, type, data, game)``: what a reader has been told by the events as they
  see them, likewise;
- ``told_by_view(view, game)``: what a view tells of hidden cards, as such codes;
- ``has_many_worlds(state, viewer)``: whether so many worlds look the same to the viewer that one drawn is mostly
  another;
- ``is_deal(event)``: whether a new hand begins with it;
- ``redealt(events, state)``: the events of the current hand as they were in another world with the same view;
- ``asked_again(action, events)``: a seat's action as it was in that world;
- ``ORDERED``: the fields of actions, as (type, field), that are lists in which the order matters;
- ``SHORT``, where games are long: options that make one short enough to be played often;
- ``IN_EVERY_LOG``: types of events that no game is without;
- ``IS_NEVER_ALL_SHOWN``, where it is so: that the log of a finished game may still hide things (else left out).
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from domain.serialization import to_plain


def variants(ruleset_id: str, seats: int) -> Sequence[str]:
    """Give the options of one game that the laws must hold with, beside the defaults."""
    return facts_of(ruleset_id).variants(seats) if hasattr(facts_of(ruleset_id), "variants") else ()


def options_of(ruleset_id: str, seats: int, variant: str) -> dict[str, Any]:
    """Read a variant as options."""
    options = dict(part.split("=") for part in variant.split())
    return facts_of(ruleset_id).with_details(options, seats) if options else {}


def short(ruleset_id: str) -> dict[str, Any]:
    """Give the options that make a game of this ruleset short, if there are facts of it, and any such options."""
    is_known = find_spec(f"tests.domain.laws.{ruleset_id.replace('-', '_')}") is not None
    return getattr(facts_of(ruleset_id), "SHORT", {}) if is_known else {}


def facts_of(ruleset_id: str) -> ModuleType:
    """Give the facts of one game."""
    return import_module(f"tests.domain.laws.{ruleset_id.replace('-', '_')}")


def strings_in(plain: Any) -> Iterator[str]:
    """List every string anywhere in plain data, or in a dataclass as plain data, keys included."""
    plain = to_plain(plain)
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield key
            yield from strings_in(value)
    elif isinstance(plain, list | tuple):
        for item in plain:
            yield from strings_in(item)
    elif isinstance(plain, str):
        yield plain
