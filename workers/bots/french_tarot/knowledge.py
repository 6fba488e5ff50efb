"""What a seat knows in the play of French Tarot, in numbers: unseen cards, who can hold them, and the allies."""

from collections.abc import Iterator
from dataclasses import dataclass

from domain.cardplay.tricks import TrickCard
from domain.french_tarot.options import Options
from domain.french_tarot.view import View
from domain.table import Seat
from workers.bots.chances import SURE, miss
from workers.bots.french_tarot import cards as c
from workers.bots.knowledge import CardsKnown

SHARE_OF_ONE_IN_THREE = SURE // 3
SHARE_OF_ONE_IN_FOUR = SURE // 4


@dataclass(frozen=True, slots=True)
class Known(CardsKnown):
    """The play as one seat sees it.

    ``surely`` are the unseen cards that a seat holds for certain; ``ally`` is the chance that it plays for the same
    side.
    """

    taker: Seat
    is_attack: bool
    surely: list[int]
    ally: list[int]
    loose: int
    """The cards that are played as an Excuse."""
    completes_slam: bool
    """Whether the Excuse would still win the last trick for this side."""

    def suit_of(self, number: int) -> int:
        """Return the suit of a card in this deal: none for the Excuse, and for a petit that is played like it."""
        return c.NO_SUIT if self.loose >> number & 1 else c.suit_of(number)


def known_of(options: Options, view: View, seat: Seat) -> Known:
    """Collect what a seat knows from its view, once there is a contract."""
    contract = view.contract
    taker = contract.taker if contract else seat
    loose = 1 << c.EXCUSE | (1 << c.PETIT if view.petit_imprenable is not None else 0)
    hand = c.mask_of(view.hands[seat].cards or ())
    trick = tuple((played.seat, c.NUMBER[played.card]) for played in (view.trick.cards if view.trick else ()))
    unseen = c.PACK & ~(hand | _seen(view))
    surely = _surely(view, unseen, taker)
    elsewhere = sum(surely)
    lacks = _lacks(view, loose)
    may = [unseen & ~lacks[each] & ~(elsewhere & ~surely[each]) for each in range(len(view.hands))]
    may[seat] = 0
    ally = allies(view, seat, hand, unseen)
    start = view.players.index(seat) + 1
    others = (*view.players[start:], *view.players[: start - 1])
    return Known(
        seat=seat,
        taker=taker,
        is_attack=ally[taker] == SURE,
        hand=hand,
        unseen=unseen,
        may=may,
        surely=surely,
        miss=[miss(held.count, mask) for held, mask in zip(view.hands, may, strict=True)],
        ally=ally,
        trick=trick,
        after=_after(view, trick, others),
        others=others,
        loose=loose,
        completes_slam=_completes_slam(options, view, ally, is_attack=ally[taker] == SURE, is_announcer=seat == taker),
    )


def _completes_slam(options: Options, view: View, ally: list[int], *, is_attack: bool, is_announcer: bool) -> bool:
    """Return whether this side won every trick so far, and this seat's Excuse can win the last one."""
    announced = view.slam == "slam"
    entitled = {
        "announced_only": announced and is_announcer,
        "announcing_side": announced and is_attack,
        "any_slam": len(view.tricks) > 10,
        "never": False,
    }
    return entitled[options.excuse_wins_last_trick] and all(ally[won.winner] == SURE for won in view.tricks)


def _after(view: View, trick: tuple[tuple[Seat, int], ...], others: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats that play to this trick after this one, in order."""
    return others[: len(view.players) - 1 - len(trick)]


def _played(view: View) -> Iterator[tuple[TrickCard, ...]]:
    yield from (won.cards for won in view.tricks)
    if view.trick:
        yield view.trick.cards


def _seen(view: View) -> int:
    """Return the cards that were played, and those laid aside that the seat knows."""
    played = c.mask_of(played.card for trick in _played(view) for played in trick)
    return played | c.mask_of(view.ecart.cards or view.ecart.trumps)


def _surely(view: View, unseen: int, taker: Seat) -> list[int]:
    """Return the unseen cards that each seat surely holds: shown in a poignée, or taken from the chien for good."""
    surely = [0] * len(view.hands)
    surely[taker] = c.mask_of(view.chien.turned_up) & unseen & ~c.FREE
    for poignee in view.poignees:
        surely[poignee.seat] |= c.mask_of(poignee.cards) & unseen
    return surely


def _lacks(view: View, loose: int) -> list[int]:
    """Return the cards that each seat cannot hold: it did not follow suit, did not overtrump, or has shown so."""
    lacks = [0] * len(view.hands)
    trumps = c.TRUMPS & ~loose
    for trick in _played(view):
        led, highest = c.NO_SUIT, -1
        for played in trick:
            number = c.NUMBER[played.card]
            suit = c.NO_SUIT if loose >> number & 1 else c.suit_of(number)
            if led == c.NO_SUIT:
                led = suit
            elif suit not in (led, c.NO_SUIT):
                lacks[played.seat] |= trumps if led == c.TRUMP else c.SUITS[led]
                lacks[played.seat] |= 0 if suit == c.TRUMP else trumps
            if suit == c.TRUMP:
                lacks[played.seat] |= c.above(highest) if number < highest else 0
                highest = max(highest, number)
    for poignee in view.poignees:
        if "EX" in poignee.cards:
            lacks[poignee.seat] |= trumps & ~c.mask_of(poignee.cards)
    return lacks


def allies(view: View, seat: Seat, hand: int, unseen: int) -> list[int]:
    """Return for each seat the chance that it plays for the side of ``seat``.

    With five players, only its holder knows who has the called card until it falls. For the taker, any of the four
    others can be the partner; for a defender, one of the three others.
    """
    taker = view.contract.taker if view.contract else seat
    called = view.called
    if called is None or called.revealed:
        attack = {taker, called.partner if called and called.partner is not None else taker}
        return [SURE if (each in attack) == (seat in attack) else 0 for each in range(len(view.hands))]
    card = 1 << c.NUMBER[called.card]
    if seat == taker:
        return [SURE if each == seat else SHARE_OF_ONE_IN_FOUR if card & unseen else 0 for each in range(5)]
    if card & hand:
        return [SURE if each in (seat, taker) else 0 for each in range(5)]
    return [0 if each == taker else SURE if each == seat else SURE - SHARE_OF_ONE_IN_THREE for each in range(5)]
