"""A player hears of a turn if the plan does not take it, and of steps that were dropped; nobody else hears anything."""

import orjson
import pytest

from domain.game.durations import HOUR, SECOND
from service.inbox.notice_log import START, NoticeLog
from service.store.change_feed import NOTIFIERS, ChangeFeed
from service.store.event_store import EventStore
from tests.support.wiring import notifier_on

PASS, NEVER = {"type": "pass"}, {"path": "/version", "op": "lt", "value": 0}


class Listener:
    """A table of four in its first bidding, and what its players hear."""

    def __init__(self, hall, table):
        self.hall, self.table = hall, table
        self.first = table.to_act
        self.second, self.third = (self.first + 1) % 4, (self.first + 2) % 4
        self.log = NoticeLog(hall.server.redis)
        self.notifier = notifier_on(hall.server.redis)

    def plan(self, seat, **plan):
        """Let a seat plan."""
        assert self.table.people[seat].put(f"{self.table.path}/plan", plan).status_code == 200

    def heard(self, seat):
        """List what a seat has heard of since the game began: the kinds, and the versions."""
        while self.notifier.pass_on(1):
            pass
        notices = self.log.read(self.table.people[seat].id, START, 100)
        return [(each.kind, each.version) for each in notices if each.kind != "game_started"]

    def bid(self):
        """Let the first seat bid; return the version then."""
        assert self.table.act(self.first, self.table.legal(self.first)[0]).status_code == 201
        return self.table.version


@pytest.fixture
def listener(hall, table_of):
    return Listener(hall, table_of("le-plateau", 4))


def test_a_turn_that_the_plan_takes_is_no_news_but_the_next_one_is(listener, hall):
    listener.plan(listener.second, steps=[{"action": PASS}])
    version = listener.bid()
    assert listener.heard(listener.second) == []
    hall.work()
    assert listener.heard(listener.second) == []
    assert listener.heard(listener.third) == [("your_turn", listener.table.version)]
    assert listener.table.version > version


def test_steps_that_do_not_fit_are_dropped_with_a_notice_beside_that_of_the_turn(listener, hall):
    listener.plan(listener.second, steps=[{"when": NEVER, "action": PASS}])
    version = listener.bid()
    hall.work()
    for _ in range(3):
        hall.sweep()
    assert listener.heard(listener.second) == [("plan_dropped", version), ("your_turn", version)]
    assert listener.heard(listener.third) == []


def test_each_plan_that_is_dropped_for_a_turn_is_heard_of_once(listener, hall):
    """The second plan is the same as the first, and made at the same version."""
    version = listener.bid()
    feed = ChangeFeed(hall.server.redis, 16, NOTIFIERS, "killed")
    feed.join()
    for _ in range(2):
        listener.plan(listener.second, steps=[{"when": NEVER, "action": PASS}])
        hall.work()
    listener.notifier.handle(feed.read(1))
    listener.notifier.handle(feed.reread())
    assert listener.heard(listener.second) == [("your_turn", version), *[("plan_dropped", version)] * 2]


def test_a_turn_that_the_switch_leaves_is_heard_of_once(listener, hall):
    listener.plan(listener.second, forced=True)
    version = listener.bid()
    reminders, member = hall.store.shard(listener.table.id).reminders, f"{listener.table.id} {listener.second}"

    def heard():
        hall.work()
        own = [each for each in listener.heard(listener.second) if each[0] != "proposal_made"]
        assert own == [("your_turn", version)]
        return hall.server.redis.zscore(reminders, member)

    before = heard()
    hall.advance(HOUR // SECOND)
    pause = {"kind": "pause"}
    assert listener.table.people[listener.first].post(f"{listener.table.path}/proposals", pause).status_code == 201
    assert before is not None
    assert heard() == before
    hall.sweep()
    assert heard() == before


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_turn_whose_plan_is_removed_before_a_worker_sees_it_is_news(listener, hall, monkeypatch, has_begun):
    """Such as on another device; or by a worker that has begun to decide and was overtaken."""
    listener.plan(listener.second, steps=[{"action": PASS}])
    version = listener.bid()

    def remove():
        path = f"{listener.table.path}/plan"
        assert listener.table.people[listener.second].delete(path).status_code == 204

    if has_begun:
        append = EventStore.append
        monkeypatch.setattr(EventStore, "append", lambda store, what: (remove(), append(store, what))[1])
    else:
        remove()
    hall.work()
    assert listener.heard(listener.second) == [("your_turn", version)]
    deadlines = hall.store.shard(listener.table.id).deadlines
    due = hall.server.redis.zscore(deadlines, listener.table.id)
    assert [due] == list(hall.game(listener.table.id).times.until.values())


def test_a_move_by_plan_that_leads_to_the_same_seat_is_news_to_its_player(moment, hall):
    at = moment()
    feed = ChangeFeed(hall.server.redis, 16, NOTIFIERS, "test")
    feed.join()
    at.plan({"action": at.replies[0]})
    at.act()
    hall.work()
    told = [player for change in feed.read(1) for player in _players(change.notices)]
    game = hall.game(at.table.id)
    assert [game.sitters[seat].player for seat in game.waiting_for] == told[-1:]


def _players(notices):
    return [player for _, player, *_ in orjson.loads(notices)[1]]
