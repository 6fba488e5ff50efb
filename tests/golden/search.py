"""Find golden games that are not kept yet, by playing at random with one seed after another.

    python -m tests.golden.search

Games that are kept already are left alone: to replace one, remove its files first, and say why in CHANGELOG.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from domain.log.record import visible
from domain.registry import RULESETS
from domain.texts import document
from tests.golden.catalogue import Wanted, all_wanted, ways_of
from tests.golden.hashes import event_lines, view_lines
from tests.golden.logs import FOLDER
from tests.support.random_games import Step, log_of, playing

_MOST_SEEDS = 5000


@dataclass(frozen=True)
class Found:
    """A game that shows what is wanted."""

    wanted: Wanted
    steps: Sequence[Step]


def found(want: Wanted) -> Found:
    """Play until something wanted happens; the seed begins where no other golden game's does."""
    own = RULESETS[want.ruleset].events.values()
    play = ways_of(want.ruleset).PLAYED.get(want.happens, playing)
    for seed in count(1):
        if seed > _MOST_SEEDS:
            raise SystemExit(f"{want.name}: not found in {_MOST_SEEDS} games")
        steps = tuple(play(want.ruleset, want.seats, seed, **want.options))
        events = [event for step in steps for event in step.events if type(event) in own]
        if want.happens in ways_of(want.ruleset).shown(events):
            return Found(want, steps)
    raise AssertionError


def keep(game: Found, folder: Path) -> None:
    """Write the text and the hashes of a golden game."""
    last = game.steps[-1].game
    events = [visible(record, last.secrets, None, everything=True) for record in log_of(game.steps)]
    kept = [event for step in game.steps for event in step.events if type(event) in last.ruleset.events.values()]
    name = game.wanted.name
    (folder / f"{name}.txt").write_text(f"; {game.wanted.happens}\n{document.write(events)}")
    _write_lines(folder / f"{name}.hashes", event_lines(last.ruleset, kept))
    if name in ways_of(game.wanted.ruleset).WITH_VIEWS:
        _write_lines(folder / f"{name}.views", view_lines(last.ruleset, last.options, len(last.sitters), kept))


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines))


def main() -> None:
    """Find and keep what is missing."""
    for want in all_wanted():
        folder = FOLDER / want.ruleset
        if not (folder / f"{want.name}.txt").exists():
            folder.mkdir(exist_ok=True)
            keep(found(want), folder)
            print(f"{want.ruleset}/{want.name}: {want.happens}", flush=True)


if __name__ == "__main__":
    main()
