"""The games in OpenSpiel: its own tests, fair worlds, chance, search, and what players see."""

import random
from itertools import count

import numpy as np
import pytest

from bench.league.duels import Duel, deal
from bench.league.tables import Table
from domain.errors import InvalidOptions
from domain.registry import BUILT_IN, RULESETS
from tests.workers.extras import needed
from workers.research.entrants import entrants
from workers.research.tables import NoSuchTable

pyspiel = needed("pyspiel")
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots  # noqa: E402 - only with OpenSpiel

from workers.research.ismcts import TreeSearch  # noqa: E402
from workers.research.openspiel import load, name_of  # noqa: E402

SHORT = {"plateau": {"max_plies": 8}}
GAMES = [(ruleset.id, ruleset.seats[0], SHORT.get(ruleset.id, {}), False) for ruleset in BUILT_IN]
EVERY_GAME = [
    *((ruleset.id, seats, SHORT.get(ruleset.id, {}), False) for ruleset in BUILT_IN for seats in ruleset.seats),
    ("plute", 6, {"win_at": 2, "early_stop": "off"}, True),
    ("french-tarot", 5, {"deals": 2}, True),
    ("le-plateau", 5, {"hands": 5, "scoring": "positive", "abdication": "on"}, True),
    ("plateau", 2, {}, True),
]


def load_all(given):
    ruleset_id, seats, options, whole_game = given
    return load(ruleset_id, seats, options, whole_game=whole_game)


def played(game, seed, numbers=None):
    """Yield the states of a random game, of the same object."""
    rng, state = random.Random(seed), game.new_initial_state()
    for _ in count() if numbers is None else range(numbers):
        yield state
        if state.is_terminal():
            return
        state.apply_action(rng.choice(state.legal_actions()))


def dealt(game, seed=1):
    """Return a state at which a player is to move for the first time."""
    return next(state for state in played(game, seed) if not state.is_chance_node())


@pytest.mark.parametrize(
    "given",
    [*GAMES, *(pytest.param(each, marks=pytest.mark.long) for each in EVERY_GAME if each not in GAMES)],
    ids=str,
)
def test_a_game_passes_the_simulation_test_of_openspiel(given):
    pyspiel.random_sim_test(load_all(given), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("given", GAMES, ids=str)
def test_a_player_cannot_tell_a_resampled_state_from_the_true_one(given):
    game, worlds = load_all(given), set()
    for step, state in enumerate(played(game, 4)):
        if state.is_chance_node() or step % 3:
            continue
        for player in range(game.num_players()):
            sampled = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(step, 0.0, 1.0))
            again = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(step, 0.0, 1.0))
            assert str(sampled) == str(again)
            worlds.add(str(sampled) == str(state))
            assert sampled.history() == []
            assert sampled.information_state_string(player) == state.information_state_string(player)
            assert sampled.observation_string(player) == state.observation_string(player)
            assert sampled.information_state_tensor(player) == state.information_state_tensor(player)
            if player == state.current_player():
                assert sampled.legal_actions() == state.legal_actions()
                _, restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, sampled))
                assert str(restored) == str(sampled)
                assert restored.legal_actions() == sampled.legal_actions()
    assert False in worlds


def test_what_a_player_has_entered_of_an_action_stays_when_the_rest_is_dealt_anew():
    game = load("french-tarot", 3)
    found = 0
    for seed in range(30):
        for state in played(game, seed):
            player = state.current_player()
            if state.is_chance_node() or state.is_terminal() or len(state.moment.choices.entered) < 2:
                continue
            found += 1
            other = (player + 1) % 3
            mine, theirs = (state.resampled(who, random.Random(1)) for who in (player, other))
            assert mine.moment.choices.entered == state.moment.choices.entered
            assert theirs.moment.choices.entered == ()
            assert theirs.information_state_string(other) == state.information_state_string(other)
            assert str(state.moment.choices.entered[0]) in state.information_state_string(player)
        if found > 4:
            return
    pytest.fail("no action of several numbers was met")


