"""The sweeper: what is due becomes a job, comes back until it is done, and waits while no player can act."""

import time

import pytest
import redis

from domain.events import Clock as Rule
from service.games.commands import PutBot
from service.jobs.fair_queue import Job
from service.store import keys
from service.store.deadlines import Due
from service.store.event_store import StoreUnavailable
from service.store.game_index import Priority, Rank
from service.store.heartbeat import Heartbeat
from tests.support.games import ADA
from tests.workers.places import jobs_in
from workers.dispatcher import Sweeper
from workers.in_process import LocalQueue


@pytest.fixture
def queue(client):
    """A queue without workers."""
    return LocalQueue(client)


@pytest.fixture
def clock(house, queue):
    """The clock of the house."""
    return Sweeper(house.deadlines, queue, house.heartbeat)


@pytest.fixture
def late(house):
    """A game whose first turn has timed out, by the clock of the store as well."""
    house.ms = int(time.time() * 1000) - 10_000
    game_id = house.begin("me", "me", "me", clock=Rule("PT5S", None, None, "bot", "random"))
    house.ms += 10_000
    return game_id


def score(house, game_id):
    return house.client.zscore(house.store.shard(game_id).deadlines, game_id)


def test_what_is_due_becomes_a_job_once_for_the_length_of_the_lease(house, clock, queue, late):
    house.ms -= 1000
    house.begin("me", "me", "me")
    assert clock.sweep() == 1
    assert jobs_in(queue) == [(late, None)]
    assert score(house, late) == pytest.approx(time.time() * 1000 + 12_000, abs=30_000)
    assert clock.sweep() == 0
    house.client.zadd(house.store.shard(late).deadlines, {late: 1})  # as once the lease is over
    assert clock.sweep() == 1
    assert jobs_in(queue) == [(late, None)]


def test_a_move_of_a_bot_that_got_lost_is_found(house, clock, queue):
    house.ms = int(time.time() * 1000) - 12_000
    game_id = house.begin("random", "me", "me")
    assert clock.sweep() == 1
    assert jobs_in(queue) == [(game_id, None)]


def test_every_deadline_fires_once_after_all_workers_were_down(house, clock, queue):
    house.ms = int(time.time() * 1000) - 3600_000
    games = [house.begin("me", "me", clock=Rule("PT1M", None, None, "bot", "random")) for _ in range(5)]
    house.ms = int(time.time() * 1000)
    while clock.sweep():
        for job in jobs_in(queue):
            house.worker.handle(*job)
    assert [house.types(game_id).count("turn_timed_out") for game_id in games] == [1] * 5
    assert [score(house, game_id) for game_id in games] == [house.ms + 60_000] * 5


def test_nothing_is_taken_while_no_web_process_serves(house, clock, late):
    house.client.set(keys.HEARTBEAT, int(time.time() * 1000) - 16_000)
    assert clock.sweep() == 0
    house.heartbeat.beat()
    assert clock.sweep() == 1


def test_games_of_bots_alone_are_queued_behind_whatever_waits(house, clock, queue):
    house.ms = int(time.time() * 1000) - 12_000
    game_id = house.begin("random", "random", "random")
    queue.put([Job(f"gm_{number}", 1, Priority(Rank.SPARE, ("pl_eve",))) for number in range(3)])
    assert clock.sweep() == 1
    assert [game for game, _ in jobs_in(queue)] == ["gm_0", "gm_1", "gm_2", game_id]


def test_a_deadline_from_before_there_were_priorities_is_taken(house, clock, queue, late):
    shard = house.store.shard(late)
    assert house.client.hget(shard.priorities, late) == b"spare pl_ada"
    house.client.delete(shard.priorities)
    assert clock.sweep() == 1
    assert jobs_in(queue) == [(late, None)]


def test_a_game_whose_last_player_makes_room_for_a_bot_is_one_of_bots_alone(house, late):
    for seat in range(3):
        house.games.do(late, PutBot(now=house.ms, caller=ADA, seat=seat, bot="random"))
    shard = house.store.shard(late)
    assert house.client.zcard(shard.deadlines) == 0
    assert house.client.zscore(shard.second_looks, late) == house.ms + 12_000
    house.client.zadd(shard.second_looks, {late: 1})
    assert house.deadlines.take(100) == [Due(late, Priority(Rank.ALONE, (ADA.player,)))]


