"""Games in play that nobody goes on with end by the workers' hand, on every kind of store, by a clock of the test."""

import pytest

from domain.game.durations import DAY, instant
from domain.game.timeouts import Patience
from domain.le_plateau.actions import Pass
from service.games.plans.planning import Planning
from service.games.projections.representations import game_at_version
from tests.support.games import ADA, BOB, order, wish
from tests.workers.places import START, deadline

IDLE = 365 * DAY


@pytest.fixture
def idle(house):
    """Let the house end idle games; return a game of Ada and Bob without a clock."""
    house.patience = Patience(open_game=14 * DAY, empty_game=DAY, idle_game=IDLE)
    house.games, house.worker = house.process()
    return begun(house)


def begun(house):
    game_id = house.begin("me", None, clock=None)
    house.games.join(game_id, BOB, wish())
    return game_id


def holder(house, game_id):
    """Return who is to act."""
    (seat,) = house.game(game_id).pending
    return (ADA, BOB)[seat]


def test_a_worker_ends_an_idle_game_at_its_time_and_not_before(house, idle):
    assert deadline(house, idle) == {"deadlines": IDLE}
    house.ms = START + IDLE - 1
    house.handle(idle)
    assert house.game(idle).status == "active"
    house.ms += 1
    house.handle(idle)
    house.handle(idle)
    game = house.game(idle)
    assert (game.status, game.aborted_because, instant(game.at)) == ("aborted", "idle", START + IDLE)
    assert house.types(idle).count("game_aborted") == 1
    assert deadline(house, idle) == {}
    assert house.counted("idle_games_ended") == 1
    assert house.counted("open_games_ended") == 0


def test_every_act_moves_the_end_on(house, idle):
    house.ms = START + IDLE - 1
    house.games.act(idle, holder(house, idle), order(Pass()))
    assert deadline(house, idle) == {"deadlines": 2 * IDLE - 1}
    house.ms += 2
    house.handle(idle)
    assert house.game(idle).status == "active"


def test_everybody_sees_when_the_game_would_end(house, idle):
    assert instant(game_at_version(house.game(idle), house.patience)["expires_at"]) == START + IDLE


def test_a_plan_leaves_the_end_where_it_was(house, idle):
    game = house.game(idle)
    (seat,) = game.pending
    planning = Planning(house.games.repository, house.patience)
    caller = holder(house, idle)
    for forced in (True, False):
        planning.put(game, caller, seat, (), forced, lambda *_: None)
        house.handle(idle)
        assert deadline(house, idle) == {"deadlines": IDLE}


def test_a_sandbox_does_not_end(house, idle):
    alone = house.begin("me", "me", clock=None)
    assert deadline(house, alone) == {}
    house.ms = START + 100 * IDLE
    house.handle(alone)
    assert house.game(alone).status == "active"
