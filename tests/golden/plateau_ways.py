"""Golden games of Plateau: each way a game can end, a forfeited turn, and each switch of its options at work.

A mutual pass is not among them, because no game comes to one. Who has no action has nothing in reserve, and on top of
every stack under control a Mute with all squares around it the enemy's; for any other piece goes, turned over or not,
and lands wherever it likes. Two of those squares lie beside each other, so the enemy has an action there.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.game import aggregate, timeouts
from domain.game.proposals import propose, vote
from domain.plateau import RULESET as plateau
from domain.plateau import events as ev
from domain.plateau import lines
from domain.plateau.board import INDEX
from domain.plateau.stacks import Stack, controller, shows_marker
from tests.domain.plateau import builders
from tests.golden.catalogue import Wanted
from tests.support.random_games import Step, playing, starting, written

_ENDINGS: dict[str, dict[str, Any]] = {
    "prisoners": {},
    "unit": {},
    "repetition": {"repetition": 2},
    "no_progress": {"no_progress_plies": 4},
    "max_plies": {"max_plies": 20},
    "agreement": {},
    "resign": {},
    "time": {},
}
_OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "forfeit": ("forfeit", {}),
    "onboard-under-enemy": ("under-an-enemy", {"onboard_under_enemy": True, "max_plies": 40}),
    "pin": ("blank-pinned", {"pin": "any", "max_plies": 60}),
    "merged-strength": ("strength-merged", {"merged_strength": True}),
    "refused-tender-keeps-turn": ("turn-lost-by-a-refusal", {"refused_tender_keeps_turn": False}),
}


def wanted(seats: int) -> list[Wanted]:
    """List the golden games of Plateau."""
    endings = [(f"ends-{way.replace('_', '-')}", way, options) for way, options in _ENDINGS.items()]
    others = [(name, happens, options) for name, (happens, options) in _OTHERS.items()]
    return [Wanted("plateau", name, seats, happens, options) for name, happens, options in (*endings, *others)]


def shown(events: Sequence[Any]) -> set[str]:
    """Return how a game ended, whether a turn was forfeited in it, and at which switches of the options it looks."""
    state = plateau.setup(plateau.options.complete({}, 2), 2)
    found = {event.reason for event in events if isinstance(event, ev.GameWon | ev.GameDrawn)}
    for event, following in pairwise(events):
        match event, following:
            case ev.TurnForfeited(), _:
                found.add("forfeit")
            case ev.PieceOnboarded(seat, square, 0), _ if _is_enemys(state.board[INDEX[square]], seat):
                found.add("under-an-enemy")
            case ev.TenderRefused(), ev.TurnBegan():
                found.add("turn-lost-by-a-refusal")
        before, state = state, plateau.evolve(state, event)
        if isinstance(event, ev.UnitMoved) and _pinned_by_a_blank(before.board, state.board, event):
            found.add("blank-pinned")
        is_capture = isinstance(event, ev.UnitMoved) and isinstance(following, ev.PiecesCaptured)
        if is_capture and len(following.pieces) > event.landed:
            found.add("strength-merged")
    return found


def _pinned_by_a_blank(before: Sequence[Stack], after: Sequence[Stack], moved: ev.UnitMoved) -> bool:
    """Return whether a move left a blank on top of a stack that the enemy controlled."""
    stops = [INDEX[stop.square] for stop in moved.stops]
    return any(controller(before[stop]) == 1 - moved.seat and not shows_marker(after[stop][-1]) for stop in stops)


def _is_enemys(stack: Stack, seat: int) -> bool:
    return bool(stack) and stack[0].owner != seat


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
    yield written(game, None, None, aggregate.resign(game, random.Random(seed).randrange(seats)))


def _late(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
    """Play until the time of the player to move is up."""
    steps = _begun(ruleset_id, seats, seed, **options)
    yield from steps
    game = steps[-1].game
    yield written(game, None, None, timeouts.lose_late(game, min(game.pending)))


def _forfeiting(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
    """Play until Black is shut in, passes, and gives up after White's next move."""
    steps = list(starting(ruleset_id, seats, seed, **options))
    yield from steps
    game = steps[-1].game
    for line in (*builders.SHUT_IN, "--", "d3>c2"):
        (seat,) = game.pending
        action = lines.read(line, game.state.board)
        step = written(game, seat, action, aggregate.act(game, seat, action))
        yield step
        game = step.game
    yield written(game, None, None, aggregate.resign(game, 0))


PLAYED = {"agreement": _agreeing, "resign": _resigning, "time": _late, "forfeit": _forfeiting}
WITH_VIEWS = ("ends-agreement", "ends-no-progress", "ends-repetition", "forfeit")