def test_a_deadline_of_a_game_that_there_is_not_is_forgotten(house, clock, queue):
    shard = keys.Shard(3)
    house.client.zadd(shard.deadlines, {"gm_none": 1})
    assert clock.sweep() == 0
    assert house.client.zcard(shard.deadlines) == 0


def test_overdue_games_with_players_are_counted(house, clock, late):
    assert house.deadlines.overdue(house.ms) == 1
    clock.sweep()
    assert house.deadlines.overdue(house.ms) == 0
    house.begin("random", "random")
    assert house.deadlines.overdue(house.ms + 60_000) == 1


# -- the heartbeat ------------------------------------------------------------------------------------------------


def test_a_beat_after_more_than_a_minute_of_silence_records_a_downtime(house):
    began = int(time.time() * 1000) - 90_000
    house.client.set(keys.HEARTBEAT, began)
    assert house.heartbeat.silence() >= 90_000
    assert house.heartbeat.downtimes() == ()
    house.heartbeat.beat()
    ((since, until),) = house.heartbeat.downtimes()
    assert since == began
    assert until == pytest.approx(time.time() * 1000, abs=30_000)
    assert house.heartbeat.silence() < 30_000
    house.heartbeat.beat()
    assert house.heartbeat.downtimes() == ((since, until),)


def test_a_minute_of_silence_or_less_is_none(house):
    assert house.heartbeat.silence() == 0, "where no web process ever served, nothing is held back"
    house.heartbeat.beat()
    assert house.heartbeat.downtimes() == ()
    house.client.set(keys.HEARTBEAT, int(time.time() * 1000) - 30_000)
    house.heartbeat.beat()
    assert house.heartbeat.downtimes() == ()


def test_only_the_last_downtimes_are_remembered(house):
    for number in range(1, 121):
        house.client.zadd(keys.DOWNTIMES, {f"{number}-{number + 1}": number + 1})
    house.client.set(keys.HEARTBEAT, int(time.time() * 1000) - 90_000)
    house.heartbeat.beat()
    assert len(house.heartbeat.downtimes()) == 100


def test_what_was_heard_holds_for_a_while_after_the_last_beat(house):
    seconds = [1000.0]
    heartbeat = Heartbeat(house.client, now=lambda: seconds[0])
    house.client.set(keys.HEARTBEAT, int(time.time() * 1000))
    assert heartbeat.downtimes() == ()
    house.client.zadd(keys.DOWNTIMES, {"1-2": 2})
    seconds[0] += 14
    assert heartbeat.downtimes() == ()
    seconds[0] += 2
    assert heartbeat.downtimes() == ((1, 2),)


def test_a_web_process_that_asks_after_an_outage_ends_it(house):
    seconds = [1000.0]
    heartbeat = Heartbeat(house.client, serves=True, now=lambda: seconds[0])
    heartbeat.beat()
    house.client.set(keys.HEARTBEAT, int(time.time() * 1000) - 66_000)
    seconds[0] += 66
    ((since, until),) = heartbeat.downtimes()
    assert until - since == pytest.approx(66_000, abs=30_000)
    assert house.heartbeat.silence() < 30_000


def test_what_was_heard_before_the_wall_clock_was_set_back_does_not_hold(house):
    seconds = [1_000_000.0]
    heartbeat = Heartbeat(house.client, now=lambda: seconds[0])
    heartbeat.silence()
    house.client.zadd(keys.DOWNTIMES, {"1-2": 2})
    seconds[0] -= 3600
    assert heartbeat.downtimes() == ((1, 2),)


def test_who_cannot_ask_does_not_go_by_what_was_heard_long_ago(house, monkeypatch):
    seconds = [1000.0]
    heartbeat = Heartbeat(house.client, now=lambda: seconds[0])
    heartbeat.silence()
    seconds[0] += 66
    with monkeypatch.context() as away:
        away.setattr(heartbeat, "_script", refuse)
        with pytest.raises(StoreUnavailable):
            heartbeat.downtimes()
    house.client.zadd(keys.DOWNTIMES, {"1-2": 2})
    assert heartbeat.downtimes() == ((1, 2),)


def refuse(**_):
    raise redis.ConnectionError("Connection refused")
