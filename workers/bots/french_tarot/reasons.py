"""Why a card of French Tarot is good: by the chances that ``greedy`` calculates from the view of its seat."""

from typing import Any

from domain.french_tarot.options import Options
from domain.french_tarot.view import View
from domain.serialization import from_plain
from workers.bots.chances import SURE
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot.chances import beats, if_played, standing
from workers.bots.french_tarot.knowledge import Known, known_of
from workers.bots.policy import Asked, Reason
from workers.bots.tricks import LIKELY, Placed, reason_of


def why(asked: Asked, action: Any) -> Reason | None:
    """Return the reason for a card; None for other actions."""
    if action["type"] != "play":
        return None
    options = from_plain(Options, asked.view["game"]["options"])
    known = known_of(options, from_plain(View, asked.view["state"]), asked.view["viewer"]["seat"])
    number = c.NUMBER[action["card"]]
    chance = if_played(known, number) / SURE
    if number == c.PETIT and chance >= LIKELY and not known.loose >> number & 1:
        return Reason("reason.petit", {"percent": round(100 * chance)})
    if known.loose >> number & 1:
        return Reason("reason.excuse") if known.trick else None
    return reason_of(_placed(known, number, chance))


def _placed(known: Known, number: int, chance: float) -> Placed:
    led, best, mine = standing(known)
    does_beat = led == c.NO_SUIT or beats(known, number, best)
    suit = known.suit_of(number)
    lower = [other for other in c.numbers_of(known.hand) if known.suit_of(other) == suit and other < number]
    return Placed(
        chance=chance,
        leads=led == c.NO_SUIT,
        beats=does_beat,
        partner_is_best=mine == SURE,
        is_least=not any(led == c.NO_SUIT or beats(known, other, best) or not does_beat for other in lower),
        carries=c.HALVES[number] > 1,
    )
