"""What the laws must be told of each game, worked out apart from the ruleset's own code: one module a game here.

Such a module, named like the ruleset, offers

- ``has_its_subject(state, event)``: whether what the event speaks of exists, so that it can be recorded at all;
- ``places_of_cards(state)``: every card that lies anywhere, as many times as it does;
- ``pack(seats)``: the cards in play;
- ``public_codes(view)`` and ``card_fields(type, data)``: a view, and an event's data, without the codes that name
  spaces or that the end of a hand makes public;
- ``known_after(known, event, viewer)``: the cards of the hand whose place the viewer knows after one more event;
- ``is_deal(event)``: whether a new hand begins with it;
- ``redealt(events, state)``: the events of the current hand as they were in another world with the same view;
- ``asked_again(action, events)``: a seat's action as it was in that world;
- ``SHORT``: options that make a game short enough to be played often;
- ``IN_EVERY_LOG``: types of events that no game is without.
"""

from importlib import import_module
from types import ModuleType


def facts_of(ruleset_id: str) -> ModuleType:
    """Give the facts of one game."""
    return import_module(f"tests.domain.laws.{ruleset_id.replace('-', '_')}")
