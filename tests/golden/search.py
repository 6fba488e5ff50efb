"""Find golden games that are not kept yet, by playing at random with one seed after another.

    python -m tests.golden.search

What is kept is never found anew: to replace a golden game, remove its two files first, and say why in CHANGELOG.md,
which also names the digest of them all (printed at the end).
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from domain import game as lifecycle
from domain import notation
from domain.log import visible
from domain.proposals import propose, vote
from domain.registry import RULESETS
from tests.domain.play import Step, log_of, playing, written
from tests.golden.hashes import hash_lines
from tests.golden.test_golden_games import FOLDER, digest
from tests.golden.ways import Wanted, hands_of, happenings, wanted

RULESET = "le-plateau"
_MOST_SEEDS = 5000


@dataclass(frozen=True)
class Found:
    """A game that shows what is wanted."""

    wanted: Wanted
    steps: Sequence[Step]


def found(want: Wanted) -> Found:
    """Play until something wanted happens; the seed begins where no other golden game's does."""
    for seed in count(1):
        if seed > _MOST_SEEDS:
            raise SystemExit(f"{want.name}: not found in {_MOST_SEEDS} games")
        steps = tuple(_PLAYED.get(want.happens, playing)(RULESET, want.seats, seed, **want.options))
        events = [event for step in steps for event in step.events if type(event) in RULESETS[RULESET].EVENTS.values()]
        if any(want.happens in happenings(hand) for hand in hands_of(events)):
            return Found(want, steps)
    raise AssertionError


def _stopping(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
    """Play at random until everyone agrees to stop in the second hand, and then to its end."""
    for step in playing(ruleset_id, seats, seed, **options):
        yield step
        if step.game.state is not None and len(step.game.state.results) == 1 and step.game.state.table.trick:
            break
    step = written(step.game, None, None, propose(step.game, 0, "stop_after_hand"))
    yield step
    for seat in range(1, seats):
        step = written(step.game, None, None, vote(step.game, seat, step.game.proposals[0].id, accept=True))
        yield step
    rng = random.Random(seed)
    while not step.game.is_over:
        (seat,) = step.game.pending
        action = rng.choice(list(step.game.ruleset.legal_actions(step.game.state, seat)))
        step = written(step.game, seat, action, lifecycle.act(step.game, seat, action))
        yield step


_PLAYED = {"stop-agreed": _stopping}


def keep(game: Found, folder: Path) -> None:
    """Write a golden game's text and hashes."""
    last = game.steps[-1].game
    events = [visible(record, last.secret, None, everything=True) for record in log_of(game.steps)]
    kept = [event for step in game.steps for event in step.events if type(event) in last.ruleset.EVENTS.values()]
    lines = hash_lines(last.ruleset, last.options, len(last.sitters), kept)
    (folder / f"{game.wanted.name}.txt").write_text(f"; {game.wanted.happens}\n{notation.write(events)}")
    (folder / f"{game.wanted.name}.hashes").write_text("".join(f"{line}\n" for line in lines))


def missing(folder: Path) -> Iterator[Wanted]:
    """List what is wanted and not kept."""
    for seats in RULESETS[RULESET].SEATS:
        yield from (want for want in wanted(seats) if not (folder / f"{want.name}.txt").exists())


def main() -> None:
    """Find and keep what is missing."""
    folder = FOLDER / RULESET
    for want in list(missing(folder)):
        keep(found(want), folder)
        print(f"{want.name}: {want.happens}", flush=True)
    print(f"digest of all golden games: {digest()}")


if __name__ == "__main__":
    main()