def test_every_deal_is_drawn_by_chance_nodes_and_follows_from_them():
    game = load("plute", 6, {"win_at": 2, "lose_at": 2}, whole_game=True)
    draws = [state.move_number() for state in played(game, 1) if state.is_chance_node()]
    assert draws[:8] == [*range(8)]
    assert len(draws) % 8 == 0
    assert len(draws) > 8
    first, same = dealt(game, 1), dealt(game, 1)
    assert (str(first) == str(same), str(first) == str(dealt(game, 2))) == (True, False)
    before = game.new_initial_state()
    assert before.chance_outcomes() == [(byte, 1 / 256) for byte in range(256)]
    assert not any(before.information_state_tensor(0))


def test_where_nothing_is_dealt_there_is_no_chance():
    game = load("plateau")
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert game.max_chance_outcomes() == 0
    assert game.new_initial_state().current_player() == 0


@pytest.mark.parametrize("given", GAMES, ids=str)
def test_tree_search_plays_every_game_against_bots_of_openspiel(given):
    game, rng = load_all(given), np.random.RandomState(3)
    searcher = TreeSearch(game, 2, 1)
    others = [pyspiel.make_uniform_random_bot(player, 1) for player in range(1, game.num_players())]
    scores = evaluate_bots(game.new_initial_state(), [searcher, *others], rng)
    assert sum(scores) == 0
    assert max(scores) <= game.max_utility()


def test_tree_search_plays_in_the_league_and_the_same_again():
    table = Table("le-plateau", 2)
    search, chance = entrants(["workers.research.ismcts:think@2", "random"])
    first, again = (deal(Duel(table, search, chance, 1), 0)["games"] for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("given", "deals", "points"),
    [
        (("plute", 6, {}, True), 9, 1),
        (("plute", 6, {"win_at": 2, "lose_at": 1}, True), 3, 1),
        (("plute", 6, {"win_at": 2}, False), 3, 1),
        (("french-tarot", 4, {"deals": 3}, False), 3, 21_000),
        (("le-plateau", 3, {"hands": 6}, False), 1, 120),
        (("le-plateau", 3, {"hands": 6}, True), 6, 720),
        (("plateau", 2, {}, True), 1, 1),
    ],
    ids=str,
)
def test_the_bounds_of_a_game_are_those_of_its_deals(given, deals, points):
    game, single = load_all(given), load("plateau")
    assert game.max_game_length() == deals * single.max_game_length()
    assert (game.min_utility(), game.max_utility()) == (-points, points)


def test_options_and_players_are_in_the_name_of_a_game():
    game = load("le-plateau", 4, {"deck": "full", "first_dealer": 2})
    again = pyspiel.load_game(str(game))
    assert again.table.options == game.table.options
    assert (again.table.options.deck, again.table.seats, again.table.options.first_dealer) == ("full", 4, 2)
    assert pyspiel.load_game(f"{name_of('french-tarot')}(players=5,options=misere:on)").table.options.misere == "on"


@pytest.mark.parametrize(
    ("given", "error"),
    [(("plute", 5), NoSuchTable), (("nothing",), NoSuchTable), (("le-plateau", 3, {"deck": "half"}), InvalidOptions)],
)
def test_a_table_that_the_rules_do_not_know_is_refused(given, error):
    with pytest.raises(error):
        load(*given)


def test_an_observer_sees_what_its_kind_allows():
    game = load("plute", 6)
    state, kinds = dealt(game), pyspiel.PrivateInfoType
    ruleset, truth = RULESETS["plute"], state.moment.position.state
    own, public, everything = (
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, public_info=True, private_info=kind))
        for kind in (kinds.SINGLE_PLAYER, kinds.NONE, kinds.ALL_PLAYERS)
    )
    card = ruleset.project(truth, 2).hands[2].cards[0]
    seen = [f'"{card}"' in observer.string_from(state, 3) for observer in (own, public, everything)]
    assert seen == [False, False, True]
    assert public.tensor is None
    own.set_from(state, 2)
    assert own.dict["hand"].sum() == 9
    assert own.tensor.tolist() == state.observation_tensor(2)
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"size": 3})
