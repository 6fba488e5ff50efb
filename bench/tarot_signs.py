"""Weigh the signs of French Tarot by games: ``python -m bench.tarot_signs [deals] [playouts]``.

Searchers play. At some cards, the seat in turn draws worlds; for each sign, the cards that it is of are counted where
they truly lie, and where the worlds put them. The weight that would make both alike goes halfway into
``workers/bots/french_tarot/watching.py``, for several signs are often of the same card; then run it again, until the
weights stay.
"""

import random
from collections import Counter
from collections.abc import Iterator
from math import log
from typing import cast

from bench.league.duels import started, view_of
from bench.league.tables import Table
from bench.sizes import size
from domain.french_tarot import RULESET
from domain.french_tarot.state import State
from domain.game import aggregate
from domain.table import Seat
from service.forms import action_of
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import shuffling, watching
from workers.bots.french_tarot.worlds import Worlds, lying, number_of
from workers.research.entrants import entrants

WORLDS = 32
"""How many worlds are drawn at a card."""

EVERY = 11
"""Which cards: not too many of a deal, for they are alike."""


class Counts:
    """How often a card of each sign could lie in its place, lay there truly, and lay there in a world."""

    def __init__(self) -> None:
        self.chances, self.truly, self.drawn = (Counter[watching.Sign]() for _ in range(3))
        self.cards = self.hits = 0

    def add(self, state: State, seat: Seat) -> None:
        """Count a position, as a seat sees it."""
        view = RULESET.project(state, seat)
        worlds = Worlds(state.options, view, seat, random.Random(1))
        true = {card: place for place, cards in lying(state, view) for card in c.numbers_of(cards)}
        drawn: Counter[tuple[int, int]] = Counter()
        for _ in range(WORLDS):
            drawn.update(zip(worlds.places, map(int, worlds.next()[shuffling.LIES :]), strict=False))
        self.cards += len(worlds.places) * WORLDS
        self.hits += sum(drawn[card, true[card]] for card in worlds.places)
        for where, sign, of in watching.signs(view, seat):
            place = number_of(view, where)
            for card in c.numbers_of(of):
                if worlds.places.get(card, 0) >> place & 1:
                    self.chances[sign] += WORLDS
                    self.truly[sign] += WORLDS * (true[card] == place)
                    self.drawn[sign] += drawn[card, place]

    def weight_of(self, sign: watching.Sign) -> int:
        """Return the weight with which worlds would put cards there as often as they truly lie there."""
        truly, drawn, chances = self.truly[sign] + 1, self.drawn[sign] + 1, self.chances[sign] + 2
        odds = truly * (chances - drawn) / (drawn * (chances - truly))
        return watching.WEIGHTS[sign] + round(watching.NAT * log(odds))


def main() -> None:
    """Print a line for each sign, and how often worlds put a card where it truly lies."""
    counts, deals, playouts = Counts(), size(0, 50, 1), size(1, 200, 8)
    for seats in RULESET.seats:
        for number in range(deals):
            for state, seat in _positions(seats, number, playouts):
                counts.add(state, seat)
    for sign in watching.Sign:
        truly, drawn = (100 * found[sign] / max(counts.chances[sign], 1) for found in (counts.truly, counts.drawn))
        print(
            f"{sign.name}: {counts.chances[sign] // WORLDS} chances, {truly:.1f} % truly, {drawn:.1f} % in worlds,"
            f" weight {watching.WEIGHTS[sign]}, to be {counts.weight_of(sign)}"
        )
    print(f"cards where they truly lie: {100 * counts.hits / max(counts.cards, 1):.1f} %")


def _positions(seats: int, number: int, playouts: int) -> Iterator[tuple[State, Seat]]:
    """Play a deal; list some positions after the first trick, with the seat in turn."""
    table, (bot,) = Table("french-tarot", seats), entrants([f"searcher@{playouts}"])
    game = started(table, f"signs {number}", dict.fromkeys(range(seats), bot.label))
    while table.scores(game) is None:
        seat, state = min(game.waiting_for), cast("State", game.state)
        if state.phase == "play" and state.table.tricks and game.version % EVERY == 0:
            yield state, seat
        action, _ = action_of(game.ruleset, bot.think(view_of(game, seat), f"{number} {seat} {game.version}").action)
        _, game = aggregate.act(game, seat, action)


if __name__ == "__main__":
    main()
