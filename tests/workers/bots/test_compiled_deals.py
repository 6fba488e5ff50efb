"""The kernels do the same compiled, bounds checked too: arrays word by word, and whole decisions of bots."""

import random

import pytest

from domain.french_tarot import RULESET
from tests.support.random_games import playing
from tests.workers.bots.laws import asked
from tests.workers.extras import needs_numba
from workers.bots import compiled, greedy, searcher
from workers.bots.french_tarot import habits, scoring, shuffling
from workers.bots.french_tarot import kernel as tarot
from workers.bots.french_tarot import loading as tarot_loading
from workers.bots.french_tarot.worlds import Worlds
from workers.bots.plute import auctions as plute_auctions
from workers.bots.plute import kernel as plute
from workers.bots.plute import knowledge as plute_knowledge
from workers.bots.plute import loading as plute_loading
from workers.bots.plute import playouts as plute_playouts
from workers.bots.plute import worlds as plute_worlds


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
        ("plute", 6, plute_playouts, plute_loading),
    ):
        state = begun(ruleset_id, seats)
        for seed in seeds:
            game = compiled.words(loading.loaded(state, seed))
            compiled.fast(kernel.play_out)(game)
            ends.append([int(word) for word in game])
            if kernel is habits:
                ends.append([int(compiled.fast(scoring.score_of)(game, player)) for player in range(seats)])
        if kernel is habits:
            ends.append(shuffled(state))
    return [*ends, *auctions_of_plute(seeds)]


def decided():
    """Return what greedy and a searcher think in every phase of a game at some tables of the card games."""
    thoughts = []
    for ruleset_id, seats in (
        ("le-plateau", 2),
        ("le-plateau", 5),
        ("french-tarot", 4),
        ("french-tarot", 5),
        ("plute", 6),
    ):
        phases = {}
        for step in playing(ruleset_id, seats, 1):
            if step.game.pending:
                phases.setdefault(step.game.state.phase, []).append(step.game)
        for games in phases.values():
            game = games[len(games) // 2]
            question = asked(game, min(game.pending), seed=1, playouts=120)
            thoughts += [greedy.think(question), searcher.think(question)]
    return thoughts


def auctions_of_plute(seeds):
    """Return what bids come to in worlds of Plute, each with its unseen cards swapped."""
    game = next(step.game for step in playing("plute", 6, 0) if step.game.state and step.game.state.phase == "bid")
    state, seat, ends = game.state, min(game.waiting_for), []
    known = plute_knowledge.known_of(game.options, game.ruleset.project(state, seat), seat, 0)
    for seed in seeds:
        world = compiled.words(plute_loading.begun(state, seed))
        leanings = {(other, card): (other + card) % 30 - 20 for other in known.others for card in range(54)}
        table = compiled.words(plute_worlds.table_of(known, world, leanings))
        compiled.fast(plute_worlds.swap)(world, table, 3)
        tried, scratch = compiled.words([0, 4, 5]), compiled.words([0] * plute.LENGTH)
        auction = compiled.words([state.hand.dealer, len(state.hand.bids), 0, 10, 20, 30, 40, 50, 60])
        compiled.fast(plute_auctions.try_bids)(world, tried, scratch, auction)
        ends.append([int(word) for array in (world, table, tried, scratch) for word in array])
    return ends


def shuffled(state):
    """Return a world after a search has gone through some."""
    view = RULESET.project(state, state.deal.players[-1])
    worlds = Worlds(state.options, view, state.deal.players[-1], random.Random(1))
    bases, game = compiled.words(tarot_loading.bases_of(worlds.state)), compiled.words([0] * tarot.LENGTH)
    for _ in range(10):
        compiled.fast(shuffling.put)(worlds.next(), bases, game)
    return [int(word) for word in (*worlds.current, *game)]


@needs_numba
@pytest.mark.long
@pytest.mark.parametrize("bounds", [False, True])
def test_compiled_deals_end_as_plain_ones_do_and_bots_decide_the_same(bounds, monkeypatch):
    plain, thoughts = played(range(1, 30)), decided()
    if bounds:
        import numba  # noqa: PLC0415 - an extra

        monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    try:
        assert compiled.warm(None)
        assert played(range(1, 30)) == plain
        assert decided() == thoughts
        assert sum(thought.playouts > 0 for thought in thoughts) > 10
    finally:
        compiled.cool()
