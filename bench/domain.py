"""Random games in the domain alone: decided, settled and folded, on one core.

    python -m bench.domain [seats] [games] [ruleset] [--quick]

Three figures: the rules alone with the choices given (decide, settle, evolve), the same with a random choice among all
legal actions, and the whole aggregate, with records chained and sealed as in the store.
"""

import random
import time
from typing import Any

from bench.sizes import size
from domain.chance import Chance
from domain.game import aggregate, history, seating
from domain.game.seating import NewGame
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset

AT = "2026-01-01T00:00:00.000Z"


def recorded(ruleset: AnyRuleset, seats: int, seed: int, options: Any = None) -> tuple[Chance, list[tuple[int, Any]]]:
    """Play a random game, by default with the usual options; return its source of chance and the actions by seat."""
    rng = random.Random(seed)
    chance = Chance(seed.to_bytes(32, "big"), "gm_bench", (None,) * seats)
    state = settled(ruleset, ruleset.setup(options or ruleset.options.complete({}, seats), seats), chance)
    played = []
    while ruleset.outcome(state) is None:
        seat = rng.choice(sorted(ruleset.to_act(state)))
        action = rng.choice(ruleset.legal_actions(state, seat))
        played.append((seat, action))
        state = acted(ruleset, state, seat, action, chance)
    return chance, played


def acted(ruleset: AnyRuleset, state: Any, seat: int, action: Any, chance: Chance) -> Any:
    """Decide an action, fold it, and settle what follows."""
    for event in ruleset.decide(state, seat, action):
        state = ruleset.evolve(state, event)
    return settled(ruleset, state, chance)


def settled(ruleset: AnyRuleset, state: Any, chance: Chance) -> Any:
    """Fold what the rules force."""
    while events := ruleset.settle(state, chance):
        for event in events:
            state = ruleset.evolve(state, event)
    return state


def replay(ruleset: AnyRuleset, seats: int, chance: Chance, played: list[tuple[int, Any]]) -> None:
    """Decide and fold a game whose choices are given."""
    state = settled(ruleset, ruleset.setup(ruleset.options.complete({}, seats), seats), chance)
    for seat, action in played:
        state = acted(ruleset, state, seat, action, chance)


def whole(ruleset: AnyRuleset, seats: int, played: list[tuple[int, Any]], seed: int) -> None:
    """Play the same game through the aggregate, with records."""
    options = ruleset.options.complete({}, seats)
    at = ("pl_bench",) * seats
    new = NewGame("gm_bench", ruleset, options, "public", True, "pl_bench", at, by_deal=False)  # noqa: FBT003
    _, game = history.record(None, seating.create(new, seed.to_bytes(32, "big")), AT, "r")
    for seat, action in played:
        _, game = history.record(game, aggregate.act(game, seat, action), AT, "r")


def main() -> None:
    """Measure, and print the figures."""
    seats, games = size(0, 4, 4), size(1, 60, 1)
    ruleset = RULESETS[size(2, "le-plateau", "le-plateau")]
    scripts = [recorded(ruleset, seats, seed) for seed in range(games)]
    actions = sum(len(played) for _, played in scripts)
    print(f"{games} random games of {ruleset.name}, {seats} seats, {actions} actions")
    for name, run in (
        ("rules alone, choices given", lambda seed: replay(ruleset, seats, *scripts[seed])),
        ("rules alone, random choice of all legal actions", lambda seed: recorded(ruleset, seats, seed)),
        ("aggregate, with records chained and sealed", lambda seed: whole(ruleset, seats, scripts[seed][1], seed)),
    ):
        began = time.process_time()
        for seed in range(games):
            run(seed)
        took = time.process_time() - began
        print(f"  {name:50} {actions / took:9,.0f} actions/s  {games / took:7,.1f} games/s")


if __name__ == "__main__":
    main()
