"""What happened in a game, event by event, and what actions do, as messages (``domain.sentences``).

Catalogues put them into words.
"""

from collections.abc import Mapping

from domain.log.record import Shown
from domain.ruleset import AnyRuleset
from domain.sentences.catalogue import Catalogue, catalogue
from domain.sentences.message import AtSeat, Message, Parameter, Text
from domain.sentences.telling import Told
from domain.serialization import Plain
from domain.texts.of_every_game import TELLERS


def tell(ruleset: AnyRuleset, event: Shown) -> Message:
    """Say what happened in an event, as its reader can see it (``domain.log.record.visible``).

    Nothing else is read: not who the reader is, and not the seals. Without words for it, the event is told by its type:
    an outside ruleset need not have any, and an old log can hide a field that is public today.
    """
    seen = Told(event["type"], event["seat"], event["data"])
    teller = TELLERS.get(seen.type) or ruleset.tellers.get(seen.type)
    try:
        message = teller(seen) if teller else None
    except KeyError:
        message = None
    return message if message and message.id in words(ruleset) else _by_type(seen)


def tell_action(ruleset: AnyRuleset, action: Mapping[str, Plain]) -> Message:
    """Say what an action does, from the action as a client posts it.

    An action of an outside ruleset that has no words for it is shown by its type.
    """
    teller = ruleset.action_tellers.get(action["type"])
    message = teller(Told(action["type"], None, action)) if teller else None
    if message and message.id in words(ruleset):
        return message
    return Message("action", {"action": Text(action["type"].replace("_", " "))})


def words(ruleset: AnyRuleset, *language: str) -> Catalogue:
    """Return the words of a ruleset in a language, by default in the original one."""
    return catalogue(ruleset.package, *language)


def _by_type(event: Told) -> Message:
    type_in_words: dict[str, Parameter] = {"event": Text(event.type.replace("_", " "))}
    if event.seat is None:
        return Message("unworded", type_in_words)
    return Message("unworded.by", {"seat": AtSeat(event.seat), **type_in_words})
