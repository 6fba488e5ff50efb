"""Random games through ``domain.game.aggregate``, step by step: for the laws of the domain, and for the service.

Everything follows from the ruleset, the number of seats and one integer seed; there is no other source of chance.
"""

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from domain.game import aggregate as games
from domain.game import seating
from domain.game.aggregate import Game
from domain.log.record import Record
from domain.registry import RULESETS
from tests.domain.laws.facts import options_of, short, variants

TABLES = [(ruleset.id, seats) for ruleset in RULESETS.values() for seats in ruleset.seats]
"""Every ruleset with every number of players it can be played by."""

VARIANTS = [
    (ruleset_id, seats, variant) for ruleset_id, seats in TABLES for variant in ("", *variants(ruleset_id, seats))
]
"""Every table without options (variant ""), and with those that show all the values of every option."""


@dataclass(frozen=True)
class Step:
    """One request of a game: who asked what, the events decided, their records, and the game after them."""

    before: Game | None
    seat: int | None
    action: Any
    events: tuple[Any, ...]
    records: tuple[Record, ...]
    game: Game


def seeds(count: int) -> range:
    """Give the seeds of random games: ``count`` of them, or GAMES times as many for a longer run."""
    return range(count * int(os.environ.get("GAMES", "1")))


def seeded(count: int) -> list[tuple[str, int, str, int]]:
    """Give every table, variant and seed of a law: ``count`` seeds, a third as many with options or of long games."""
    return [
        (ruleset_id, seats, variant, seed)
        for ruleset_id, seats, variant in VARIANTS
        for seed in seeds(max(1, count // 3) if variant or short(ruleset_id) else count)
    ]


def secret_of(seed: int) -> bytes:
    """Give the game secret that belongs to a test seed."""
    return sha256(f"test secret {seed}".encode()).digest()


def opening(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
    """Create a game with open seats and fill them; every other player brings a seed."""
    ruleset = RULESETS[ruleset_id]
    new = seating.NewGame(
        id=f"gm_{ruleset_id}_{seats}_{seed}",
        ruleset=ruleset,
        options=ruleset.options.complete(short(ruleset_id) | options, seats),
        visibility="public",
        sandbox=False,
        creator="pl_0",
        sitters=(None,) * seats,
    )
    step = written(None, None, None, seating.create(new, secret_of(seed)))
    yield step
    for seat in range(seats):
        decided = seating.join(step.game, f"pl_{seat}", seat, f"seed {seat}" if seat % 2 == 0 else None)
        step = written(step.game, None, None, decided)
        yield step


def written(before: Game | None, seat: int | None, action: Any, decided: games.Step) -> Step:
    """Record what was decided, at a time and under a request that follow from the version."""
    version = before.version if before else 0
    at = f"2026-01-01T{version // 3600:02}:{version // 60 % 60:02}:{version % 60:02}.000Z"
    records, game = games.record(before, decided, at, f"rq_{version}")
    return Step(before, seat, action, tuple(decided[0]), tuple(records), game)


def playing(ruleset_id: str, seats: int, seed: int, variant: str = "", **more: Any) -> Iterator[Step]:
    """Play one whole random game, with the options of a variant."""
    rng = random.Random(f"{ruleset_id} {seats} {seed}{variant}")
    whim = _Whim(rng)
    for step in opening(ruleset_id, seats, seed, **options_of(ruleset_id, seats, variant), **more):
        yield step
    game = step.game
    while not game.is_over:
        seat = rng.choice(sorted(game.pending))
        action = whim.choose(list(game.ruleset.legal_actions(game.state, seat)))
        step = written(game, seat, action, games.act(game, seat, action))
        game = step.game
        yield step


@cache
def played(ruleset_id: str, seats: int, seed: int, variant: str = "") -> tuple[Step, ...]:
    """Give all the steps of a random game, played once a process."""
    return tuple(playing(ruleset_id, seats, seed, variant))


def log_of(steps: Sequence[Step]) -> list[Record]:
    """Put the records of all steps into one log."""
    return [record for step in steps for record in step.records]


class _Whim:
    """How one random player of a game chooses: a taste for kinds of action, and for the first ones listed."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._taste: dict[str, int] = {}
        self._haste = rng.choice((1, 2, 4, 8))

    def choose(self, actions: Sequence[Any]) -> Any:
        """Choose a kind of action first, then one of that kind, so that rare kinds are not drowned."""
        kinds: dict[str, list[Any]] = {}
        for action in actions:
            kinds.setdefault(type(action).__name__, []).append(action)
        for kind in kinds:
            self._taste.setdefault(kind, self._rng.choice((1, 2, 4)))
        kind = self._rng.choices(list(kinds), [self._taste[kind] for kind in kinds])[0]
        haste = self._haste if len(kinds) > 1 else 1
        return kinds[kind][int(len(kinds[kind]) * self._rng.random() ** haste)]
