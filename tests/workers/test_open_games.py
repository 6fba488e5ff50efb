"""Open games that nobody plays end by the workers' hand, on every kind of store, by a clock that the test moves."""

import time

import orjson
import pytest

from domain.game.durations import DAY, HOUR, instant
from domain.game.timeouts import Patience
from service.games.commands import PutBot
from service.games.indexing import postpone
from service.store.game_index import member_of
from service.store.game_lists import GameLists, Part
from service.store.priority import Priority, Rank
from tests.support.games import ADA, BOB, body, spec, wish
from tests.workers.places import START, deadline, jobs_in
from workers.dispatcher import Sweeper
from workers.in_process import LocalQueue


@pytest.fixture
def open_game(house):
    """An open game in which Ada has a seat."""
    return house.begin("me", None, None)


def leave(house, game_id):
    house.games.leave(game_id, ADA, 0)


def test_the_deadline_of_an_open_game_stands_in_the_store_and_follows_its_seats(house, open_game):
    assert deadline(house, open_game) == {"deadlines": 14 * DAY}
    house.ms = START + HOUR
    house.games.join(open_game, BOB, wish())
    assert deadline(house, open_game) == {"deadlines": HOUR + 14 * DAY}
    house.games.leave(open_game, BOB, 1)
    leave(house, open_game)
    assert deadline(house, open_game) == {"second_looks": HOUR + DAY}


def test_a_game_without_a_player_is_behind_all_others(house, open_game):
    shard = house.store.shard(open_game)
    assert house.client.hget(shard.priorities, open_game) == str(Priority(Rank.SPARE, ("pl_ada",))).encode()
    leave(house, open_game)
    assert house.client.hget(shard.priorities, open_game) == str(Priority(Rank.ALONE, ("pl_ada",))).encode()


@pytest.mark.parametrize(("left", "wait", "reason"), [(False, 14 * DAY, "expired"), (True, DAY, "abandoned")])
def test_a_worker_ends_a_game_at_its_time_and_not_before(house, open_game, left, wait, reason):
    if left:
        leave(house, open_game)
    house.ms = START + wait - 1
    house.handle(open_game)
    assert house.game(open_game).status == "open"
    house.ms += 1
    for worker in (house.worker, house.process()[1]) * 2:
        worker.handle(open_game, None)
    game = house.game(open_game)
    assert (game.status, game.aborted_because, instant(game.at)) == ("aborted", reason, START + wait)
    assert house.types(open_game).count("game_aborted") == 1
    assert deadline(house, open_game) == {}
    assert house.counted("open_games_ended") == 1


def test_the_sweeper_finds_a_game_whose_time_is_over(house):
    house.ms = int(time.time() * 1000) - 14 * DAY - 1000
    game_id = house.begin("me", None)
    house.ms += DAY
    younger = house.begin("me", None)
    house.ms = int(time.time() * 1000)
    queue = LocalQueue(house.client)
    assert Sweeper(house.deadlines, queue, house.heartbeat).sweep() == 1
    for job in jobs_in(queue):
        house.worker.handle(*job)
    assert [house.game(each).status for each in (game_id, younger)] == ["aborted", "open"]


def test_a_job_that_is_late_does_not_end_a_game_that_somebody_joined_meanwhile(house, open_game):
    house.ms = START + 14 * DAY - 1
    house.process()[0].join(open_game, BOB, wish())
    house.ms += 2
    house.handle(open_game)
    assert house.game(open_game).status == "open"
    assert deadline(house, open_game) == {"deadlines": 28 * DAY - 1}


def test_a_game_that_starts_has_the_deadlines_of_a_game_that_runs(house, open_game):
    for seat in (1, 2):
        house.games.do(open_game, PutBot(now=house.ms, caller=ADA, seat=seat, bot="random"))
    assert house.game(open_game).status == "active"
    (at,) = deadline(house, open_game).values()
    assert at <= 3 * DAY


@pytest.mark.parametrize(("patience", "moved"), [(Patience(open_game=30 * DAY), 30 * DAY), (Patience(), None)])
def test_a_longer_time_or_none_holds_for_games_that_were_open_before(house, open_game, patience, moved):
    house.patience = patience
    house.ms = START + 14 * DAY
    later = house.process()[1]
    before = house.store.read(open_game)
    house.client.zadd(house.store.shard(open_game).deadlines, {open_game: 1})
    later.handle(open_game, None)
    assert deadline(house, open_game) == ({} if moved is None else {"deadlines": moved})
    assert house.store.read(open_game) == before


def test_a_deadline_is_not_moved_on_under_a_game_that_has_changed(house, open_game):
    house.patience = Patience()
    patient = house.process()[0]
    game = patient.current(open_game)
    house.games.do(open_game, PutBot(now=house.ms, caller=ADA, seat=1, bot="random"))
    before = deadline(house, open_game)
    postpone(patient.repository, game, house.patience)
    assert deadline(house, open_game) == before != {}


def test_a_game_from_before_there_were_deadlines_gets_one_when_a_seat_changes(house):
    house.patience = Patience()
    game_id = house.process()[0].create(ADA, spec([True, False, False], sandbox=False), None)[0]
    assert deadline(house, game_id) == {}
    house.games.join(game_id, BOB, wish())
    assert deadline(house, game_id) == {"deadlines": 14 * DAY}


def test_the_lists_let_go_of_a_game_that_has_ended(house, open_game):
    house.ms = START + 14 * DAY
    house.handle(open_game)
    lists = GameLists(house.store)
    assert lists.public(["open"], ["le-plateau"], Part()).games == []
    assert lists.of_player("pl_ada", Part()).games == []
    (ended,) = lists.public(["aborted"], ["le-plateau"], Part()).games
    assert ended.member == member_of(house.game(open_game).created_at, open_game)
    assert orjson.loads(ended.summary)["status"] == "aborted"


def test_the_creation_of_a_game_shows_when_it_ends(house):
    _, created = house.games.create(ADA, spec([True, False], sandbox=False), None)
    assert instant(body(created)["expires_at"]) == START + 14 * DAY
    _, started = house.games.create(ADA, spec([True, True]), None)
    assert body(started)["expires_at"] is None
