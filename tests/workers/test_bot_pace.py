"""Bots wait before they move while a player is at the table, whatever they think; no worker waits, no move is lost.

A game that bots alone play counts for its creator, event by event, and waits once there is no room.
"""

import pytest

from domain.errors import InvalidOptions
from domain.events import Clock
from domain.game import timeouts
from domain.game.durations import DAY, HOUR, MINUTE, instant, lasting
from domain.game.seating import SLOWEST_BOT
from domain.game.timeouts import Patience
from domain.le_plateau.actions import Pass
from service.accounts.limiter import Limiter
from service.jobs.fair_queue import FairQueue
from tests.support.games import ADA, order, spec

PACE, LEAST = 700, 150
PER_MINUTE = Clock("PT1M", None, None, "bot", "random")


@pytest.fixture
def paced(house):
    """A house whose bots wait, unless the table chose otherwise."""
    house.patience = Patience(open_game=14 * DAY, empty_game=DAY, bot_pace=PACE)
    house.games, house.worker = house.process()
    return house


def begin(house, *seats, bot_pace=None, clock=None):
    """Create a game of Le Plateau whose seats are bots or the player's, and whose table chose a pace, or none."""
    bots = tuple((seat, name) for seat, name in enumerate(seats) if name != "me")
    more = {"bots": bots, "clock": clock, "bot_pace": bot_pace if bot_pace is None else lasting(bot_pace)}
    mine = tuple(name == "me" for name in seats)
    wanted = spec(mine, sandbox=sum(mine) > 1, more=more, first_dealer=len(seats) - 1)
    return house.games.create(ADA, wanted)[0]


def waits(house, game_id):
    """Return after how many ms a bot moves, while a worker lets the game be until then, None if no bot is to move."""
    game = house.game(game_id)
    if not timeouts.bots_to_act(game):
        return None
    shard = house.store.shard(game_id)
    assert b"w" in house.client.xrevrange(shard.changes, count=1)[0][1], "no job is queued"
    house.handle(game_id)
    if house.game(game_id).version == game.version:
        due = house.worker.held.waiting[0].moment
        lost = house.client.zscore(shard.deadlines, game_id) or house.client.zscore(shard.second_looks, game_id)
        assert lost > due, "it is taken for lost before it comes"
        house.ms = due - 1
        house.worker.held.release()
        assert house.game(game_id).version == game.version
        house.ms = due
        house.worker.held.release()
    after = house.store.read(game_id, game.version)
    return instant(after[0].at) - instant(game.at)


def test_bots_wait_before_each_move_while_a_player_is_at_the_table(paced):
    game_id = begin(paced, "random", "random", "me")
    for seat in (1, 2):
        assert waits(paced, game_id) == PACE
        assert set(paced.game(game_id).pending) == {seat}
    assert waits(paced, game_id) is None
    after_a_player = begin(paced, "me", "random", "random")
    paced.games.act(after_a_player, ADA, order(Pass(), seat=0))
    assert waits(paced, after_a_player) == PACE


def test_bots_alone_do_not_wait(paced):
    assert waits(paced, begin(paced, "random", "random", "random")) == 0


def test_bots_wait_for_players_who_are_away_only_as_long_as_hides_what_they_think(paced):
    game_id = begin(paced, "me", "random", "random", clock=PER_MINUTE)
    paced.ms += MINUTE
    paced.handle(game_id)
    paced.ms += LEAST
    paced.worker.held.release()
    assert "turn_timed_out" in paced.types(game_id)
    assert waits(paced, game_id) == LEAST


@pytest.mark.parametrize(("chosen", "wait"), [(2000, 2000), (SLOWEST_BOT, SLOWEST_BOT), (0, LEAST)])
def test_the_table_chooses_the_pace_but_for_what_hides_what_bots_think(paced, chosen, wait):
    assert waits(paced, begin(paced, "random", "random", "me", bot_pace=chosen)) == wait


def test_in_a_sandbox_and_in_a_service_whose_bots_move_at_once_nothing_is_hidden(paced, house):
    assert waits(paced, begin(paced, "random", "me", "me", bot_pace=0)) == 0
    house.patience = Patience()
    house.games, house.worker = house.process()
    assert waits(house, begin(house, "random", "random", "me")) == 0
    assert waits(house, begin(house, "random", "random", "me", bot_pace=PACE)) == PACE


class Slow:
    """A policy process whose answers take so long by the clock of the house."""

    def __init__(self, house, policy_process, took):
        self._house, self._policy_process, self._took = house, policy_process, took

    def think(self, *asked):
        """Think for as long as it takes."""
        self._house.ms += self._took
        return self._policy_process.think(*asked)

    def most_ms(self, playouts):
        """Return what a bot is given."""
        return self._policy_process.most_ms(playouts)


