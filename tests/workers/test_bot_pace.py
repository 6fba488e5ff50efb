"""Bots wait before they move while a player is at the table; no worker waits, and no move is lost."""

import pytest

from domain.errors import InvalidOptions
from domain.events import Clock
from domain.game.durations import DAY, MINUTE, instant
from domain.game.seating import SLOWEST_BOT
from domain.game.timeouts import Patience
from domain.le_plateau.actions import Pass
from tests.service.builders import ADA, order, spec

PACE = 700
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
    more = {"bots": bots, "clock": clock, "bot_pace": bot_pace}
    mine = tuple(name == "me" for name in seats)
    wanted = spec(mine, sandbox=sum(mine) > 1, more=more, first_dealer=len(seats) - 1)
    return house.games.create(ADA, wanted)[0]


def waits(house, game_id):
    """Return for how many ms a game is let be after its last event, and whether a job is queued for it at once."""
    shard, game = house.store.shard(game_id), house.game(game_id)
    due = house.client.zscore(shard.deadlines, game_id) or house.client.zscore(shard.second_looks, game_id)
    last = house.client.xrevrange(shard.changes, count=1)[0][1]
    return (None if due is None else due - instant(game.at)), b"w" in last


def test_bots_wait_after_each_move_while_a_player_is_at_the_table(paced):
    game_id = begin(paced, "random", "random", "me")
    assert waits(paced, game_id) == (PACE, False)
    paced.handle(game_id)
    assert set(paced.game(game_id).pending) == {1}
    assert waits(paced, game_id) == (PACE, False)
    paced.handle(game_id)
    assert set(paced.game(game_id).pending) == {2}
    assert waits(paced, game_id) == (None, False)


def test_a_bot_waits_after_a_player_has_moved(paced):
    game_id = begin(paced, "me", "random", "random")
    paced.games.act(game_id, ADA, order(Pass(), seat=0))
    assert waits(paced, game_id) == (PACE, False)


def test_bots_alone_do_not_wait(paced):
    game_id = begin(paced, "random", "random", "random")
    assert waits(paced, game_id) == (paced.patience.bot, True)


def test_bots_do_not_wait_for_players_who_are_away(paced):
    game_id = begin(paced, "me", "random", "random", clock=PER_MINUTE)
    paced.ms += MINUTE
    paced.handle(game_id)
    assert "turn_timed_out" in paced.types(game_id)
    assert waits(paced, game_id) == (paced.patience.bot, True)


@pytest.mark.parametrize(("chosen", "wait"), [(2000, (2000, False)), (SLOWEST_BOT, (SLOWEST_BOT, False))])
def test_the_table_chooses_the_pace(paced, chosen, wait):
    assert waits(paced, begin(paced, "random", "me", "me", bot_pace=chosen)) == wait


def test_a_table_can_choose_not_to_wait(paced):
    game_id = begin(paced, "random", "random", "me", bot_pace=0)
    assert waits(paced, game_id) == (paced.patience.bot, True)


def test_a_table_can_choose_to_wait_where_the_service_does_not(house):
    assert waits(house, begin(house, "random", "random", "me")) == (house.patience.bot, True)
    assert waits(house, begin(house, "random", "random", "me", bot_pace=PACE)) == (PACE, False)


def test_what_is_due_is_found_by_the_sweep_and_again_if_its_worker_dies(paced):
    game_id = begin(paced, "random", "me", "me")
    found = paced.deadlines.take(10)
    assert [due.game_id for due in found] == [game_id]
    assert paced.deadlines.take(10) == []  # leased
    paced.client.zadd(paced.store.shard(game_id).deadlines, {game_id: 1})  # as once the lease is over
    assert paced.deadlines.take(10) == found
    paced.worker.handle(game_id, None)
    assert set(paced.game(game_id).pending) == {1}


@pytest.mark.parametrize("pace", [-1, SLOWEST_BOT + 1, True, "700", 0.5])
def test_a_pace_out_of_bounds_is_rejected(house, pace):
    with pytest.raises(InvalidOptions, match="bot_pace"):
        begin(house, "random", "me", "me", bot_pace=pace)


def test_a_log_says_the_pace_that_the_table_chose_and_nothing_otherwise(house):
    chose, did_not = (begin(house, "random", "me", "me", bot_pace=pace) for pace in (PACE, None))
    created = [house.store.read(game_id)[0].data for game_id in (chose, did_not)]
    assert [data.get("bot_pace", "none") for data in created] == [PACE, "none"]
    assert house.process()[0].current(chose).bot_pace == PACE
