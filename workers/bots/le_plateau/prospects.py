"""How likely each objective is, for each team and with or without exchange: hands played out at random.

One playout answers for all objectives and for all teams, because random play is the same for everyone: only whose
tricks count together differs. Random play is not real play, so what it says is mapped to the chance in real play by a
calibration (``calibration``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from domain.cardplay.cards import Card
from domain.le_plateau.actions import TeamSize
from domain.le_plateau.board import OBJECTIVES
from domain.le_plateau.deck import shape_for
from domain.le_plateau.options import Options
from workers.bots.compiled import fast, words
from workers.bots.le_plateau import dealing as d
from workers.bots.le_plateau import reckoning as r
from workers.bots.le_plateau.exchange import VOID, usefulness
from workers.bots.le_plateau.loader import bits_of, sets_of
from workers.bots.le_plateau.seen import Seen
from workers.bots.le_plateau.worlds import FIRST_TRUMP, worlds_of
from workers.bots.le_plateau.worth import Arena, importance_ahead, worths

PARTNERS: Final[dict[TeamSize, int]] = {"solo": 0, "duo": 1, "trio": 2}

ONE: Final = 1 << 10
"""A chance of one."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each objective was made in some playouts."""

    made: Sequence[int]
    playouts: int


def of_bids(seen: Seen, *, exchange: bool, playouts: int) -> dict[TeamSize, Tally]:
    """Play out hands in which the seat is the declarer, before any exchange; return what came of it for each team."""
    worlds, tally = worlds_of(seen), words([0] * 3 * d.PER_TEAM)
    fast(d.tally_bids)(
        worlds.known,
        worlds.plan,
        worlds.lot,
        seen.seat,
        _kind(seen, exchange=exchange),
        playouts,
        callable_cards(seen),
        seen.chance(),
        words(seen.board),
        words(_hand(seen.arena("bridge"), seen.options, _deck(seen))),
        words(worlds.known),
        tally,
    )
    made = [[int(count) for count in tally[d.PER_TEAM * partners :][: len(OBJECTIVES)]] for partners in range(3)]
    return {team: Tally(made[partners], playouts) for team, partners in PARTNERS.items()}


def of_contract(seen: Seen, playouts: int) -> Tally:
    """Play out the hand with the contract and the team as they stand, before its first trick."""
    worlds, tally = worlds_of(seen), words([0] * d.PER_TEAM)
    fast(d.tally_contract)(
        worlds.known,
        worlds.plan,
        worlds.lot,
        playouts,
        seen.chance(),
        words(seen.board),
        words(worlds.known),
        tally,
    )
    return Tally([int(count) for count in tally[: len(OBJECTIVES)]], playouts)


def _kind(seen: Seen, *, exchange: bool) -> int:
    """Return what becomes of the talon when the seat is declarer."""
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
def _hand(arena: Arena, options: Options, deck: tuple[Card, ...]) -> tuple[int, ...]:
    """Return how useful each card is, as ``dealing`` reads it."""
    worth = importance_ahead(arena)
    king = worths(worth)[r.WORTH_OF_POWER]
    hand = [0] * d.HAND
    for card in deck:
        suits, trumps = bits_of(card, options)
        number = suits.bit_length() - 1 if suits else FIRST_TRUMP + trumps.bit_length() - 1
        hand[number] = usefulness(card, worth, king, options)
    hand[d.OF_VOID] = king * VOID // 100
    return tuple(hand)