@pytest.mark.parametrize("pace", [0, PACE])
@pytest.mark.parametrize("name", ["random", "greedy-novice", "greedy"])
def test_a_bot_that_had_to_think_moves_at_the_same_moment_as_one_that_did_not(paced, policy_process, pace, name):
    moments = []
    for took in (0, 140):
        game_id = begin(paced, name, name, "me", bot_pace=pace)
        paced.worker.policy_process = Slow(paced, policy_process, took)
        moments.append([waits(paced, game_id), waits(paced, game_id)])
    assert moments[0] == moments[1] == [pace or LEAST] * 2


@pytest.mark.parametrize("took", [0, 140])
def test_a_late_turn_is_taken_at_the_same_moment_whatever_the_bot_thinks(paced, policy_process, took):
    game_id = begin(paced, "me", "random", "random", clock=PER_MINUTE)
    began = paced.ms
    paced.worker.policy_process = Slow(paced, policy_process, took)
    paced.ms += MINUTE
    paced.handle(game_id)
    paced.ms = began + MINUTE + LEAST
    paced.worker.held.release()
    (late,) = [record for record in paced.store.read(game_id) if record.type == "turn_timed_out"]
    assert instant(late.at) == began + MINUTE + LEAST


def test_a_held_move_is_chosen_again_by_another_worker_and_made_once(paced):
    game_id = begin(paced, "random", "random", "me")
    version = paced.game(game_id).version
    other = paced.process()[1]
    for worker in (paced.worker, other, paced.worker):
        worker.handle(game_id, version)
    paced.ms += PACE
    other.held.release()
    after = paced.game(game_id)
    paced.worker.held.release()
    assert paced.game(game_id) == after
    assert set(after.pending) == {1}
    assert (paced.counted("bot_moves"), paced.counted("outdated")) == (1, 1)


def test_a_move_held_by_a_worker_that_ends_is_made_in_time_by_another(paced):
    game_id = begin(paced, "random", "random", "me", bot_pace=SLOWEST_BOT)
    at = instant(paced.game(game_id).at)
    paced.handle(game_id)
    queue, other = FairQueue(paced.client), paced.process()[1]
    paced.ms += 1000
    paced.worker.stop(queue)
    assert queue.take() == (game_id, None)
    other.handle(game_id, None)
    paced.ms = at + SLOWEST_BOT
    paced.worker.held.release()
    assert set(paced.game(game_id).pending) == {0}
    other.held.release()
    (moved, *_) = paced.store.read(game_id, paced.game(game_id).version - 1)
    assert (set(paced.game(game_id).pending), instant(moved.at)) == ({1}, at + SLOWEST_BOT)


def test_a_worker_that_ends_makes_the_moves_that_are_due_soon_itself(paced):
    game_id = begin(paced, "random", "random", "me")
    paced.handle(game_id)
    assert paced.worker.held.give_back() == []
    paced.ms += PACE
    paced.worker.held.release()
    assert set(paced.game(game_id).pending) == {1}


@pytest.mark.parametrize("pace", [-1, SLOWEST_BOT + 1])
def test_a_pace_out_of_bounds_is_rejected(house, pace):
    with pytest.raises(InvalidOptions, match="bot_pace"):
        begin(house, "random", "me", "me", bot_pace=pace)


MOST = 100


@pytest.fixture
def limited(house):
    """A worker that keeps the limit on events, by the clock of the test."""
    house.limiter = Limiter(house.client, {"events-written": MOST}, house.store.public_data, lambda: house.ms / 1000)
    house.games, house.worker = house.process()
    return house


def begun(house):
    bots = tuple((seat, "random") for seat in range(3))
    return house.games.create(ADA, spec([False] * 3, sandbox=False, more={"bots": bots}))[0]


def played(house, games):
    """Let the worker go through all games until nothing happens; return how many events they have together."""
    before = -1
    while (now := sum(house.game(game).version for game in games)) > before:
        before = now
        for game in games:
            house.handle(game)
    return now


def test_games_of_bots_alone_wait_while_their_creator_has_no_room(limited):
    games = [begun(limited) for _ in range(3)]
    first = played(limited, games)
    assert MOST <= first < 3 * MOST
    assert not all(limited.game(game).is_over for game in games)
    assert played(limited, games) == first
    limited.ms += 2 * HOUR
    assert played(limited, games) >= first + MOST


def test_the_bots_of_a_game_with_a_player_do_not_wait(limited):
    played(limited, [begun(limited) for _ in range(3)])
    game = limited.begin("me", "random", "random", clock=None)
    while not limited.game(game).pending.keys() & {0}:
        before = limited.game(game).version
        limited.handle(game)
        assert limited.game(game).version > before
