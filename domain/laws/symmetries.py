"""A symmetry changes no rule: the same play of a masked deal is legal and has the same scores, and all is masked."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from domain.game import aggregate, seating
from domain.game.aggregate import Game
from domain.laws.law import of_every_variant, of_games, some
from domain.laws.play import Step, Table, actions_of, events_of, played
from domain.ruleset import AnyRuleset
from domain.serialization import changed
from domain.symmetries import AnySymmetries, Mask
from domain.table import Seat

LISTED = 300
"""How many legal actions are compared one by one; of more, only the number."""


@of_games(3)
def a_game_played_again_under_a_mask_is_the_same_game_masked(table: Table, seed: int) -> None:
    """Under two masks drawn at random, where the ruleset has some."""
    steps = played(table, seed)
    for mask in some(random.Random(f"masks {table} {seed}"), masks_of(steps), 2):
        play_masked(steps, mask)


@of_every_variant
def masks_are_a_group(table: Table) -> None:
    """The first masks nothing, each has one that removes it, and none is listed twice."""
    steps = played(table, 0)
    symmetries, masks = table.ruleset.symmetries, masks_of(steps)
    if symmetries is None:
        return
    assert len({*masks}) == len(masks)
    assert {symmetries.inverse(mask) for mask in masks} == {*masks}
    assert play_masked(steps, masks[0]) == events_of(steps)


def masks_of(steps: Sequence[Step]) -> Sequence[Mask]:
    """List the masks that a game can be played under."""
    game = steps[0].game
    symmetries = game.ruleset.symmetries
    return symmetries.masks(game.options, len(game.sitters)) if symmetries else ()


def play_masked(steps: Sequence[Step], mask: Mask) -> list[object]:
    """Play a game again under a mask, and return its events; fail at the first that is not the masked one."""
    start = next(number for number, step in enumerate(steps) if step.game.status == "active")
    ruleset, taken = steps[0].game.ruleset, steps[start].events[0]
    symmetries = cast("AnySymmetries", ruleset.symmetries)
    events, game = seating.started([taken], aggregate.evolve(changed(steps[start - 1].game, mask=mask), taken))
    fresh = ruleset.setup(game.options, len(game.sitters))
    masked = _Masked(ruleset, symmetries, mask, fresh, fresh)
    masked.compare(steps[start].events, events)
    for step, (before, seat, action) in zip(steps[start + 1 :], actions_of(steps), strict=True):
        _compare_choices(symmetries, mask, seat, before, game)
        events, game = aggregate.act(game, seat, symmetries.action(mask, action))
        masked.compare(step.events, events)
    return masked.events


def _compare_choices(symmetries: AnySymmetries, mask: Mask, seat: Seat, unmasked: Game, game: Game) -> None:
    """Compare what a seat can do in a masked game with what it can do unmasked."""
    could, can = (each.ruleset.legal_actions(each.state, seat) for each in (unmasked, game))
    assert len(can) == len(could), f"under {mask}, there are {len(can)} actions, not {len(could)}"
    if len(could) <= LISTED:
        assert {*can} == {symmetries.action(mask, action) for action in could}


@dataclass
class _Masked:
    """A game as it is folded twice, unmasked and masked."""

    ruleset: AnyRuleset
    symmetries: AnySymmetries
    mask: Mask
    unmasked: Any
    masked: Any
    events: list[object] = field(default_factory=list)

    def compare(self, unmasked: Sequence[object], events: Sequence[object]) -> None:
        """Compare the events of a request with those unmasked, and fold both."""
        assert [*map(type, events)] == [*map(type, unmasked)], f"under {self.mask}, other events follow"
        for before, event in zip(unmasked, events, strict=True):
            if type(event) in self.ruleset.events.values():
                expected = self.symmetries.event(self.mask, self.masked, before)
                assert event == expected, f"under {self.mask}, {before} is {event}"
                assert self.symmetries.event(self.symmetries.inverse(self.mask), self.unmasked, event) == before
                self.unmasked = self.ruleset.evolve(self.unmasked, before)
                self.masked = self.ruleset.evolve(self.masked, event)
                self.events.append(event)
            else:
                assert event == before, f"under {self.mask}, {before} is {event}"
