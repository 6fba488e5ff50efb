"""The bot ``greedy`` for Le Plateau: a few milliseconds a move, by counting cards and valuing spaces.

It plays the card with the highest value (``reckoning``), lays aside the least useful cards (``exchange``), and bids by
hands that are played out at random (``bidding``).
"""

from collections.abc import Callable, Mapping

from domain.le_plateau.actions import Action
from workers.bots.le_plateau import bidding, cardplay, exchange
from workers.bots.le_plateau.prospects import ONE
from workers.bots.le_plateau.seen import Seen, seen, thought
from workers.bots.policy import Asked, Thought


def think(asked: Asked) -> Thought:
    """Choose an action; the estimates are expected points of the hand or, for cards, parts of a chance to win it."""
    question = seen(asked)
    return thought(weighed(question), cardplay.SCALE if question.view.phase == "play" else ONE)


def weighed(seen: Seen) -> list[tuple[Action, int]]:
    """Return the actions worth considering, with their values."""
    return PHASES[seen.view.phase](seen)


PHASES: Mapping[str, Callable[[Seen], list[tuple[Action, int]]]] = {
    "bid": lambda seen: bidding.weighed_bids(seen).values,
    "choose_talon": exchange.weighed_groups,
    "exchange": exchange.weighed_discards,
    "give": exchange.weighed_gifts,
    "announce": exchange.weighed_announcements,
    "raise": lambda seen: bidding.weighed_raises(seen).values,
    "play": cardplay.weighed_cards,
}
"""The function that values actions, by phase."""
