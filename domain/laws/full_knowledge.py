"""A view with full knowledge leaves nothing out."""

import random

from domain.laws.law import of_games
from domain.laws.moments import of_every_kind
from domain.laws.play import Table, played
from domain.table import EVERYTHING


@of_games(3)
def a_view_of_everything_belongs_to_one_state_only(table: Table, seed: int) -> None:
    """The state that is drawn from it is the true one, with its history."""
    rng = random.Random(f"everything {table} {seed}")
    steps = played(table, seed)
    for game in [*(steps[place].game for place in of_every_kind(rng, steps)), steps[-1].game]:
        view = game.ruleset.project(game.state, EVERYTHING)
        assert game.ruleset.sample(game.options, EVERYTHING, view, rng) == game.state
