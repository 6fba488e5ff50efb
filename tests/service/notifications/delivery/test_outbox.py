"""The outbox: what is due is taken once for the length of its lease, and nothing that was taken is lost."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from service.notifications.delivery.destinations import Outlet
from service.notifications.delivery.due_destinations import Outbox
from service.store import keys
from tests.servers import wait_until
from tests.service import builders
from tests.service.builders import KINDS

client = pytest.fixture(params=KINDS)(builders.empty_store)

HOOK, MAIL = Outlet("pl_ada", "webhook", "wh_1"), Outlet("pl_ada", "mail")


def now() -> int:
    return int(time.time() * 1000)


@pytest.fixture
def outbox(client: redis.Redis) -> Outbox:
    return Outbox(client)


def test_what_is_due_is_taken_the_longest_due_first(outbox: Outbox) -> None:
    outbox.make_due([MAIL], now() - 1000)
    outbox.make_due([HOOK])
    outbox.make_due([Outlet("pl_bob", "mail")], now() + 60_000)
    assert [each.outlet for each in outbox.take(10)] == [HOOK, MAIL]
    assert outbox.take(10) == []


def test_operators_see_what_is_due_by_kind_what_is_served_and_since_when(outbox: Outbox) -> None:
    assert outbox.waiting() == (0, 0, None)
    assert outbox.overdue_kinds(now()) == {"webhook": 0, "mail": 0, "push": 0, "other": 0}
    since = now() - 5000
    outbox.make_due([HOOK], since - 1000)
    outbox.make_due([MAIL, Outlet("pl_bob", "mail")], since)
    outbox.make_due([Outlet("pl_eve", "push", "ps_1")], now() + 60_000)
    assert outbox.overdue_kinds(now()) == {"webhook": 1, "mail": 2, "push": 0, "other": 0}
    assert outbox.take(1)[0].outlet == HOOK
    assert outbox.waiting() == (3, 1, since)


def test_of_very_many_that_are_due_the_later_ones_are_not_told_apart(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.notifications.delivery.due_destinations._MOST_TOLD_APART", 2)
    outbox.make_due([HOOK], 1)
    outbox.make_due([MAIL], 2)
    outbox.make_due([Outlet("pl_bob", "mail"), Outlet("pl_eve", "mail")], 3)
    assert outbox.overdue_kinds(now()) == {"webhook": 1, "mail": 1, "push": 0, "other": 2}


def test_no_more_are_taken_than_wanted(outbox: Outbox) -> None:
    many = [Outlet("pl_ada", "webhook", f"wh_{number}") for number in range(5)]
    outbox.make_due(many)
    taken = [outbox.take(2) for _ in range(4)]
    assert [len(each) for each in taken] == [2, 2, 1, 0]
    assert {each.outlet for several in taken for each in several} == set(many)


def test_an_outlet_in_service_can_become_due_and_is_not_taken_before_it_is_settled(outbox: Outbox) -> None:
    outbox.make_due([HOOK])
    (taken,) = outbox.take(10)
    outbox.make_due([HOOK, MAIL])
    (other,) = outbox.take(1)
    assert other.outlet == MAIL
    assert outbox.take(10) == []
    assert outbox.settle(taken, None)
    assert [each.outlet for each in outbox.take(10)] == [HOOK]


def test_what_is_settled_is_gone_or_due_again_at_the_earliest_time_asked_for(outbox: Outbox) -> None:
    outbox.make_due([HOOK, MAIL])
    hook, mail = outbox.take(10)
    outbox.make_due([HOOK])
    assert outbox.settle(hook, now() + 60_000)
    assert outbox.settle(mail, now() + 60_000)
    assert [each.outlet for each in outbox.take(10)] == [HOOK]
    assert outbox.overdue(now() + 120_000) == 1


def test_a_later_time_does_not_delay_what_is_due(outbox: Outbox) -> None:
    outbox.make_due([HOOK])
    outbox.make_due([HOOK], now() + 60_000)
    assert len(outbox.take(1)) == 1


def test_what_a_killed_courier_held_is_taken_again_and_the_late_one_settles_nothing(client: redis.Redis) -> None:
    hasty, outbox = Outbox(client, lease_ms=1), Outbox(client)
    hasty.make_due([HOOK])
    (lost,) = hasty.take(1)
    outbox.make_due([HOOK])
    time.sleep(0.005)
    (taken,) = outbox.take(10)
    assert taken.outlet == HOOK
    assert not outbox.settle(lost, None)
    assert outbox.take(10) == []
    assert outbox.settle(taken, None)
    assert not outbox.settle(taken, None)
    assert client.zcard(keys.OUTBOX) == client.zcard(keys.OUTBOX_LEASES) == 0


def test_nothing_is_made_due_without_a_trip(outbox: Outbox, client: redis.Redis) -> None:
    client.close()
    outbox.make_due([])


def test_of_many_couriers_each_outlet_is_with_one_at_a_time(outbox: Outbox) -> None:
    outlets = [Outlet(f"pl_{number}", "mail") for number in range(4)]
    in_service, served = set[Outlet](), [0]

    def serve() -> None:
        for _ in range(60):
            for taken in outbox.take(2):
                assert taken.outlet not in in_service
                in_service.add(taken.outlet)
                outbox.make_due([taken.outlet])
                time.sleep(0)
                in_service.remove(taken.outlet)
                assert outbox.settle(taken, None)
                served[0] += 1

    outbox.make_due(outlets)
    with ThreadPoolExecutor(6) as threads:
        for done in [threads.submit(serve) for _ in range(6)]:
            done.result()
    assert served[0] > 60
    assert {taken.outlet for taken in outbox.take(10)} == set(outlets)


def test_what_is_due_later_comes_by_itself(outbox: Outbox) -> None:
    at = now() + 100
    outbox.make_due([HOOK], at)
    assert outbox.take(1) == []
    wait_until(lambda: outbox.take(1), "the outlet to be due")
    assert now() >= at
