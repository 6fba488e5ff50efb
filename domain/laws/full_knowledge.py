"""A view with full knowledge leaves nothing out."""

import random

from domain.laws.law import of_games, some
from domain.laws.play import Table, played
from domain.table import EVERYTHING

MOMENTS = 12


@of_games(3)
def a_view_of_everything_belongs_to_one_state_only(table: Table, seed: int) -> None:
    """The state that is drawn from it is the true one, with its history."""
    rng = random.Random(f"everything {table} {seed}")
    games = [step.game for step in played(table, seed) if step.game.state is not None]
    for game in [*some(rng, games, MOMENTS), games[-1]]:
        view = game.ruleset.project(game.state, EVERYTHING)
        assert game.ruleset.sample(game.options, EVERYTHING, view, rng) == game.state
