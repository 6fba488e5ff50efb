"""Card plays and playouts a second: the rules at random, the kernels of the bots, and games of OpenSpiel.

    python -m bench.card_plays [seconds] [--quick]

The rules play from the deal to the end, with auctions, and list the legal actions each time. A playout is a hand from
its first card: the rules play it out at random, a kernel, plain or compiled, as a search has it do: at random in Le
Plateau, by habit in the other two.
OpenSpiel's tarok and hearts, written in C++, are driven from Python, and so are our games on its adapter; chance takes
time there, but is not counted. Compiled kernels need the extra ``fast-bots``, OpenSpiel the extra ``research``. Times
are of the processor, on one core.
"""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any, TypeAlias

from bench.rulesets import measured, of_ruleset
from bench.sizes import is_quick, size
from domain.registry import RULESETS
from workers.bots.compiled import INT, WORDS, Words, cool, fast, kernel, warm, words
from workers.bots.drawing import SEED
from workers.bots.french_tarot import kernel as french_tarot
from workers.bots.french_tarot.habits import play_out as french_tarot_out
from workers.bots.french_tarot.loading import loaded as french_loaded
from workers.bots.le_plateau import loader
from workers.bots.le_plateau.kernel import play_out as le_plateau_out
from workers.bots.plute import kernel as plute
from workers.bots.plute.loading import loaded as plute_loaded
from workers.bots.plute.playouts import play_out as plute_out
from workers.research.tables import Position, table

SECONDS, ROUNDS = 2.0, 1 if is_quick() else 3
AT_ONCE = 1 if is_quick() else 500
"""How many hands a kernel plays out in one call."""
TABLES = (("le-plateau", 3), ("le-plateau", 5), ("french-tarot", 4), ("plute", 6))
OF_OPENSPIEL = ("tarok(players=3)", "hearts")

Play: TypeAlias = Callable[[int], int]
"""Plays with a seed, and returns how many cards were played."""
Played: TypeAlias = tuple[str, Play, int]
"""What is played, and how many playouts each call makes; 0 for whole games."""


def in_play(ruleset_id: str, seats: int) -> Position:
    """Return a position before the first card, after a random auction."""
    rng = random.Random(1)
    for seed in range(1000):
        position = table(ruleset_id, seats, whole_game=False).start(seed)
        while position.seat is not None:
            if position.view(None).phase == "play":
                return position
            position = position.after(rng.choice(position.legal_actions))
    raise RuntimeError(f"no auction of {ruleset_id} came to an end")


@kernel(INT, WORDS, WORDS, INT, INT)
def le_plateau_hands(world: Words, scratch: Words, chance: int, times: int) -> int:
    """Play out a hand of Le Plateau so many times, each time by other chance; return the state of chance."""
    for _ in range(times):
        scratch[:] = world
        chance = le_plateau_out(scratch, chance)
    return chance


@kernel(INT, WORDS, WORDS, INT, INT)
def french_tarot_deals(game: Words, scratch: Words, chance: int, times: int) -> int:
    """Play out a deal of French Tarot so many times, each time by other chance; return the state of chance."""
    for _ in range(times):
        scratch[:] = game
        scratch[SEED] = chance
        french_tarot_out(scratch)
        chance = scratch[SEED]
    return chance


@kernel(INT, WORDS, WORDS, INT, INT)
def plute_hands(game: Words, scratch: Words, chance: int, times: int) -> int:
    """Play out a hand of Plute so many times, each time by other chance; return the state of chance."""
    for _ in range(times):
        scratch[:] = game
        scratch[SEED] = chance
        plute_out(scratch)
        chance = scratch[SEED]
    return chance


def of_kernel(ruleset_id: str, seats: int) -> Play:
    """Return what plays hands out by a kernel; in Plute, under the first suit."""
    state: Any = in_play(ruleset_id, seats).state
    play_many: Callable[[Words, Words, int, int], int]
    if ruleset_id == "le-plateau":
        play_many, game, cards = le_plateau_hands, loader.load(state), sum(map(len, state.table.held))
    elif ruleset_id == "french-tarot":
        play_many, game = french_tarot_deals, french_loaded(state)
        cards = game[french_tarot.PLAYERS] * game[french_tarot.SIZE]
    else:
        play_many, game, cards = plute_hands, plute_loaded(state), plute.HAND * seats
        game[plute.TRUMP] = 0
    given, scratch = words(game), words(game)

    def play(seed: int) -> int:
        fast(play_many)(given, scratch, seed + 1, AT_ONCE)
        return AT_ONCE * cards

    return play


def out_by_rules(ruleset_id: str, seats: int) -> Play:
    """Return what plays a hand out by the rules, at random."""
    start = in_play(ruleset_id, seats)

    def play(seed: int) -> int:
        rng, position, played = random.Random(seed), start, 0
        while not position.is_over:
            position, played = position.after(rng.choice(position.legal_actions)), played + 1
        return played

    return play


def of_openspiel(game: Any) -> Play:
    """Return what plays random games of OpenSpiel, counting what players choose."""

    def play(seed: int) -> int:
        rng, state, chosen = random.Random(seed), game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                chosen += 1
        return chosen

    return play


def plain_games() -> Iterator[Played]:
    """List what is played without compiled code."""
    for ruleset_id, seats in TABLES:
        yield f"rules {ruleset_id} {seats}", of_ruleset(RULESETS[ruleset_id], seats), 0
        yield f"rules, playouts {ruleset_id} {seats}", out_by_rules(ruleset_id, seats), 1
        yield f"kernel {ruleset_id} {seats}", of_kernel(ruleset_id, seats), AT_ONCE
    if find_spec("pyspiel") is None:
        print("  OpenSpiel is not installed (pip install '.[research]'): its games are left out")
        return
    pyspiel, adapter = import_module("pyspiel"), import_module("workers.research.openspiel")
    for name in OF_OPENSPIEL:
        yield f"OpenSpiel {name}", of_openspiel(pyspiel.load_game(name)), 0
    for ruleset_id, seats in TABLES:
        yield f"adapter {ruleset_id} {seats}", of_openspiel(adapter.load(ruleset_id, seats)), 0


def show(games: list[Played], seconds: float) -> None:
    """Measure everything in turns, and print the medians."""
    rates = [[measured(play, seconds) for _, play, _ in games] for _ in range(ROUNDS)]
    for place, (name, _, playouts) in enumerate(games):
        calls, mine = ([of_round[place][which] for of_round in rates] for which in (0, 1))
        out = f", {playouts * median(calls):,.0f} playouts" if playouts else ""
        print(f"  {name:30} {median(mine):12,.0f} a second ({min(mine):,.0f} to {max(mine):,.0f}){out}", flush=True)


def main() -> None:
    """Measure the plain ones, then the compiled."""
    seconds = size(0, SECONDS, 0.001)
    show([*plain_games()], seconds)
    if is_quick() or not warm():
        print("  compiled kernels are left out: in a quick run, and without numba (pip install '.[fast-bots]')")
        return
    show([(f"compiled {game} {seats}", of_kernel(game, seats), AT_ONCE) for game, seats in TABLES], seconds)
    cool()


if __name__ == "__main__":
    main()
