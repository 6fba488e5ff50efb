"""Seeds that nobody opens: the workers go on without them at the time that the table chose, and not before."""

import pytest

from domain.events import Opening
from domain.game.durations import MINUTE, SECOND, moment
from domain.game.seeds import commitment_to
from service.games.commands import Brought, Join, OpenSeed
from service.inbox.notice_log import START as FIRST
from service.inbox.notice_log import NoticeLog
from service.store.priority import Priority, Rank
from tests.support.games import ADA, BOB, spec
from tests.support.wiring import notifier_on
from tests.workers.places import START, three_players


def begun(house, unopened="start", callers=(ADA, BOB)):
    """Begin a game in which two players have committed to seeds, and every seat is taken."""
    more = {"opening": Opening("PT5M", unopened)}
    game_id, _ = house.games.create(callers[0], spec((False, False), sandbox=False, ruleset="plateau", more=more))
    for caller in callers:
        game = house.game(game_id)
        brought = Brought(None, game.head, commitment_to(f"seed of {caller.player}", game_id, caller.player))
        house.games.do(game_id, Join(caller=caller, now=house.ms, brought=brought))
    return game_id


def opened(house, game_id, caller):
    house.games.do(game_id, OpenSeed(caller=caller, seed=f"seed of {caller.player}"))


@pytest.mark.parametrize(("unopened", "status"), [("start", "active"), ("abort", "aborted")])
def test_a_worker_goes_on_without_a_seed_at_its_time_and_not_before(house, unopened, status):
    game_id = begun(house, unopened)
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
    game_id = begun(house)
    shard = house.store.shard(game_id)
    due = [house.client.zscore(key, game_id) for key in (shard.deadlines, shard.second_looks)]
    assert [at - START for at in due if at is not None] == [5 * MINUTE]
    house.ms += SECOND
    opened(house, game_id, ADA)
    assert [house.client.zscore(key, game_id) for key in (shard.deadlines, shard.second_looks)] == due
    assert house.client.hget(shard.priorities, game_id) == str(Priority(Rank.URGENT, ("pl_ada", "pl_bob"))).encode()


def test_a_seed_that_arrives_in_time_counts_although_a_job_is_on_its_way(house):
    game_id = begun(house)
    for caller in (ADA, BOB):
        opened(house, game_id, caller)
    house.ms += 5 * MINUTE
    house.handle(game_id)
    assert house.types(game_id).count("seeds_closed") == 1
    assert None not in house.game(game_id).draws.seeds


def test_a_player_hears_that_their_seed_is_awaited(house):
    notifier, callers = notifier_on(house.client), three_players(house.client)[:2]
    awaited = house.game(begun(house, callers=callers)).awaited
    notifier.pass_on(0)
    mine, others = (NoticeLog(house.client).read(caller.player, FIRST, 10) for caller in callers)
    (notice,) = mine
    assert (notice.kind, notice.data) == ("seeds_awaited", {"seat": 0, "until": moment(awaited.until)})
    assert others == []
