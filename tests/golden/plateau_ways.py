"""Golden games of Plateau: each way a game can end, and each switch of its options.

A mutual pass is not among them: in random play no player was ever left without an action, and
no position in which both are was built yet.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from domain import game as lifecycle
from domain.plateau import events as ev
from domain.proposals import propose, vote
from tests.domain.play import Step, playing, written
from tests.golden.wanted import Wanted

_ENDINGS: dict[str, dict[str, Any]] = {
    "prisoners": {},
    "unit": {},
    "repetition": {"repetition": 2},
    "no_progress": {"no_progress_plies": 4},
    "max_plies": {"max_plies": 20},
    "agreement": {},
    "resign": {},
}
_SWITCHES: dict[str, bool] = {
    "onboard_under_enemy": False,
    "merged_strength": False,
    "refused_tender_keeps_turn": False,
}


def wanted(seats: int) -> list[Wanted]:
    """List the golden games of Plateau."""
    endings = [(f"ends-{way.replace('_', '-')}", way, options) for way, options in _ENDINGS.items()]
    switches = [(name.replace("_", "-"), "refused", {name: value}) for name, value in _SWITCHES.items()]
    return [Wanted("plateau", name, seats, happens, options) for name, happens, options in (*endings, *switches)]


def shown(events: Sequence[Any]) -> set[str]:
    """Say how a game ended, and whether a tender was refused in it."""
    ends = {event.reason for event in events if isinstance(event, ev.GameWon | ev.GameDrawn)}
    return ends | {"refused" for event in events if isinstance(event, ev.TenderRefused)}


def _begun(ruleset_id: str, seats: int, seed: int, **options: Any) -> list[Step]:
    """Play the first half of a random game."""
    steps = list(playing(ruleset_id, seats, seed, **options))
    return steps[: len(steps) // 2]


def _agreeing(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
    """Play until one player offers a draw, which the other declines, and accepts when it is offered again."""
    steps = _begun(ruleset_id, seats, seed, **options)
    yield from steps
    game = steps[-1].game
    for accept in (False, True):
        step = written(game, None, None, propose(game, 0, "draw"))
        yield step
        step = written(step.game, None, None, vote(step.game, 1, step.game.proposals[0].id, accept=accept))
        yield step
        game = step.game


def _resigning(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
    """Play until one player, whoever is to move, gives up."""
    steps = _begun(ruleset_id, seats, seed, **options)
    yield from steps
    game = steps[-1].game
    yield written(game, None, None, lifecycle.resign(game, random.Random(seed).randrange(seats)))


PLAYED = {"agreement": _agreeing, "resign": _resigning}
