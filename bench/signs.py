"""Weigh the signs of a card game: ``python -m bench.signs [ruleset] [deals] [playouts] [players]``.

Searchers play. At some cards, the seat in turn draws worlds; for each sign (``workers/bots/signs.py``), the cards that
it is of are counted where they truly lie, and where the worlds put them. The weight that would make both alike goes
halfway into ``WEIGHTS`` of the game (``watching``), for several signs are often of the same card; then run it again,
until the weights stay. Each world is also played out, and so is the true one, to see how far the worth of the hand is
off that the bot reckons with. Without playouts, ``greedy`` plays; 0 players means each number in turn.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log
from statistics import fmean
from types import ModuleType
from typing import Any, TypeAlias, cast
from unittest.mock import patch

from bench.league.duels import started, view_of
from bench.league.tables import Table
from bench.sizes import size
from domain.cardplay.cards import Card
from domain.french_tarot import state as tarot_state
from domain.game import aggregate
from domain.le_plateau import state as plateau_state
from domain.le_plateau.board import OBJECTIVES
from domain.le_plateau.sampling import unseen_cards
from domain.plute import state as plute_state
from domain.registry import RULESETS
from domain.table import Seat
from service.input.forms import action_of
from workers.bots import signs
from workers.bots.compiled import Words
from workers.bots.drawing import SEED
from workers.bots.french_tarot import cards as tarot_cards
from workers.bots.french_tarot import habits, scoring, shuffling
from workers.bots.french_tarot import kernel as tarot_kernel
from workers.bots.french_tarot import watching as tarot
from workers.bots.french_tarot import worlds as tarot_worlds
from workers.bots.french_tarot.loading import bases_of
from workers.bots.french_tarot.loading import loaded as tarot_loaded
from workers.bots.le_plateau import kernel as plateau_kernel
from workers.bots.le_plateau import placing
from workers.bots.le_plateau import watching as le_plateau
from workers.bots.le_plateau import worlds as plateau_worlds
from workers.bots.le_plateau.loader import load, number_of
from workers.bots.le_plateau.seen import Seen
from workers.bots.plute import cards as plute_cards
from workers.bots.plute import kernel as plute_kernel
from workers.bots.plute import playouts
from workers.bots.plute import watching as plute
from workers.bots.plute import worlds as plute_worlds
from workers.bots.plute.loading import loaded as plute_loaded
from workers.bots.signs import Sign
from workers.research.entrants import entrants

WORLDS = 100
"""How many worlds are drawn at a card, and how often each position is played out."""

EVERY = 7
"""Which cards: not too many of a deal, for they are alike."""

Lie: TypeAlias = Mapping[int, Any]
"""Where each unseen card lies, by its number."""


@dataclass(frozen=True, slots=True)
class Position:
    """What a seat has been shown, where the unseen cards truly lie, and what a playout from there brings it.

    ``worlds`` draws the same of one world after another that the seat cannot tell from the true one.
    """

    shown: Sequence[tuple[Any, Sign, int]]
    true: Lie
    played_out: Callable[[], int]
    worlds: Callable[[], Iterator[tuple[Lie, int]]]


def of_french_tarot(state: tarot_state.State, seat: Seat) -> Position:
    """Return what a seat knows of a state of French Tarot; a hand is worth what the seat wins of the deal."""
    view, chance = RULESETS["french-tarot"].project(state, seat), random.Random(2)
    player, shown = view.players.index(seat), tarot.signs(view, seat)

    def worth(game: Words) -> int:
        game[SEED] = chance.randrange(1, 1 << 32)
        habits.play_out(game)
        return scoring.score_of(game, player)

    def worlds() -> Iterator[tuple[Lie, int]]:
        drawn = tarot_worlds.Worlds(state.options, view, seat, random.Random(1))
        bases, game = bases_of(drawn.state), [0] * tarot_kernel.LENGTH
        while True:
            world = drawn.next()
            shuffling.put(world, bases, game)
            yield dict(zip(drawn.places, world[shuffling.LIES :], strict=False)), worth(game)

    lying = {card: place for place, of in tarot_worlds.lying(state, view) for card in tarot_cards.numbers_of(of)}
    return Position(
        shown=[(tarot_worlds.number_of(view, where), sign, of) for where, sign, of in shown],
        true={card: lying[card] for card in next(worlds())[0]},
        played_out=lambda: worth(tarot_loaded(state)),
        worlds=worlds,
    )


def of_plute(state: plute_state.State, seat: Seat) -> Position:
    """Return what a seat knows of a state of Plute; a hand is worth what the even team wins, a bid being 100."""
    view, chance = RULESETS["plute"].project(state, seat), random.Random(2)

    def lie(game: Words) -> Lie:
        held = enumerate(game[plute_kernel.HELD :])
        return {card: who for who, of in held if who != seat for card in plute_cards.numbers_of(of)}

    def worth(game: Words) -> int:
        game = [*game]
        game[SEED] = chance.randrange(1, 1 << 32)
        playouts.play_out(game)
        return plute_kernel.worth_of(game)

    def worlds() -> Iterator[tuple[Lie, int]]:
        for world in plute_worlds.drawn_for(state.options, view, seat, random.Random(1), plute_loaded):
            yield lie(world), worth(world)

    true = plute_loaded(state)
    return Position([*plute.signs(view, seat)], lie(true), lambda: worth(true), worlds)


def of_le_plateau(state: plateau_state.State, seat: Seat) -> Position:
    """Return what a seat knows of a state of Le Plateau; a hand is worth what its declarer wins, the objective 54."""
    view, chance = RULESETS["le-plateau"].project(state, seat), random.Random(2)
    question, layout = Seen(state.options, view, seat, random.Random(1)), unseen_cards(state.options, seat, view)
    wanted = 1 << OBJECTIVES.index(plateau_state.contract_of(state).objective)

    def worth(world: Words) -> int:
        plateau_kernel.play_out(world, chance.randrange(1, 1 << 32))
        made = plateau_kernel.made_by(world, world[plateau_kernel.TEAM], [*question.board])
        return plateau_kernel.reward_of(made, wanted)

    def worlds() -> Iterator[tuple[Lie, int]]:
        drawn, count = plateau_worlds.worlds_of(question), sum(layout.rooms)
        while True:
            world = drawn.world(question.chance())
            cards, places = (drawn.lot[start : start + count] for start in (placing.CARDS, placing.WHERE))
            yield {card: layout.places[place] for card, place in zip(cards, places, strict=True)}, worth(world)

    lying = {card: place for place in layout.places for card in _lying(state, place)}
    true = {number_of(card, state.options): place for card, place in lying.items()}
    return Position(
        shown=[*le_plateau.signs(state.options, view, seat)],
        true={card: true[card] for card in next(worlds())[0]},
        played_out=lambda: worth(load(state)),
        worlds=worlds,
    )


def _lying(state: plateau_state.State, place: tuple[str, int, int]) -> Sequence[Card]:
    kind, seat, index = place
    if kind == "held":
        return state.table.held[seat]
    if kind == "under":
        under = state.table.piles[seat][index].under
        return [under] if under else []
    gone = {*state.hand.taken, *(given.card for given in state.hand.talon_dealt)}
    return state.hand.discard if kind == "discard" else [card for card in state.hand.talon if card not in gone]


GAMES: Mapping[str, tuple[Callable[[Any, Seat], Position], ModuleType]] = {
    "french-tarot": (of_french_tarot, tarot),
    "le-plateau": (of_le_plateau, le_plateau),
    "plute": (of_plute, plute),
}


class Counts:
    """How often a card of each sign could lie in its place, lay there truly, and lay there in a world.

    ``hits`` are the cards that a world put where they truly lie, and ``errors`` the squares of how far the worth of the
    hand was off, with signs and without.
    """

    def __init__(self) -> None:
        self.chances, self.truly, self.drawn = (Counter[Sign]() for _ in range(3))
        self.cards = 0
        self.hits, self.errors = [0, 0], [list[float](), list[float]()]

    def add(self, position: Position, watching: ModuleType) -> None:
        """Count a position."""
        true, (drawn, worth) = position.true, _drawn(position)
        with patch.object(watching, "WEIGHTS", {}):
            alike, worth_alike = _drawn(position)
        truly = fmean(position.played_out() for _ in range(WORLDS))
        self.cards += len(true) * WORLDS
        for with_signs, (counted, found) in enumerate(((alike, worth_alike), (drawn, worth))):
            self.hits[with_signs] += sum(counted[where] for where in true.items())
            self.errors[with_signs].append((found - truly) ** 2)
        for place, sign, of in position.shown:
            for card in true:
                if of >> card & 1 and alike[card, place]:
                    self.chances[sign] += WORLDS
                    self.truly[sign] += WORLDS * (true[card] == place)
                    self.drawn[sign] += drawn[card, place]

    def to_be(self, sign: Sign, weight: int) -> int:
        """Return the weight with which worlds would put cards there as often as they truly lie there."""
        truly, drawn, chances = self.truly[sign] + 1, self.drawn[sign] + 1, self.chances[sign] + 2
        odds = truly * (chances - drawn) / (drawn * (chances - truly))
        return min(max(weight + round(signs.NAT * log(odds)), -signs.MOST), signs.MOST)


def _drawn(position: Position) -> tuple[Counter[tuple[int, Any]], float]:
    """Count where cards lie in worlds; return what the hand is worth in them, too, on average."""
    counted: Counter[tuple[int, Any]] = Counter()
    worths = []
    for lie, worth in islice(position.worlds(), WORLDS):
        counted.update(lie.items())
        worths.append(worth)
    return counted, fmean(worths)


def main() -> None:
    """Print a line for each sign, and how often worlds put a card where it truly lies."""
    ruleset_id, deals, playouts = size(0, "french-tarot", "french-tarot"), size(1, 50, 1), size(2, 200, 8)
    players, counts = size(3, 0, 0), Counts()
    if ruleset_id not in GAMES:
        sys.exit(f"{ruleset_id!r} is not valid: give one of {', '.join(GAMES)}")
    position_of, watching = GAMES[ruleset_id]
    for seats in [players] if players else RULESETS[ruleset_id].seats:
        for number in range(deals):
            for state, seat in _positions(Table(ruleset_id, seats), number, playouts):
                counts.add(position_of(state, seat), watching)
    for sign, chances in counts.chances.items():
        truly, drawn = (100 * found[sign] / chances for found in (counts.truly, counts.drawn))
        weight = watching.WEIGHTS.get(sign, 0)
        print(
            f"{sign.name}: {chances // WORLDS} chances, {truly:.1f} % truly, {drawn:.1f} % in worlds,"
            f" weight {weight}, to be {counts.to_be(sign, weight)}"
        )
    alike, signed = (100 * hits / max(counts.cards, 1) for hits in counts.hits)
    print(f"cards where they truly lie: {signed:.1f} %, without signs {alike:.1f} %")
    alike, signed = (fmean(errors or [0]) ** 0.5 for errors in counts.errors)
    print(f"worth of the hand: off by {signed:.1f}, without signs by {alike:.1f} ({len(counts.errors[0])} cards)")


def _positions(table: Table, number: int, playouts: int) -> Iterator[tuple[Any, Seat]]:
    """Play a deal; list some positions after the first trick, with the seat in turn."""
    (bot,) = entrants([f"searcher@{playouts}" if playouts else "greedy"])
    game = started(table, f"signs {number}", dict.fromkeys(range(table.seats), bot.label))
    while table.scores(game) is None:
        seat, state = min(game.waiting_for), cast("Any", game.state)
        if state.phase == "play" and state.table.tricks and game.version % EVERY == 0:
            yield state, seat
        action, _ = action_of(game.ruleset, bot.think(view_of(game, seat), f"{number} {seat} {game.version}").action)
        _, game = aggregate.act(game, seat, action)


if __name__ == "__main__":
    main()
