"""Open games that nobody plays end by the workers' hand, on every kind of store, by a clock that the test moves.

Games in play that are left end by the workers' hand, on every kind of store, by a clock of the test.
Seeds that nobody opens: the workers continue without them at the time that the table chose, and not before.
"""

import time

import orjson
import pytest

from domain.events import Opening
from domain.game.durations import DAY, HOUR, MINUTE, SECOND, instant, moment
from domain.game.seeds import commitment_to
from domain.game.timeouts import Patience
from domain.le_plateau.actions import Pass
from service.games.commands import Brought, Join, OpenSeed, PutBot
from service.games.indexing import postpone
from service.games.plans.planning import Planning
from service.games.projections.representations import game_at_version
from service.inbox.notice_log import START as FIRST
from service.inbox.notice_log import NoticeLog
from service.store.game_index import Priority, Rank, member_of
from service.store.game_lists import GameLists, Part
from tests.support.games import ADA, BOB, body, order, spec, wish
from tests.support.wiring import notifier_on
from tests.workers.places import START, deadline, jobs_in, three_players
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


def test_a_job_that_is_late_does_not_end_a_game_that_somebody_joined(house, open_game):
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


def begun_with_seeds(house, unopened="start", callers=(ADA, BOB)):
    """Begin a game in which two players have committed to seeds, and every seat is taken."""
    more = {"opening": Opening("PT5M", unopened)}
    game_id, _ = house.games.create(callers[0], spec((False, False), sandbox=False, ruleset="plateau", more=more))
    for caller in callers:
        game = house.game(game_id)
        brought = Brought(None, game.head, commitment_to(f"seed of {caller.player}", game_id, caller.player))
        house.games.do(game_id, Join(caller=caller, now=house.ms, brought=brought))
    return game_id


def opened(house, game_id, caller):
    house.games.do(game_id, OpenSeed(caller=caller, client_seed=f"seed of {caller.player}"))


@pytest.mark.parametrize(("unopened", "status"), [("start", "active"), ("abort", "aborted")])
def test_a_worker_continues_without_a_seed_at_its_time_and_not_before(house, unopened, status):
    game_id = begun_with_seeds(house, unopened)
    opened(house, game_id, BOB)
    house.ms = START + 5 * MINUTE - 1
    house.handle(game_id)
    assert house.game(game_id).status == "open"
    house.ms += 1
    for _ in range(2):
        house.handle(game_id)
    game = house.game(game_id)
    assert (game.status, game.draws.seeds) == (status, (None, "seed of pl_bob"))
    assert house.types(game_id).count("seeds_closed") == 1
    assert house.counted("seeds_closed") == 1


def test_the_deadline_stands_in_the_store_and_does_not_move_with_an_opening(house):
    game_id = begun_with_seeds(house)
    shard = house.store.shard(game_id)
    due = [house.client.zscore(key, game_id) for key in (shard.deadlines, shard.second_looks)]
    assert [at - START for at in due if at is not None] == [5 * MINUTE]
    house.ms += SECOND
    opened(house, game_id, ADA)
    assert [house.client.zscore(key, game_id) for key in (shard.deadlines, shard.second_looks)] == due
    assert house.client.hget(shard.priorities, game_id) == str(Priority(Rank.URGENT, ("pl_ada", "pl_bob"))).encode()


def test_a_seed_that_arrives_in_time_counts_although_a_job_is_on_its_way(house):
    game_id = begun_with_seeds(house)
    for caller in (ADA, BOB):
        opened(house, game_id, caller)
    house.ms += 5 * MINUTE
    house.handle(game_id)
    assert house.types(game_id).count("seeds_closed") == 1
    assert None not in house.game(game_id).draws.seeds


def test_a_player_hears_that_their_seed_is_awaited(house):
    notifier, callers = notifier_on(house.client), three_players(house.client)[:2]
    awaited = house.game(begun_with_seeds(house, callers=callers)).awaited
    notifier.pass_on(0)
    mine, others = (NoticeLog(house.client).read(caller.player, FIRST, 10) for caller in callers)
    (notice,) = mine
    assert (notice.kind, notice.data) == ("seeds_awaited", {"seat": 0, "until": moment(awaited.until)})
    assert others == []
