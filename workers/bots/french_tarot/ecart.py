"""The cards to lay aside: empty short suits, save queens without their king, keep kings and long suits.

Each suit is valued by itself, for every number of cards that it could give; the best numbers for all suits together are
then found one suit after the other.
"""

from typing import TypeAlias

from workers.bots.french_tarot import cards as c

_Best: TypeAlias = dict[int, list[tuple[int, int]]]
"""By the number of cards laid aside, the best values and their cards, best first."""

KING_KEPT = 9
QUEEN_WITH_KING, QUEEN_GUARDED, QUEEN_BARE = 8, 2, -5
"""The value of a queen in halves: with her king she wins, with two small cards she may win, alone she is lost."""
KNIGHT_BACKED, KNIGHT_ALONE = 4, -3
JACK_ALONE = -1
OF_A_VOID, OF_A_SINGLETON = 10, 4
"""The value in halves of ruffing the first round of a suit, or the second."""
OF_A_LONG_CARD = 2
"""The value of each card from the fifth on: it costs the defence trumps, or wins."""


def chosen(hand: int, size: int) -> int:
    """Return the cards to lay aside; trumps only if there are not enough others, the lowest first."""
    return proposed(hand, size, 1)[0]


def proposed(hand: int, size: int, count: int) -> list[int]:
    """Return the best ways to lay cards aside, at most so many, the best first."""
    free = hand & c.FREE
    if free.bit_count() <= size:
        trumps = list(c.numbers_of(hand & c.TRUMPS & ~c.OUDLERS))
        return [free | sum(1 << number for number in trumps[: size - free.bit_count()])]
    best: _Best = {0: [(0, 0)]}
    for suit in range(4):
        best = _with_suit(best, hand >> c.RANKS * suit & c.SUITS[0], c.RANKS * suit, size, count)
    return [cards for _, cards in best[size]]


def _with_suit(best: _Best, ranks: int, shift: int, size: int, count: int) -> _Best:
    """Return the best ways with one more suit included."""
    weighed: _Best = {}
    for aside in _ways(ranks & ~(1 << c.KING)):
        value, taken = value_of_suit(ranks, aside), aside.bit_count()
        for number, ways in best.items():
            if number + taken <= size:
                found = ((so_far + value, cards | aside << shift) for so_far, cards in ways)
                weighed.setdefault(number + taken, []).extend(found)
    return {number: sorted(ways, key=lambda way: -way[0])[:count] for number, ways in weighed.items()}


def _ways(free: int) -> list[int]:
    """List what a suit could give: some of its highest cards below the king, and some of its lowest."""
    cards = list(c.numbers_of(free))
    counts = ((low, high) for low in range(len(cards) + 1) for high in range(len(cards) + 1 - low))
    ways = (sum(1 << card for card in (*cards[:low], *cards[len(cards) - high :])) for low, high in counts)
    return [*dict.fromkeys(ways)]


def value_of_suit(ranks: int, aside: int) -> int:
    """Return the value of a suit to the taker, in halves: the cards laid aside, and what the rest will win."""
    kept = ranks & ~aside
    saved = sum(c.HALVES[card] for card in c.numbers_of(aside))
    length = kept.bit_count()
    shape = OF_A_VOID if length == 0 else OF_A_SINGLETON if length == 1 else OF_A_LONG_CARD * max(0, length - 4)
    return saved + shape + _courts_kept(kept, length)


def _courts_kept(kept: int, length: int) -> int:
    """Return what the court cards that stay will win; those that will be lost count negatively."""
    king, queen, knight, jack = (kept >> rank & 1 for rank in (c.KING, c.QUEEN, c.KNIGHT, c.JACK))
    value = KING_KEPT * king
    if queen:
        value += QUEEN_WITH_KING if king else QUEEN_GUARDED if length >= 3 else QUEEN_BARE
    if knight:
        value += KNIGHT_BACKED if king + queen == 2 else KNIGHT_ALONE
    return value + JACK_ALONE * jack
