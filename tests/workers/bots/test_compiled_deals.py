"""The kernels of French Tarot and Plute do the same compiled, in every word of their arrays, bounds checked too."""

import random
from importlib.util import find_spec

import pytest

from domain.french_tarot import RULESET
from tests.domain.play import playing
from workers.bots import compiled
from workers.bots.french_tarot import habits, shuffling
from workers.bots.french_tarot import kernel as tarot
from workers.bots.french_tarot import loading as tarot_loading
from workers.bots.french_tarot.worlds import Worlds
from workers.bots.plute import kernel as plute
from workers.bots.plute import loading as plute_loading


def begun(ruleset_id, seats):
    """Return a state in which the first trick has begun."""
    states = (step.game.state for step in playing(ruleset_id, seats, 0) if step.game.state)
    return next(state for state in states if state.phase == "play" and state.table.trick)


def played(seeds):
    """Return the arrays after playouts of every table."""
    ends = []
    for ruleset_id, seats, kernel, loading in (
        ("french-tarot", 3, habits, tarot_loading),
        ("french-tarot", 4, habits, tarot_loading),
        ("french-tarot", 5, habits, tarot_loading),
        ("plute", 6, plute, plute_loading),
    ):
        state = begun(ruleset_id, seats)
        for seed in seeds:
            game = compiled.words(loading.loaded(state, seed))
            compiled.fast(kernel.play_out)(game)
            ends.append([int(word) for word in game])
            if kernel is habits:
                ends.append([int(compiled.fast(tarot.score_of)(game, player)) for player in range(seats)])
        if kernel is habits:
            ends.append(shuffled(state))
    return ends


def shuffled(state):
    """Return a world after a search has gone through some."""
    view = RULESET.project(state, state.deal.players[-1])
    worlds = Worlds(state.options, view, state.deal.players[-1], random.Random(1))
    bases, game = compiled.words(tarot_loading.bases_of(worlds.state)), compiled.words([0] * tarot.LENGTH)
    for _ in range(10):
        compiled.fast(shuffling.put)(worlds.next(), bases, game)
    return [int(word) for word in (*worlds.current, *game)]


@pytest.mark.skipif(find_spec("numba") is None, reason="numba, of the extra fast-bots, is not installed")
@pytest.mark.long
@pytest.mark.parametrize("bounds", [False, True])
def test_compiled_deals_end_as_plain_ones_do(bounds, monkeypatch):
    plain = played(range(1, 30))
    if bounds:
        import numba  # noqa: PLC0415 - an extra

        monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    try:
        assert compiled.warm(None)
        assert played(range(1, 30)) == plain
    finally:
        compiled.cool()
