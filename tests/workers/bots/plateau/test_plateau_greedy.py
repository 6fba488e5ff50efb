"""The greedy bot of Plateau sees what a person sees at a glance."""

from domain.plateau import RULESET
from domain.plateau.actions import Onboard
from tests.domain.plateau import builders
from tests.workers.bots.asking import asked_of, typed
from workers.bots.plateau import greedy


def moves(state, seeds=5):
    """Return what the bot does in a position, with some seeds."""
    return [typed(RULESET, greedy.think(asked_of(RULESET, state, state.to_move, seed))) for seed in range(seeds)]


def test_greedy_completes_a_unit_of_six_wherever_it_lies():
    state = builders.state("a1 Wxx Wxx Wxx Wrr Wbb Brr, d4 Bbb Bxr", to_move="W")
    for action in moves(state):
        assert isinstance(action, Onboard)
        _, won = builders.act(state, action)
        assert won.end.winner == 1


def test_greedy_cuts_a_unit_of_five_before_anything_else():
    state = builders.state("a1 Wxx Wxx Wxx Wrr Wbb, a3 Brr Brr, c2 Wxx, c1 Bbb Bbx", to_move="B")
    for action in moves(state):
        assert (action.from_, action.to) == ("a3", "a1")


def test_greedy_takes_what_is_free_and_takes_the_sixth_prisoner():
    free = builders.state("a1 Wrr, a3 Brr Brr, d4 Wxx", to_move="B")
    assert all((action.from_, action.to) == ("a3", "a1") for action in moves(free))
    last = builders.state("a1 Wxx, a2 Brr, d4 Wxx Wrr", to_move="B", prisoners={"B": ["M", "M", "R", "B", "B"]})
    for action in moves(last):
        assert builders.act(last, action)[1].end.winner == 0


def test_greedy_does_not_open_on_a_square_that_an_enemy_weapon_reaches():
    first = builders.acts(builders.state(to_move="B", phase="opening"), builders.opening("a1", "xx", "rr"))
    for action in moves(first, seeds=12):
        assert action.square not in ("b1", "c1", "a2", "a3")
        assert {placed.piece for placed in action.pieces}.isdisjoint({"A", "TW"})


def test_greedy_refuses_no_exchange_that_it_can_match_and_gives_little():
    held = {"B": ["M", "M"], "W": ["R", "M"]}
    state = builders.state("a1 Wrr, d4 Bbb", to_move="B", phase="response", prisoners=held, tender=["M"])
    for action in moves(state):
        assert action.pieces == ("M",)


def test_greedy_tells_what_else_it_would_do_each_for_another_place():
    state = builders.state("a1 Wrr, a3 Brr Brr, d4 Wxx", to_move="B")
    thought = greedy.think(asked_of(RULESET, state, state.to_move))
    told = [estimate.action for estimate in thought.estimates]
    assert told[0] == thought.action
    onboarded = [(each["square"], each["height"]) for each in told if each["type"] == "onboard"]
    assert len(set(onboarded)) == len(onboarded) > 1
    scores = [estimate.score for estimate in thought.estimates]
    assert scores == sorted(scores, reverse=True)
