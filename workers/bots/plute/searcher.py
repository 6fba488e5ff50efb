"""The bot ``searcher`` for Plute: it tries its cards in worlds that it cannot tell apart, and plays each out.

It bids and claims as ``greedy`` does. The first card is tried with each suit that it can name.
"""

import random
from collections.abc import Sequence

from domain.plute import RULESET
from domain.plute.actions import Play
from domain.plute.deck import TRUMP_SUITS, printed_suit
from domain.plute.options import Options
from domain.plute.sampling import sample
from domain.plute.view import View
from domain.serialization import from_plain
from workers.bots.compiled import fast, words
from workers.bots.halving import halved
from workers.bots.plute import cards as c
from workers.bots.plute import greedy
from workers.bots.plute import kernel as k
from workers.bots.plute.loading import loaded
from workers.bots.policy import Asked, Thought
from workers.bots.ranking import Scale, best_first, thought_from


def think(asked: Asked) -> Thought:
    """Choose a card by playouts, and anything else as ``greedy`` does."""
    view = from_plain(View, asked.view["state"])
    if view.phase != "play":
        return greedy.think(asked)
    options = from_plain(Options, asked.view["game"]["options"])
    seat = asked.view["viewer"]["seat"]
    plays = [action for _, action in best_first(greedy.weighed(options, view, seat)) if isinstance(action, Play)]
    if not plays:
        return greedy.think(asked)
    codes = [_code(view, action) for action in plays]
    rng = random.Random(asked.seed)  # noqa: S311 - chooses moves; the game's own draws are made elsewhere
    sign = 1 if seat % 2 == 0 else -1
    scratch, try_cards = words([0] * k.LENGTH), fast(k.try_cards)

    def trial(alive: Sequence[int]) -> list[int]:
        world = loaded(sample(options, seat, view, rng), rng.randrange(1, 1 << 32))
        tried = words(codes[action] for action in alive)
        try_cards(words(world), tried, scratch)
        return [sign * int(worth) for worth in tried]

    ranking = halved(len(plays), asked.playouts, trial, asked.is_enough)
    return thought_from(RULESET, plays, ranking, Scale("bid", k.FOR_THE_BID))


def _code(view: View, action: Play) -> int:
    """Return a card with the trump suit that it is played under, as the kernel takes it."""
    trump = view.trump or action.trump or printed_suit(action.card)
    return k.CODES * TRUMP_SUITS.index(trump) + c.NUMBER[action.card]
