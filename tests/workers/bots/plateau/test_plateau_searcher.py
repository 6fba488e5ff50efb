"""The searcher of Plateau: legal everywhere, the same by view and seed, and as deep as its budget."""

import random
from itertools import count

import pytest

from domain.plateau import RULESET
from domain.plateau.actions import Tender
from domain.serialization import to_plain
from tests.domain.plateau import builders
from tests.support.random_games import playing
from tests.workers.bots.plateau.asking import VARIANTS, asked, typed
from workers.bots.plateau import search, searcher
from workers.bots.plateau.evaluation import WON, completes, looked_at, score, weighed
from workers.bots.plateau.generation import ANY, turns
from workers.bots.plateau.kernel import after
from workers.bots.plateau.position import PLAY
from workers.bots.plateau.translation import loaded


def decisions(seed, every, variant=""):
    """Return every so manieth state of a random game in which somebody has a turn."""
    for number, step in enumerate(playing("plateau", 2, seed, variant)):
        if number % every == 0 and step.game.status == "active":
            yield step.game.state


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_searcher_chooses_legal_actions_in_every_phase(variant):
    for state in decisions(3, 19, variant):
        thought = searcher.think(asked(state, seed=7, playouts=30))
        assert typed(thought.action) in list(RULESET.legal_actions(state, state.to_move))
        assert all(estimate.error >= 0 for estimate in thought.estimates)


def test_the_searcher_sees_nothing_that_its_seat_does_not():
    for state in decisions(4, 17):
        view = RULESET.project(state, state.to_move)
        other = RULESET.sample(state.options, state.to_move, view, random.Random(1))
        first, again = (searcher.think(asked(each, seed=5, playouts=40)) for each in (state, other))
        assert first == again


@pytest.mark.parametrize("with_tender", [False, True])
def test_a_search_that_ends_at_any_moment_ends_at_the_same_one_again(with_tender):
    """Also where an exchange is tried, which is weighed without a search."""
    state, tender = next(
        (state, tender)
        for state in decisions(3, 1)
        if state.plies > 11 and (tender := tender_in(state) or not with_tender)
    )
    also = {"type": "tender", **to_plain(tender)} if with_tender else None
    for calls in (*range(1, 40), 1000):
        asks = count(1)
        ended = searcher.think(asked(state, playouts=5000, also=also, is_enough=lambda _done: next(asks) >= calls))  # noqa: B023
        then = ended.playouts
        again = searcher.think(asked(state, playouts=5000, also=also, is_enough=lambda done: done >= then))  # noqa: B023
        assert again == ended, calls


def tender_in(state):
    """Return prisoners that the player to move can offer, if there are any."""
    return next((action for action in RULESET.legal_actions(state, state.to_move) if isinstance(action, Tender)), None)


def test_the_evaluation_finds_every_unit_of_six_that_one_move_completes():
    found = 0
    for seed in range(2):
        for state in decisions(seed, 11):
            before = loaded(state)
            for action in turns(before, 1)[::17] if before.phase == PLAY else ():
                position = after(before, action)
                if position.phase == PLAY:
                    made = (after(position, each) for each in turns(position, ANY))
                    wins = any(child.winner == position.mover and child.reason == "unit" for child in made)
                    assert completes(position, looked_at(position)) == wins
                    found += wins
    assert found


def test_captures_are_played_out_to_the_last():
    """One glance sees that White takes back on c1, and not that Black, who has two more weapons there, takes again."""
    state = builders.state("a1 Brr Brr, c1 Wrr Wbb, c3 Wrr Wxx Wrx, d2 Bxr Bbr, a4 Bbb", to_move="B")
    position = loaded(state)
    played_out = search.settled(position, weighed(position), search.NOISY, -WON, WON, search.Nodes())
    assert played_out > score(position) + 100


def test_a_budget_bounds_the_search_and_without_one_the_first_look_decides():
    state = next(state for state in decisions(1, 1) if state.plies == 12)
    none, few, many = (searcher.think(asked(state, seed=2, playouts=playouts)) for playouts in (0, 50, 500))
    assert none.playouts == 0 < few.playouts <= 50 < many.playouts <= 500
    assert typed(none.action) in list(RULESET.legal_actions(state, state.to_move))
