"""What the laws must be told of each game, worked out apart from the ruleset's own code: one module a game here.

Such a module, named like the ruleset, offers

- ``has_its_subject(state, event)``: whether what the event speaks of exists, so that it can be recorded at all;
- ``places_of_cards(state)``: every card that lies anywhere, as many times as it does;
- ``variants(seats)``: options to try, written like "deck=full board=custom"; every value of every option occurs;
- ``with_details(options, seats)``: such options, with what else they ask for;
- ``pack(seats, options)``: the cards in play;
- ``public_codes(view)`` and ``card_fields(type, data)``: a view, and an event's data, without the codes that name
  spaces or that the end of a hand makes public;
- ``known_after(known, event, viewer)``: the cards of the hand whose place the viewer knows after one more event;
- ``is_deal(event)``: whether a new hand begins with it;
- ``redealt(events, state)``: the events of the current hand as they were in another world with the same view;
- ``asked_again(action, events)``: a seat's action as it was in that world.
"""

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any


def variants(ruleset_id: str, seats: int) -> Sequence[str]:
    """Give the options of one game that the laws must hold with, beside the defaults."""
    return facts_of(ruleset_id).variants(seats) if hasattr(facts_of(ruleset_id), "variants") else ()


def options_of(ruleset_id: str, seats: int, variant: str) -> dict[str, Any]:
    """Read a variant as options."""
    options = dict(part.split("=") for part in variant.split())
    return facts_of(ruleset_id).with_details(options, seats) if options else {}


def facts_of(ruleset_id: str) -> ModuleType:
    """Give the facts of one game."""
    return import_module(f"tests.domain.laws.{ruleset_id.replace('-', '_')}")
