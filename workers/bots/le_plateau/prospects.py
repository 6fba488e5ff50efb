"""How likely each objective is, for each team and with or without exchange: hands played out at random.

One playout answers for all objectives and for all teams, because random play is the same for everyone: only the tricks
that count together differ. Random play is not real play, so a calibration maps its results to chances in real play
(``calibration``).
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from domain.cardplay.cards import Card
from domain.le_plateau.actions import TeamSize
from domain.le_plateau.board import OBJECTIVES
from domain.le_plateau.deck import shape_for
from domain.le_plateau.options import Options
from workers.bots.compiled import Words, fast, words
from workers.bots.le_plateau import dealing as d
from workers.bots.le_plateau import reckoning as r
from workers.bots.le_plateau.exchange import VOID, usefulness
from workers.bots.le_plateau.loader import number_of, sets_of
from workers.bots.le_plateau.seen import Seen
from workers.bots.le_plateau.worlds import worlds_of
from workers.bots.le_plateau.worth import Arena, importance_ahead, worths
from workers.bots.policy import Enough

GoOn: TypeAlias = Callable[[int, int, Words], int]
"""Plays out so many hands into a tally, from a state of the generator; returns the state after them."""

PARTNERS: Final[dict[TeamSize, int]] = {"solo": 0, "duo": 1, "trio": 2}

ONE: Final = 1 << 10
"""A chance of one."""


SLICE: Final = 50
"""So many hands are played out between two checks whether that is enough."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each objective was made in some playouts."""

    made: Sequence[int]
    playouts: int


class Hands:
    """Hands played out for one question, more with each call; ``tally`` has their results."""

    def __init__(self, seen: Seen, go_on: GoOn) -> None:
        self.playouts = 0
        self._go_on, self._chance = go_on, seen.chance()
        self._made = words([0] * 3 * d.PER_TEAM)

    def play(self, playouts: int) -> None:
        """Play out so many more hands."""
        self._chance = int(self._go_on(playouts, self._chance, self._made))
        self.playouts += playouts

    def tally(self, partners: int = 0) -> Tally:
        """Return what a declarer has made with so many partners or, for a contract, with its team."""
        made = self._made[d.PER_TEAM * partners :][: len(OBJECTIVES)]
        return Tally([int(count) for count in made], self.playouts)


def play_out(hands: Collection[Hands], playouts: int, is_enough: Enough) -> int:
    """Play out so many hands of each kind, in turn, until it is enough; return the total number."""
    done = 0
    while done < playouts:
        more = min(SLICE, playouts - done)
        for each in hands:
            each.play(more)
        done += more
        if is_enough(done * len(hands)):
            break
    return done * len(hands)


def of_bids(seen: Seen, *, exchange: bool) -> Hands:
    """Return hands in which the seat is the declarer, from before any exchange."""
    worlds, kind, callable_now = worlds_of(seen), _kind(seen, exchange=exchange), callable_cards(seen)
    board, hand = words(seen.board), words(hand_in_words(seen.arena("bridge"), seen.options, _deck(seen)))
    known, plan, lot, world = worlds.known, worlds.plan, worlds.lot, words(worlds.known)

    def go_on(playouts: int, chance: int, made: Words) -> int:
        return fast(d.tally_bids)(
            known, plan, lot, seen.seat, kind, playouts, callable_now, chance, board, hand, world, made
        )

    return Hands(seen, go_on)


def of_contract(seen: Seen) -> Hands:
    """Return hands with the current contract and team, from before the first trick."""
    worlds, board = worlds_of(seen), words(seen.board)
    known, plan, lot, world = worlds.known, worlds.plan, worlds.lot, words(worlds.known)

    def go_on(playouts: int, chance: int, made: Words) -> int:
        return fast(d.tally_contract)(known, plan, lot, playouts, chance, board, world, made)

    return Hands(seen, go_on)


def _kind(seen: Seen, *, exchange: bool) -> int:
    """Return what happens to the talon when the seat is declarer."""
    shape = shape_for(seen.seats, seen.options.deck, seen.options.edition)
    if shape.exchange == "give":
        return d.GIVES if exchange else d.DEALS
    return d.LAYS_ASIDE if exchange else d.NOTHING


def callable_cards(seen: Seen) -> int:
    """Return the cards of the suits that are in the deck and were not announced, as bits."""
    suits, _ = sets_of((card for card in _deck(seen) if card not in seen.view.announced), seen.options)
    return suits


def _deck(seen: Seen) -> tuple[Card, ...]:
    return shape_for(seen.seats, seen.options.deck, seen.options.edition).deck


@lru_cache(maxsize=64)
def hand_in_words(arena: Arena, options: Options, deck: tuple[Card, ...]) -> tuple[int, ...]:
    """Return how useful each card is, in the form of ``dealing``."""
    worth = importance_ahead(arena)
    king = worths(worth)[r.WORTH_OF_POWER]
    hand = [0] * d.HAND
    for card in deck:
        hand[number_of(card, options)] = usefulness(card, worth, king, options)
    hand[d.OF_VOID] = king * VOID // 100
    return tuple(hand)
