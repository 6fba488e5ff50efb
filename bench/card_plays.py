"""Card plays a second at random: the rules, the kernels of the bots, plain and compiled, and games of OpenSpiel.

    python -m bench.card_plays [seconds] [--quick]

The rules play from the deal to the end, with auctions, and list the legal actions each time. A kernel plays hands out
from the first card, as a search has it do. OpenSpiel's tarok and hearts, written in C++, are driven from Python, and so
are our games on its adapter; chance takes time there, but is not counted. Compiled kernels need the extra
``fast-bots``, OpenSpiel the extra ``research``. Times are of the processor, on one core.
"""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any, TypeAlias

from bench.rulesets import measured, of_ruleset
from bench.sizes import is_quick, size
from domain.le_plateau.board import OBJECTIVES
from domain.le_plateau.state import contract_of
from domain.registry import RULESETS
from workers.bots.compiled import cool, fast, warm, words
from workers.bots.french_tarot import kernel as french_tarot
from workers.bots.french_tarot.loading import loaded as french_loaded
from workers.bots.le_plateau import kernel as le_plateau
from workers.bots.le_plateau import loader
from workers.bots.plute import kernel as plute
from workers.bots.plute.loading import loaded as plute_loaded
from workers.research.tables import Position, table

SECONDS, ROUNDS = 2.0, 1 if is_quick() else 3
AT_ONCE = 1 if is_quick() else 500
"""How many hands a kernel plays out in one call."""
TABLES = (("le-plateau", 3), ("le-plateau", 5), ("french-tarot", 4), ("plute", 6))
OF_OPENSPIEL = ("tarok(players=3)", "hearts")

Play: TypeAlias = Callable[[int], int]
"""Plays with a seed, and returns how many cards were played."""


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


def of_le_plateau(seats: int) -> Play:
    """Return what plays hands out by the kernel."""
    state = in_play("le-plateau", seats).state
    world = loader.load(state)
    suits = le_plateau.legal_suits(world)
    trumps = 0 if suits else le_plateau.legal_trumps(world, suits)
    board = words(loader.board_of(state.hand.tokens, state.options.edition))
    wanted = 1 << OBJECTIVES.index(contract_of(state).objective)
    first, scratch, given = [suits & -suits, trumps & -trumps], words(world), words(world)
    cards = sum(map(len, state.table.held))

    def play(seed: int) -> int:
        fast(le_plateau.try_cards)(given, words(first * AT_ONCE), board, wanted, seed, scratch)
        return AT_ONCE * cards

    return play


def of_french_tarot(seats: int) -> Play:
    """Return what plays deals out by the kernel."""
    position = in_play("french-tarot", seats)
    game = french_loaded(position.state)
    card, scratch = french_tarot.any_legal([*game]), words(game)

    def play(seed: int) -> int:
        game[french_tarot.SEED] = seed + 1
        fast(french_tarot.try_cards)(words(game), words([card] * AT_ONCE), 0, scratch)
        return AT_ONCE * game[french_tarot.PLAYERS] * game[french_tarot.SIZE]

    return play


def of_plute(_seats: int) -> Play:
    """Return what plays hands out by the kernel; whoever leads names the first suit."""
    position = in_play("plute", 6)
    game = plute_loaded(position.state)
    code, scratch = plute.any_legal([*game[: plute.TRUMP], 0, *game[plute.TRUMP + 1 :]]), words(game)

    def play(seed: int) -> int:
        game[plute.SEED] = seed + 1
        fast(plute.try_cards)(words(game), words([code] * AT_ONCE), scratch)
        return AT_ONCE * 54

    return play


KERNELS: dict[str, Callable[[int], Play]] = {
    "le-plateau": of_le_plateau,
    "french-tarot": of_french_tarot,
    "plute": of_plute,
}


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


def plain_games() -> Iterator[tuple[str, Play]]:
    """List what is played without compiled code."""
    for ruleset_id, seats in TABLES:
        yield f"rules {ruleset_id} {seats}", of_ruleset(RULESETS[ruleset_id], seats)
        yield f"kernel {ruleset_id} {seats}", KERNELS[ruleset_id](seats)
    if find_spec("pyspiel") is None:
        print("  OpenSpiel is not installed (pip install '.[research]'): its games are left out")
        return
    pyspiel, adapter = import_module("pyspiel"), import_module("workers.research.openspiel")
    for name in OF_OPENSPIEL:
        yield f"OpenSpiel {name}", of_openspiel(pyspiel.load_game(name))
    for ruleset_id, seats in TABLES:
        yield f"adapter {ruleset_id} {seats}", of_openspiel(adapter.load(ruleset_id, seats))


def show(games: list[tuple[str, Play]], seconds: float) -> None:
    """Measure everything in turns, and print the medians."""
    rates = [[measured(play, seconds)[1] for _, play in games] for _ in range(ROUNDS)]
    for place, (name, _) in enumerate(games):
        mine = [of_round[place] for of_round in rates]
        print(f"  {name:28} {median(mine):12,.0f} a second ({min(mine):,.0f} to {max(mine):,.0f})", flush=True)


def main() -> None:
    """Measure the plain ones, then the compiled."""
    seconds = size(0, SECONDS, 0.001)
    show([*plain_games()], seconds)
    if is_quick() or not warm():
        print("  compiled kernels are left out: in a quick run, and without numba (pip install '.[fast-bots]')")
        return
    show([(f"compiled {ruleset_id} {seats}", KERNELS[ruleset_id](seats)) for ruleset_id, seats in TABLES], seconds)
    cool()


if __name__ == "__main__":
    main()
