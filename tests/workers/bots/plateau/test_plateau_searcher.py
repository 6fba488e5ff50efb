"""The searcher of Plateau finds units and captures, and searches as deep as its budget."""

from domain.plateau import RULESET
from tests.domain.plateau import builders
from tests.support.random_games import playing
from tests.workers.bots.asking import asked_of, typed
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
    none, few, many = (
        searcher.think(asked_of(RULESET, state, state.to_move, 2, playouts)) for playouts in (0, 50, 500)
    )
    assert none.playouts == 0 < few.playouts <= 50 < many.playouts <= 500
    assert typed(RULESET, none) in list(RULESET.legal_actions(state, state.to_move))
