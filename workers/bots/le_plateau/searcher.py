"""The bot ``searcher`` for Le Plateau: flat Monte Carlo over worlds that are consistent with its view.

Cards are tried in the same worlds and played out (``halving``). Bids and raises are valued with more playouts than by
``greedy``. For discards, gifts and announcements, the best proposals of ``greedy`` are played out.
"""

from collections.abc import Collection, Sequence

from domain.cardplay.cards import Card
from domain.le_plateau import RULESET
from domain.le_plateau.actions import Action, Play
from domain.le_plateau.board import OBJECTIVES
from domain.le_plateau.options import Options
from domain.le_plateau.state import contract_of
from workers.bots.compiled import fast, words
from workers.bots.halving import Ranking, halved
from workers.bots.le_plateau import bidding, greedy, laying
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau.calibration import SEARCHER, SEARCHER_RAISES
from workers.bots.le_plateau.loader import bits_of, cards_of, load
from workers.bots.le_plateau.prospects import ONE
from workers.bots.le_plateau.reckoning import SCRATCH, UNSEEN, UNSEEN_TRUMPS, look_around
from workers.bots.le_plateau.seen import Seen, seen, thought
from workers.bots.le_plateau.worlds import worlds_of
from workers.bots.policy import Asked, Thought
from workers.bots.ranking import Scale, best_first, posted, thought_from, thought_in_order, with_also


def think(asked: Asked) -> Thought:
    """Choose an action; scores are points of the hand, compared with the mean of the others."""
    return chosen(seen(asked), asked)


def chosen(question: Seen, asked: Asked) -> Thought:
    """Choose an action for a parsed question."""
    match question.view.phase:
        case "play":
            return card(question, asked)
        case "bid":
            return _spoken(bidding.weighed_bids(question, asked.playouts, SEARCHER, asked.is_enough))
        case "raise":
            return _spoken(bidding.weighed_raises(question, asked.playouts, SEARCHER_RAISES, asked.is_enough))
        case "exchange" | "give" | "announce":
            return laid(question, asked)
        case _:
            return thought(greedy.weighed(question), ONE)


def _spoken(found: bidding.Weighed) -> Thought:
    """Return the action with the best value, and report only expectations."""
    ranked = best_first((value, action) for action, value in found.values)
    expected = [(value - found.favours.get(action, 0), action) for value, action in ranked]
    return thought_in_order(RULESET, expected, ONE, "points", found.playouts, found.error)


def laid(question: Seen, asked: Asked) -> Thought:
    """Play out the proposals of ``greedy`` before the play."""
    proposed = sorted(greedy.weighed(question), key=lambda pair: -pair[1])
    actions = with_also(RULESET, asked.also, [action for action, _ in proposed[: laying.PROPOSALS]])
    if len(actions) == 1:
        return Thought(posted(RULESET, actions[0]))
    return _thought(question, actions, laying.ranked(question, actions, asked))


def _thought(question: Seen, actions: list[Action], ranking: Ranking) -> Thought:
    """Return the best action; a reward is a part of the difference between the scores of a hand won and lost."""
    state = question.world()
    lost, won = (bidding.expected(state, question.seat, contract_of(state), chance) for chance in (0, ONE))
    return thought_from(RULESET, actions, ranking, Scale("points", k.FOR_OBJECTIVE * ONE / abs(won - lost), lost / ONE))


def card(question: Seen, asked: Asked) -> Thought:
    """Try the legal cards in worlds, and play the best."""
    state, worlds = question.world(), worlds_of(question)
    world = load(state)
    plays: list[Action] = [Play(card) for card in choices(world, question.view.board.tokens, question.options)]
    plays = with_also(RULESET, asked.also, plays)
    if len(plays) == 1:
        return Thought(posted(RULESET, plays[0]))
    contract = contract_of(state)
    wanted, board = 1 << OBJECTIVES.index(contract.objective), words(question.board)
    sign = 1 if world[k.TEAM] >> question.seat & 1 else -1
    pairs = [bits_of(play.card, question.options) for play in plays if isinstance(play, Play)]
    scratch, try_cards = words(worlds.known), fast(k.try_cards)

    def trial(alive: Sequence[int]) -> list[int]:
        tried = words(bits for action in alive for bits in pairs[action])
        try_cards(worlds.world(question.chance()), tried, board, wanted, question.chance(), scratch)
        return [sign * int(reward) for reward in tried[::2]]

    return _thought(question, plays, halved(len(plays), asked.playouts, trial, asked.is_enough))


def choices(world: list[int], tokens: Collection[str], options: Options) -> list[Card]:
    """List the legal cards; of cards that claim nothing and have none of the others' between them, only the lowest."""
    suits = k.legal_suits(world)
    cards = cards_of(suits, k.legal_trumps(world, suits))
    scratch = [0] * SCRATCH
    look_around(world, scratch)
    others = (scratch[UNSEEN] | world[k.TABLE], scratch[UNSEEN_TRUMPS] | world[k.TABLE_TRUMPS])
    bits = [bits_of(card, options) for card in cards]
    alike = [
        below not in tokens and card not in tokens and _are_neighbours(lower, higher, others)
        for below, card, lower, higher in zip(cards, cards[1:], bits, bits[1:], strict=False)
    ]
    return cards[:1] + [card for card, same in zip(cards[1:], alike, strict=True) if not same]


def _are_neighbours(lower: tuple[int, int], higher: tuple[int, int], others: tuple[int, int]) -> bool:
    """Return whether two cards are of one suit, and none of the others' cards is between them."""
    trumps = all(bits[1] for bits in (lower, higher))
    if trumps:
        return higher[1] <= k.TRUMPS_ALL and not others[1] & (higher[1] - lower[1])
    one_suit = all(bits[0] for bits in (lower, higher)) and k.suit_of(lower[0]) == k.suit_of(higher[0])
    return one_suit and not others[0] & (higher[0] - lower[0])
