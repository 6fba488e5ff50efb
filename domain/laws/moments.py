"""Moments of a game at which laws look: few, but of every kind that occurs in it."""

import random
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from domain.laws.play import Step

FEWEST = 6

Kind: TypeAlias = type | str | tuple[str | None, str | None] | None


def running(steps: Sequence[Step]) -> list[int]:
    """List the places of the steps after which a game continues."""
    return [place for place, step in enumerate(steps) if step.game.status == "active"]


def of_every_kind(
    rng: random.Random, steps: Sequence[Step], among: Sequence[int] | None = None, fewest: int = FEWEST
) -> list[int]:
    """Choose, among the places of some steps, one for every kind that occurs there, and others up to ``fewest``.

    Rare kinds come first, because a moment after several events is of several kinds: about eight moments are enough for
    any game. Without ``among``, they are chosen while the game is running.
    """
    places = running(steps) if among is None else among
    kinds = {place: frozenset(kinds_of(steps, place)) for place in places}
    found: dict[Kind, list[int]] = {}
    for place in places:
        for kind in kinds[place]:
            found.setdefault(kind, []).append(place)
    chosen: set[int] = set()
    for kind in sorted(found, key=lambda kind: (len(found[kind]), str(kind))):
        if not any(kind in kinds[place] for place in chosen):
            chosen.add(rng.choice(found[kind]))
    others = [place for place in places if place not in chosen]
    return sorted([*chosen, *rng.sample(others, min(len(others), max(0, fewest - len(chosen))))])


def kinds_of(steps: Sequence[Step], place: int) -> Iterator[Kind]:
    """List what a moment is an example of: each type of event just before it, its phase, and how a phase begins."""
    step = steps[place]
    of_the_ruleset = {*step.game.ruleset.events.values()}
    yield from (type(event) for event in step.events if type(event) in of_the_ruleset)
    phase = _phase(steps, place)
    yield phase
    yield _phase(steps, place - 1) if place else None, phase


def _phase(steps: Sequence[Step], place: int) -> str | None:
    """Return the phase after a step, as the state names it (``domain.phases``), or else what is done next."""
    phase = getattr(steps[place].game.state, "phase", None)
    if phase is not None:
        return str(phase)
    return type(steps[place + 1].action).__name__ if place + 1 < len(steps) else None
