"""The environments of PettingZoo: its own tests pass, and rewards, masks and ends are those of the game."""

import random
import warnings

import numpy as np
import pytest

from domain.serialization import to_plain
from tests.support.sampling import SMALLEST, VARIANTS, part
from tests.workers.research.walking import table_with
from workers.research.actions import numbering
from workers.research.pettingzoo import Environment, env
from workers.research.tables import table

with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
    # its tests import an old environment of its own where pygame is installed
    from pettingzoo.test import api_test, performance_benchmark, seed_test

pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{said}:UserWarning")
    for said in (
        "Observation is not a NumPy array",  # it is a dictionary with a mask, as in PettingZoo's own card games
        "Observation space for each agent probably should be gymnasium.spaces.box",
        "Action mask numpy array is all zeros",  # once the game is over
    )
]


def cycles(made, seed, steps=10_000):
    """Play at random; return for each step the agent, what ``last`` gave it, and the number entered."""
    made.reset(seed=seed)
    rng, done = random.Random(seed), []
    for agent in made.agent_iter(steps):
        observation, reward, termination, truncation, info = made.last()
        over = termination or truncation
        number = None if over else rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
        done.append((agent, observation, reward, termination, truncation, info, number))
        made.step(number)
    return done


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "variant"),
    [pytest.param(*each, marks=() if each[:2] in SMALLEST and not each[2] else pytest.mark.long) for each in VARIANTS],
)
def test_the_tests_of_the_interface_and_of_seeds_pass(ruleset_id, seats, variant, capsys):
    made = table_with(ruleset_id, seats, variant)
    options = {name: value for name, value in to_plain(made.options).items() if value is not None}
    for whole_game in (False, True):
        api_test(env(ruleset_id, seats=seats, options=options, whole_game=whole_game), num_cycles=part(160))
        seed_test(lambda: env(ruleset_id, seats=seats, options=options, whole_game=whole_game), num_cycles=part(80))  # noqa: B023
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("ruleset_id", ["le-plateau", "plateau", "french-tarot", "plute"])
def test_the_performance_benchmark_runs(ruleset_id, capsys):
    performance_benchmark(env(ruleset_id, whole_game=False))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_rewards_add_up_to_the_scores_and_masks_are_for_the_seat_to_move(ruleset_id, seats):
    made = Environment(table_with(ruleset_id, seats))
    done = cycles(made, seed=3)
    sums = dict.fromkeys(made.possible_agents, 0)
    for agent, _, reward, *_ in done:
        sums[agent] += reward
    assert tuple(sums.values()) == made.position.scores
    ends = [(termination, truncation) for *_, termination, truncation, _, number in done if number is None]
    assert ends == [(not made.position.is_cut_short, made.position.is_cut_short)] * seats
    made.reset(seed=3)
    others = [agent for agent in made.agents if agent != made.agent_selection]
    assert not any(made.observe(agent)["action_mask"].any() for agent in others)
    assert all(made.observation_space(agent).contains(made.observe(agent)) for agent in made.agents)


def test_a_game_follows_from_its_seed_and_the_next_ones_too():
    one, two = (Environment(table("plute")) for _ in range(2))
    for made in (one, two):
        made.reset(seed=5)
    assert one.position.state == two.position.state == table("plute").start(5).state
    for made in (one, two):
        made.reset()
    assert one.position.state == two.position.state != table("plute").start(5).state


@pytest.mark.filterwarnings("ignore:.*Illegal move made:UserWarning")
def test_an_illegal_number_ends_the_game_and_costs_its_agent_one():
    made = env("plute", whole_game=False)
    made.reset(seed=1)
    agent = made.agent_selection
    made.step(int(np.flatnonzero(made.observe(agent)["action_mask"] == 0)[0]))
    assert all(made.terminations.values())
    assert made.rewards == {other: -1.0 if other == agent else 0 for other in made.rewards}


def test_without_the_checks_an_illegal_number_is_rejected_and_changes_nothing():
    made = Environment(table("plateau"))
    made.reset(seed=1)
    before = made.position
    for number in (0, None):
        with pytest.raises(ValueError, match="enter"):
            made.step(number)
    assert made.position is before


def test_a_draw_by_length_is_a_truncation_and_so_is_the_limit_of_steps():
    made = Environment(table("plateau", options={"max_plies": 4}))
    assert [entry[3:5] for entry in cycles(made, seed=1)[-2:]] == [(False, True)] * 2
    assert made.position.outcome.reason == "max_plies"
    made = Environment(table("plute"), max_steps=9)
    assert [entry[3:5] for entry in cycles(made, seed=1)[9:]] == [(False, True)] * 6
    assert made.position.outcome is None


def test_an_action_is_entered_number_by_number_and_infos_say_how_far_it_is():
    made = Environment(table("plateau"), views=True)
    made.reset(seed=1)
    names = ["open b1", "place M x", "place R r"]
    for place, name in enumerate(names):
        assert made.agent_selection == "seat_0"
        assert made.infos["seat_0"]["entered"] == names[:place]
        assert made.infos["seat_0"]["view"] == made.position.plain_view(0)
        made.step(numbering("plateau").places[name])
    assert made.agent_selection == "seat_1"
    assert made.infos["seat_0"] == {}


def test_all_cards_are_rendered_as_text():
    made = env("le-plateau", render_mode="ansi")
    made.reset(seed=1)
    assert all(card in made.render() for hand in made.unwrapped.position.state.table.held for card in hand)
    assert Environment(table("plute")).render_mode is None
