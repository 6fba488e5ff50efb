"""What every policy must keep: legal at every table, and blind to what its seat does not see."""

import random

import orjson

from domain.game import aggregate
from domain.laws.play import written
from domain.serialization import changed
from service.games.projections import representations
from service.input.forms import action_of
from tests.domain.laws.facts import table_of
from tests.support.random_games import starting
from workers.bots import uniform
from workers.bots.policy import Asked
from workers.bots.ranking import best_first


def asked(game, seat, seed=0, playouts=0):
    """Ask for a move, with the view as policies receive it: as JSON, read back."""
    return Asked(orjson.loads(orjson.dumps(representations.view(game, seat))), seed, playouts)


def keeps_the_laws(think, ruleset_id, seats, variant, seed, every=5):
    """Play a game in which every fourth move is random; after each ``every``th move deal the unseen cards again."""
    rng = random.Random(f"{ruleset_id} {seats} {variant} {seed}")
    *_, step = starting(ruleset_id, seats, seed, **table_of(ruleset_id, seats, variant).options)
    game, moves = step.game, 0
    while not game.is_over:
        seat = rng.choice(sorted(game.pending))
        question = asked(game, seat, seed)
        thought = think(question)
        if moves % every == 0:
            world = game.ruleset.sample(game.options, seat, game.ruleset.project(game.state, seat), rng)
            assert think(asked(changed(game, state=world), seat, seed)) == thought
        action, _ = action_of(game.ruleset, thought.action)
        decided = aggregate.act(game, seat, action)
        if rng.randrange(4) == 0:
            action, _ = action_of(game.ruleset, uniform.think(Asked(question.view, rng.randrange(1 << 32))).action)
            decided = aggregate.act(game, seat, action)
        game, moves = written(game, seat, action, decided).game, moves + 1
    return moves


def played_out(ruleset_id, seats, seed, seat_plays):
    """Return a game to its end; ``seat_plays`` has what weighs the actions of a seat, others play at random."""
    rng = random.Random(seed)
    *_, step = starting(ruleset_id, seats, seed)
    game = step.game
    while not game.is_over:
        seat = min(game.waiting_for)
        legal = game.ruleset.legal_actions(game.state, seat)
        action = legal[rng.randrange(len(legal))]
        if seat in seat_plays:
            view = game.ruleset.project(game.state, seat)
            action = best_first(seat_plays[seat](game.options, view, seat))[0][1]
        game = written(game, seat, action, aggregate.act(game, seat, action)).game
    return game
