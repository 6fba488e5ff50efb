"""The bot ``searcher`` for French Tarot: it plays out its cards in worlds that are consistent with its view.

The sides belong to the world: the holder of the called king is the partner. Decisions before the first card are in
``taking``; poignées and misères are announced as by ``greedy``.
"""

import random
from collections.abc import Sequence

from domain.french_tarot import RULESET
from domain.french_tarot.actions import Play
from domain.french_tarot.options import Options
from domain.french_tarot.view import View
from domain.serialization import from_plain
from domain.table import Seat
from workers.bots.compiled import fast, words
from workers.bots.drawing import SEED
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import greedy, habits, shuffling, taking
from workers.bots.french_tarot import kernel as k
from workers.bots.french_tarot.knowledge import known_of
from workers.bots.french_tarot.loading import bases_of
from workers.bots.french_tarot.worlds import Worlds
from workers.bots.halving import halved
from workers.bots.policy import Asked, Thought
from workers.bots.ranking import best_first, posted, thought_from


def think(asked: Asked) -> Thought:
    """Choose by playouts; announce poignées and misères as ``greedy`` does."""
    view = from_plain(View, asked.view["state"])
    options = from_plain(Options, asked.view["game"]["options"])
    seat = asked.view["viewer"]["seat"]
    if view.phase != "play":
        return taking.decided(options, view, seat, asked) or greedy.think(asked)
    ranked = best_first(greedy.weighed(options, view, seat))
    if not isinstance(ranked[0][1], Play):
        return greedy.think(asked)
    actions = [action for _, action in ranked if isinstance(action, Play)]
    cards = different(options, view, seat, [c.NUMBER[action.card] for action in actions])
    plays = [Play(c.CARD[card]) for card in cards]
    plays += [action for action in actions if action not in plays and posted(RULESET, action) == asked.also]
    if len(plays) == 1:
        return Thought(posted(RULESET, plays[0]))
    cards = [c.NUMBER[play.card] for play in plays]
    player, rng = view.players.index(seat), random.Random(asked.seed)  # noqa: S311 - chooses moves
    worlds = Worlds(options, view, seat, rng)
    bases, game, scratch = words(bases_of(worlds.state)), words([0] * k.LENGTH), words([0] * k.LENGTH)
    put, try_cards = fast(shuffling.put), fast(habits.try_cards)

    def trial(alive: Sequence[int]) -> list[int]:
        put(worlds.next(), bases, game)
        game[SEED] = rng.randrange(1, 1 << 32)
        tried = words(cards[action] for action in alive)
        try_cards(game, tried, player, scratch)
        return [int(score) for score in tried]

    return thought_from(RULESET, plays, halved(len(plays), asked.playouts, trial, asked.is_enough))


def different(options: Options, view: View, seat: Seat, cards: list[int]) -> list[int]:
    """Leave out each card that is equivalent to a lower one: of equal value, and no card of the others between."""
    known = known_of(options, view, seat)
    between = known.unseen | sum(1 << number for _, number in known.trick)
    lowest: dict[int, int] = {}
    for card in sorted(cards):
        lower = [below for below in lowest if known.suit_of(below) == known.suit_of(card) != c.NO_SUIT]
        below = max(lower, default=card)
        is_between = between >> below & (1 << card - below) - 1
        lowest[card] = card if is_between or c.HALVES[below] != c.HALVES[card] else lowest.get(below, card)
    return [card for card in cards if lowest[card] == card]
