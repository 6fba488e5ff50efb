"""The cards to lay aside, to give and to announce: by what they could still take, and by their spaces."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

from domain.cardplay.cards import RANKS, SUITS, Card
from domain.le_plateau.actions import Action, Announce, ChooseTalon, Exchange, Gift, Give
from domain.le_plateau.deck import shape_for
from domain.le_plateau.options import Options
from workers.bots.le_plateau import reckoning as r
from workers.bots.le_plateau.dealing import CONSIDERED
from workers.bots.le_plateau.loader import bits_of
from workers.bots.le_plateau.seen import Seen
from workers.bots.le_plateau.worth import Worth, importance_ahead, worths

VOID: Final = 40
"""The value of an emptied suit, in hundredths of a king: its later leads can be trumped."""

_OF_KING: Final = r.KING_POWER


def worth_of(seen: Seen) -> Worth:
    """Return the values of the spaces of the empty board for the contract, before the play."""
    contract = seen.view.contract
    objective = contract.objective if contract else "bridge"
    return importance_ahead(seen.arena(objective))


def usefulness(card: Card, worth: Worth, king: int, options: Options) -> int:
    """Return the value of a card in the hand: what it could take, and its own space, which would be lost."""
    return king * r.power(*bits_of(card, options)) // _OF_KING + worth.get(card, 0)


def discards(held: Sequence[Card], count: int, worth: Worth, options: Options) -> list[tuple[tuple[Card, ...], int]]:
    """Return discards with their values, best first; the only cards of a short suit gain if laid aside together."""
    king = worths(worth)[r.WORTH_OF_POWER]
    use = {card: usefulness(card, worth, king, options) for card in held}
    by_use = sorted(held, key=use.__getitem__)
    lengths: Counter[str] = Counter(card[-1] for card in held if not bits_of(card, options)[1])
    weighed = []
    for chosen in combinations(by_use[:CONSIDERED], count):
        suits = [card[-1] for card in chosen]
        emptied = sum(suits.count(suit) == lengths[suit] for suit in {*suits})
        cost = sum(use[card] for card in chosen)
        weighed.append((chosen, emptied * (king * VOID // 100) - cost))
    return sorted(weighed, key=lambda pair: -pair[1])


def weighed_discards(seen: Seen) -> list[tuple[Action, int]]:
    """Return discards with their values."""
    held, count = own_cards(seen), len(seen.view.talon.taken or ())
    return [(Exchange(cards), value) for cards, value in discards(held, count, worth_of(seen), seen.options)]


def weighed_gifts(seen: Seen) -> list[tuple[Action, int]]:
    """Return gifts of the two least useful cards, to every pair of seats.

    The others are opponents more often than not, and no receiver is known to be a partner yet.
    """
    others = [(seen.seat + turn) % seen.seats for turn in range(1, seen.seats)]
    best = discards(own_cards(seen), 2, worth_of(seen), seen.options)[:3]
    return [
        (Give(tuple(map(Gift, sorted(receivers), cards))), value)
        for cards, value in best
        for receivers in combinations(others, 2)
    ]


def weighed_groups(seen: Seen) -> list[tuple[Action, int]]:
    """Return the groups of an open talon: the cards gained, and spaces of the other group lost."""
    worth, groups = worth_of(seen), seen.view.talon.groups or ()
    king = worths(worth)[r.WORTH_OF_POWER]
    return [
        (ChooseTalon(index), sum(usefulness(card, worth, king, seen.options) for card in group))
        for index, group in enumerate(groups)
    ]


def weighed_announcements(seen: Seen) -> list[tuple[Action, int]]:
    """Return the cards that can be announced: the partner should hold an important space, in a suit of the seat's."""
    worth, held = worth_of(seen), own_cards(seen)
    lengths = Counter(card[-1] for card in held)
    deck = shape_for(seen.seats, seen.options.deck, seen.options.edition).deck
    cards = next(announceable(held, seen.view.announced, deck))
    return [(Announce(card), worth.get(card, 0) * 16 + lengths[card[-1]]) for card in cards]


def announceable(held: Collection[Card], announced: Collection[Card], deck: Collection[Card]) -> Iterator[list[Card]]:
    """Return, rank by rank from the highest, the cards that could be announced, if there are any."""
    for rank in reversed(RANKS):
        cards = [
            card
            for card in (rank + suit for suit in SUITS)
            if card in deck and card not in held and card not in announced
        ]
        if cards:
            yield cards


def own_cards(seen: Seen) -> tuple[Card, ...]:
    """Return the cards in the hand of the seat."""
    return seen.view.hands[seen.seat].cards or ()
