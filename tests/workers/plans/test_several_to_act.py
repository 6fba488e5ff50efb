"""Plans of seats that act at the same time: each acts by what its seat sees then, and the others hear nothing of it."""

import pytest

from domain.registry import RULESETS
from service.accounts.players import GUEST_SCOPES, Caller
from service.inbox.notice_log import START, NoticeLog
from service.store.event_store import EventStore
from tests.support import tender_ruleset
from tests.support.games import order, spec, wish
from tests.support.tender_ruleset import Tender
from tests.support.wiring import Games, notifier_on

IF_FIRST = {"path": "/state/tendered/0", "op": "eq", "value": False}


def tender(amount):
    return {"type": "tender", "amount": amount}


class Round:
    """A table of three at which all are to act, in each of ten rounds, and the workers."""

    def __init__(self, hall):
        self.hall = hall
        people = [hall.server.newcomer(f"Player {seat}").id for seat in range(3)]
        self.callers = [Caller(player, frozenset(GUEST_SCOPES)) for player in people]
        self.games = Games(hall.store, hall.now)
        self.id, _ = self.games.create(self.callers[0], spec((False,) * 3, sandbox=False, ruleset="tender", rounds=10))
        for caller in self.callers:
            self.games.join(self.id, caller, wish())

    @property
    def state(self):
        """Return the state of the game."""
        return self.hall.game(self.id).state

    def act(self, seat, amount):
        """Let a player act."""
        self.games.act(self.id, self.callers[seat], order(Tender(amount)))

    def plan(self, seat, *steps, forced=False):
        """Let a player plan."""
        game = self.hall.game(self.id)
        self.games.planning.put(game, self.callers[seat], None, [*steps], forced, lambda *_: None)

    def turns_heard_of(self, seat):
        """List the versions of the turns that a player has heard of."""
        notifier = notifier_on(self.hall.server.redis)
        while notifier.pass_on(1):
            pass
        heard = NoticeLog(self.hall.server.redis).read(self.callers[seat].player, START, 100)
        return [each.version for each in heard if each.kind == "your_turn"]


@pytest.fixture(autouse=True)
def tender_is_played(monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)


@pytest.fixture
def table(hall):
    return Round(hall)


def test_plans_of_all_seats_are_carried_out_round_by_round(hall, table):
    for seat in range(3):
        table.plan(seat, {"action": tender(seat + 1), "then": [{"action": tender(3 - seat)}]})
    hall.work()
    assert table.state.opened == ((1, 2, 3), (3, 2, 1))
    assert table.state.amounts == (None, None, None)


def test_the_second_plan_is_about_the_view_after_the_first_has_acted(hall, table):
    table.plan(0, {"action": tender(1)})
    table.plan(1, {"when": IF_FIRST, "action": tender(3)})
    hall.work()
    assert table.state.amounts == (1, None, None)
    _, _, left = table.games.planning.show(table.id, table.callers[1], None)
    assert not left.steps


def test_a_condition_that_becomes_untrue_is_checked_again(hall, table, monkeypatch):
    table.plan(1, {"when": IF_FIRST, "action": tender(3)}, {"action": tender(1)})
    append, acted = EventStore.append, []

    def meanwhile(self, what):
        if not acted:
            acted.append(True)
            table.act(0, 2)
        return append(self, what)

    with monkeypatch.context() as slow:
        slow.setattr(EventStore, "append", meanwhile)
        hall.work()
    assert table.state.amounts == (2, 1, None)


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("is_removed", [False, True])
def test_what_the_others_hear_of_does_not_depend_on_a_plan(hall, forced, is_removed):
    def heard(plans):
        table = Round(hall)
        table.act(0, 1)
        if plans:
            table.plan(0, {"action": tender(1)}, forced=forced)
        table.act(1, 1)
        table.act(2, 1)
        if is_removed:
            table.games.planning.remove(hall.game(table.id), table.callers[0], None, lambda *_: None)
        hall.work()
        assert (table.state.amounts[0] == 1) == (plans and not is_removed)
        return [table.turns_heard_of(seat) for seat in (1, 2)]

    assert heard(plans=True) == heard(plans=False)


def test_a_switch_that_leaves_a_choice_is_no_work_once_the_others_have_acted(hall, table):
    table.plan(0, forced=True)
    table.plan(1, {"action": tender(2)})
    hall.work()
    assert table.state.amounts == (None, 2, None)
    assert hall.sweep() == 0
