"""Why a card of Plute is good: by the chances that ``greedy`` calculates from the view of its seat."""

from typing import Any

from domain.plute.deck import TRUMP_SUITS, printed_suit
from domain.plute.options import Options
from domain.plute.view import View
from domain.serialization import from_plain
from workers.bots.chances import SURE
from workers.bots.plute import cards as c
from workers.bots.plute.chances import beats, if_played
from workers.bots.plute.knowledge import Known, known_of
from workers.bots.plute.playing import POINT, RICH, worth
from workers.bots.policy import Asked, Reason
from workers.bots.tricks import LIKELY, Placed, reason_of

RICH_CARD = 50
"""The hundredths of a point from which a card is worth bringing home: tens, and the cards that score points."""


def why(asked: Asked, action: Any) -> Reason | None:
    """Return the reason for a card or a claim; None for other actions."""
    if action["type"] == "claim":
        return Reason("reason.claim")
    if action["type"] != "play":
        return None
    view = from_plain(View, asked.view["state"])
    trump = TRUMP_SUITS.index(view.trump or action.get("trump") or printed_suit(action["card"]))
    options = from_plain(Options, asked.view["game"]["options"])
    known = known_of(options, view, asked.view["viewer"]["seat"], trump)
    number = c.NUMBER[action["card"]]
    stake = sum(worth(known, other) for _, other in known.trick) + worth(known, number)
    chance = if_played(known, number, rich=stake >= RICH) / SURE
    if worth(known, number) >= POINT and chance >= LIKELY:
        return Reason("reason.point", {"percent": round(100 * chance)})
    return reason_of(_placed(known, number, chance))


def _placed(known: Known, number: int, chance: float) -> Placed:
    held_by, best = known.trick[0] if known.trick else (known.seat, -1)
    for seat, card in known.trick:
        if beats(known, card, best):
            held_by, best = seat, card
    leads = not known.trick
    does_beat = leads or beats(known, number, best)
    suit, strength = known.order.suit, known.order.strength
    lower = [
        other
        for other in c.numbers_of(known.hand)
        if suit[other] == suit[number] and strength[other] < strength[number]
    ]
    return Placed(
        chance=chance,
        leads=leads,
        beats=does_beat,
        partner_is_best=not leads and known.is_ally(held_by),
        is_least=not any(leads or beats(known, other, best) or not does_beat for other in lower),
        carries=worth(known, number) >= RICH_CARD,
    )
