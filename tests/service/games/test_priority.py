"""How games stand in the line for workers: on whose account, and how urgent; and what of it is written."""

import pytest

from domain.game import timeouts
from domain.game.durations import HOUR, SECOND
from domain.le_plateau.actions import Pass
from service.games.commit import priority_of
from service.store.priority import Priority, Rank, read
from tests.support.timed_games import Played, clock

RULE = clock(per_move="PT1M")


def test_work_can_be_done_on_the_account_of_each_player_who_waits_for_it():
    assert priority_of(Played(RULE).game) == Priority(Rank.URGENT, ("pl_b", "pl_c"))


def test_what_nobody_waits_for_is_on_the_creators_account_and_in_spare_time():
    sandbox = Played(RULE, "pl_b", "pl_b", "pl_b", sandbox=True).game
    assert priority_of(sandbox) == Priority(Rank.SPARE, ("pl_a",))


def test_a_table_that_all_have_left_is_seen_to_in_spare_time_until_one_is_back():
    played = Played(RULE)
    for hours in (1, 2, 3):
        (seat,) = played.game.pending
        played.then(hours * HOUR, timeouts.act_late(played.game, seat, "random", Pass()))
    assert priority_of(played.game) == Priority(Rank.SPARE, ("pl_a",))
    played.passes(3 * HOUR + SECOND)
    assert priority_of(played.game).rank == Rank.URGENT


def test_bots_alone_come_last_and_are_on_the_creators_account():
    bots = tuple((seat, "random") for seat in range(3))
    assert priority_of(Played(None, None, None, None, bots=bots).game) == Priority(Rank.ALONE, ("pl_a",))


@pytest.mark.parametrize(
    "each", [Priority(rank, owners) for rank in Rank for owners in ((), ("pl_a",), ("pl_a", "pl_b"))]
)
def test_a_priority_is_read_as_it_was_written(each):
    assert read(str(each)) == each


def test_the_words_that_stand_in_stores_stay():
    assert [str(rank) for rank in Rank] == ["answer", "spare", "bot"]
    assert (read("answer"), read("bot")) == (Priority(Rank.URGENT), Priority(Rank.ALONE))
    assert (read("spare "), read("answer pl_x")) == (Priority(Rank.SPARE), Priority(Rank.URGENT, ("pl_x",)))
