"""How likely each objective is, for each team and with or without exchange: hands played out at random.

One playout answers for all objectives and for all teams, because random play is the same for everyone: only whose
tricks count together differs. Random play is not real play, so what it says is mapped to the chance in play between
``greedy`` bots, by a curve fitted on such games (``CURVE``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from domain.cardplay.cards import Card
from domain.le_plateau.actions import TeamSize
from domain.le_plateau.board import OBJECTIVES
from domain.le_plateau.deck import shape_for
from domain.le_plateau.state import State
from domain.table import Seat
from workers.bots.compiled import fast, words
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau.exchange import announceable, discards
from workers.bots.le_plateau.loader import add_piles, dealt, load, spaces_as_bits
from workers.bots.le_plateau.seen import Seen
from workers.bots.le_plateau.worth import importance_ahead

PARTNERS: Final[dict[TeamSize, int]] = {"solo": 0, "duo": 1, "trio": 2}
Hand: TypeAlias = tuple[Card, ...]

ONE: Final = 1 << 10
"""A chance of one."""


@dataclass(frozen=True, slots=True)
class Calling:
    """The search for partners so far: those found, the cards announced, and the one to announce next, if chosen."""

    partners: tuple[Seat, ...] = ()
    announced: tuple[Card, ...] = ()
    next: Card | None = None


NOTHING_CALLED: Final = Calling()


@dataclass(slots=True)
class Tally:
    """How often each objective was made in some playouts."""

    made: list[int]
    playouts: int = 0

    def add(self, found: int) -> None:
        """Count one playout."""
        self.playouts += 1
        for index in range(len(OBJECTIVES)):
            self.made[index] += found >> index & 1


def empty() -> Tally:
    """Return a tally of no playouts."""
    return Tally([0] * len(OBJECTIVES))


def of_bids(seen: Seen, teams: Sequence[TeamSize], *, exchange: bool, worlds: int, each: int) -> dict[TeamSize, Tally]:
    """Play out hands in which the seat is the declarer, before any exchange; return what came of it for each team."""
    tallies = {team: empty() for team in teams}
    board = words(seen.board)
    for _ in range(worlds):
        state = seen.world()
        held, talon_spaces = _after_exchange(seen, state, exchange=exchange)
        world = dealt(seen.options, seen.seats, held, (seen.view.dealer + 1) % seen.seats)
        add_piles(world, state)
        if not exchange and seen.options.edition == "2022":
            world[k.EXTRA] = talon_spaces
        sides = {team: side_of(seen, held, PARTNERS[team]) for team in teams}
        for _ in range(each):
            after = words(world)
            fast(k.play_out)(after, seen.chance())
            for team, side in sides.items():
                tallies[team].add(fast(k.made_by)(after, side, board))
    return tallies


def of_contract(seen: Seen, worlds: int, each: int) -> Tally:
    """Play out the hand with the contract and the team as they stand, before its first trick."""
    tally, board = empty(), words(seen.board)
    for _ in range(worlds):
        world = load(seen.world())
        for _ in range(each):
            after = words(world)
            fast(k.play_out)(after, seen.chance())
            tally.add(fast(k.made_by)(after, world[k.TEAM], board))
    return tally


def _after_exchange(seen: Seen, state: State, *, exchange: bool) -> tuple[list[Hand], int]:
    """Return the hands when the play begins, if the seat becomes declarer now, and the spaces of the talon."""
    held, talon = list(state.table.held), state.hand.talon
    shape = shape_for(seen.seats, seen.options.deck, seen.options.edition)
    spaces = spaces_as_bits(seen.view.board.tokens, talon)
    if shape.exchange == "give":
        return _with_gifts(seen, held, talon, exchange=exchange), spaces
    if exchange:
        held[seen.seat], _ = _laid_aside(
            seen, (*held[seen.seat], *talon[: 2 if seen.seats == 2 else 3]), 2 + (seen.seats > 2)
        )
    return held, spaces


def _with_gifts(seen: Seen, held: list[Hand], talon: Hand, *, exchange: bool) -> list[Hand]:
    """Return the hands of six players after the talon is dealt out, or after the seat has taken three and given two."""
    if not exchange:
        return [(*cards, card) for cards, card in zip(held, talon, strict=True)]
    kept, given = _laid_aside(seen, (*held[seen.seat], *talon[:3]), 2)
    others = iter((*given, *talon[3:]))
    return [kept if seat == seen.seat else (*cards, next(others)) for seat, cards in enumerate(held)]


def _laid_aside(seen: Seen, whole: Hand, count: int) -> tuple[Hand, Hand]:
    """Return what the seat keeps of its cards, and what it lays aside or gives away."""
    worth = importance_ahead(seen.arena("bridge"))
    gone = discards(whole, count, worth, seen.options)[0][0]
    return tuple(card for card in whole if card not in gone), gone


def side_of(seen: Seen, held: Sequence[Sequence[Card]], partners: int, found: Calling = NOTHING_CALLED) -> int:
    """Return the seat and the holders of the highest cards that it would announce, as bits."""
    team: set[Seat] = {seen.seat, *found.partners}
    deck = shape_for(seen.seats, seen.options.deck, seen.options.edition).deck
    ranks = announceable(held[seen.seat], found.announced, deck)
    while len(team) <= partners:
        for card in sorted(next(ranks), key=lambda card: card != found.next):
            holder = next((seat for seat, cards in enumerate(held) if card in cards), None)
            if holder is not None and len(team) <= partners:
                team.add(holder)
    return sum(1 << seat for seat in team)
