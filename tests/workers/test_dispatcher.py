"""The dispatcher queues every change that leaves work, at least once, whatever is killed; feeds are trimmed."""

import pytest

from service.games.commands import Act, bot_caller
from service.jobs.fair_queue import Job
from service.store.change_feed import DISPATCHERS, ChangeFeed
from service.store.event_store import StoreUnavailable
from service.store.game_index import Priority, Rank
from service.store.shards import shards_of
from tests.workers.places import jobs_in
from workers.dispatcher import Dispatcher
from workers.in_process import LocalQueue


class Noted:
    """A queue that notes what is put into it."""

    def __init__(self):
        self.jobs = []

    def put(self, jobs):
        """Note the jobs."""
        self.jobs += jobs


@pytest.fixture
def feed(client):
    """The feeds, read by the group of dispatchers."""
    feed = ChangeFeed(client, 16, DISPATCHERS, "first")
    feed.join()
    return feed


@pytest.fixture
def queue(client):
    """A queue without workers."""
    return LocalQueue(client)


@pytest.fixture
def dispatcher(feed, queue):
    """A dispatcher."""
    return Dispatcher(feed, queue)


def test_a_change_that_leaves_work_becomes_a_job_and_others_do_not(house, dispatcher, queue):
    waiting = house.begin("random", "me", "me")
    house.begin("me", "me", "me")
    assert dispatcher.pass_on(1) == 2
    assert jobs_in(queue) == [(waiting, house.game(waiting).version)]
    assert dispatcher.pass_on(1) == 0


def test_what_changed_before_there_was_a_dispatcher_is_not_missed(house, client, queue):
    game_id = house.begin("random", "me", "me")
    late = Dispatcher(ChangeFeed(client, 16, DISPATCHERS, "late"), queue)
    late.feed.join()
    late.pass_on(1)
    assert [game for game, _ in jobs_in(queue)] == [game_id]


def test_a_job_says_how_urgent_it_is_and_on_whose_account(house, feed):
    noted = Noted()
    mine, alone = house.begin("random", "me", "me"), house.begin("random", "random")
    Dispatcher(feed, noted).pass_on(1)
    sandbox = Job(mine, house.game(mine).version, Priority(Rank.SPARE, ("pl_ada",)))
    assert sorted(noted.jobs, key=lambda job: job.game_id != mine) == [
        sandbox,
        Job(alone, house.game(alone).version, Priority(Rank.ALONE, ("pl_ada",))),
    ]


@pytest.mark.parametrize(("work", "rank"), [("answer", Rank.URGENT), ("bot", Rank.ALONE)])
def test_a_change_from_before_there_were_owners_becomes_a_job(client, feed, work, rank):
    client.xadd(shards_of(client, 16).of("gm_old").changes, {"g": "gm_old", "v": "7", "w": work})
    noted = Noted()
    Dispatcher(feed, noted).pass_on(1)
    assert noted.jobs == [Job("gm_old", 7, Priority(rank))]


def test_of_a_games_changes_only_the_last_one_becomes_a_job(house, dispatcher, queue):
    game_id = house.begin("random", "random", "random")
    for _ in range(3):
        game = house.game(game_id)
        seat = min(game.pending)
        action = game.ruleset.legal_actions(game.state, seat)[0]
        house.games.do(game_id, Act(caller=bot_caller(seat), seat=seat, action=action))
    dispatcher.pass_on(1)
    assert jobs_in(queue) == [(game_id, house.game(game_id).version)]


def test_a_worker_that_continues_by_itself_leaves_no_work_on_the_way(house, dispatcher, queue, monkeypatch):
    monkeypatch.setattr("workers.turn_worker._MOST_SECONDS", 60)
    game_id = house.begin("random", "random", "me")
    dispatcher.pass_on(1)
    jobs_in(queue)
    house.handle(game_id)
    assert set(house.game(game_id).pending) == {2}
    dispatcher.pass_on(1)
    assert jobs_in(queue) == []


class Killed(Exception):
    """The process ended here."""


class Deadly:
    """A queue at which a dispatcher is killed."""

    def put(self, _jobs):
        """Be the end."""
        raise Killed


def test_what_a_killed_dispatcher_had_taken_is_queued_by_another(house, client, feed, queue):
    game_id = house.begin("random", "me", "me")
    with pytest.raises(Killed):
        Dispatcher(feed, Deadly()).pass_on(1)
    other = ChangeFeed(client, 16, DISPATCHERS, "second")
    other.join()
    assert other.read(1) == []
    (claimed,) = other.claim(idle_ms=0)
    assert (claimed.game_id, claimed.work) == (game_id, "spare pl_ada")
    Dispatcher(other, queue)._done([claimed])
    assert [game for game, _ in jobs_in(queue)] == [game_id]
    assert feed.claim(idle_ms=0) == []


class Away(LocalQueue):
    """A queue that is out of reach for the first job."""

    def __init__(self, client):
        super().__init__(client)
        self._is_away = True

    def put(self, jobs):
        """Take them, the second time."""
        if self._is_away:
            self._is_away = False
            raise StoreUnavailable
        super().put(jobs)


def test_what_was_read_while_the_queue_was_away_is_queued_as_soon_as_it_is_back(house, client, feed):
    queue = Away(client)
    dispatcher = Dispatcher(feed, queue)
    game_id = house.begin("random", "me", "me")
    with pytest.raises(StoreUnavailable):
        dispatcher.run()
    house.begin("me", "me", "me")
    dispatcher.run()
    assert [game for game, _ in jobs_in(queue)] == [game_id]


def test_what_a_living_dispatcher_is_at_is_left_to_it(house, client, feed, queue):
    house.begin("random", "me", "me")
    feed.read(1)
    other = ChangeFeed(client, 16, DISPATCHERS, "second")
    other.join()
    assert Dispatcher(other, queue).take_over() == 0


def test_feeds_are_cut_behind_the_slowest_group(house, client, feed, dispatcher, monkeypatch):
    slow = ChangeFeed(client, 1, "webhooks", "hook")
    one_shard = ChangeFeed(client, 1, DISPATCHERS, "first")
    slow.join()
    one_shard.join()
    (stream,) = (shard.changes for shard in shards_of(client, 1))
    for number in range(400):
        client.xadd(stream, {"g": f"gm_{number}", "v": "1"})
    while changes := one_shard.read(1):
        one_shard.acknowledge(changes)
    one_shard.trim()
    assert client.xlen(stream) == 400, "the slow group has read nothing"
    first = slow.read(1)
    slow.acknowledge(first[:150])
    one_shard.trim()
    left = client.xlen(stream)
    assert 400 - 150 <= left < 400, "cut by whole blocks, behind the first that is not acknowledged"
    while changes := slow.read(1):
        slow.acknowledge(changes)
    slow.acknowledge(first)
    one_shard.trim()
    assert client.xlen(stream) < 150


def test_an_entry_that_was_cut_off_before_it_was_done_does_no_harm(house, client, feed):
    house.begin("random", "me", "me")
    (change,) = feed.read(1)
    client.xdel(change.feed, change.entry)
    assert ChangeFeed(client, 16, DISPATCHERS, "second").claim(idle_ms=0) == []
    feed.trim()
