"""A due destination is taken once for the length of its lease, and none that was taken is lost.

The destinations of players: which there are, and how far each has read.
"""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from service.accounts.players import Players
from service.common import wall_clock
from service.notifications.delivery.destinations import ATTEMPTS, PAUSES, Destination, Destinations, pause_after
from service.notifications.delivery.due_destinations import DueDestinations
from service.store import keys
from tests.support.server import wait_until
from tests.support.stores import KINDS, empty_store

client = pytest.fixture(params=KINDS)(empty_store)

HOOK, MAIL = Destination("pl_ada", "webhook", "wh_1"), Destination("pl_ada", "mail")


def now() -> int:
    return int(time.time() * 1000)


@pytest.fixture
def due_destinations(client: redis.Redis) -> DueDestinations:
    return DueDestinations(client)


def test_what_is_due_is_taken_the_longest_due_first(due_destinations: DueDestinations) -> None:
    due_destinations.make_due([MAIL], now() - 1000)
    due_destinations.make_due([HOOK])
    due_destinations.make_due([Destination("pl_bob", "mail")], now() + 60_000)
    assert [each.destination for each in due_destinations.take(10)] == [HOOK, MAIL]
    assert due_destinations.take(10) == []


def test_operators_see_what_is_due_by_kind_what_is_served_and_since_when(due_destinations: DueDestinations) -> None:
    assert due_destinations.waiting() == (0, 0, None)
    assert due_destinations.overdue_kinds(now()) == {"webhook": 0, "mail": 0, "push": 0, "other": 0}
    since = now() - 5000
    due_destinations.make_due([HOOK], since - 1000)
    due_destinations.make_due([MAIL, Destination("pl_bob", "mail")], since)
    due_destinations.make_due([Destination("pl_eve", "push", "ps_1")], now() + 60_000)
    assert due_destinations.overdue_kinds(now()) == {"webhook": 1, "mail": 2, "push": 0, "other": 0}
    assert due_destinations.take(1)[0].destination == HOOK
    assert due_destinations.waiting() == (3, 1, since)


def test_of_very_many_that_are_due_the_later_ones_are_not_told_apart(
    due_destinations: DueDestinations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.notifications.delivery.due_destinations._MOST_TOLD_APART", 2)
    due_destinations.make_due([HOOK], 1)
    due_destinations.make_due([MAIL], 2)
    due_destinations.make_due([Destination("pl_bob", "mail"), Destination("pl_eve", "mail")], 3)
    assert due_destinations.overdue_kinds(now()) == {"webhook": 1, "mail": 1, "push": 0, "other": 2}


def test_no_more_are_taken_than_wanted(due_destinations: DueDestinations) -> None:
    many = [Destination("pl_ada", "webhook", f"wh_{number}") for number in range(5)]
    due_destinations.make_due(many)
    taken = [due_destinations.take(2) for _ in range(4)]
    assert [len(each) for each in taken] == [2, 2, 1, 0]
    assert {each.destination for several in taken for each in several} == set(many)


def test_a_destination_in_service_can_become_due_but_waits_to_be_settled(
    due_destinations: DueDestinations,
) -> None:
    due_destinations.make_due([HOOK])
    (taken,) = due_destinations.take(10)
    due_destinations.make_due([HOOK, MAIL])
    (other,) = due_destinations.take(1)
    assert other.destination == MAIL
    assert due_destinations.take(10) == []
    assert due_destinations.settle(taken, None)
    assert [each.destination for each in due_destinations.take(10)] == [HOOK]


def test_what_is_settled_is_gone_or_due_again_at_the_earliest_time_asked_for(due_destinations: DueDestinations) -> None:
    due_destinations.make_due([HOOK, MAIL])
    hook, mail = due_destinations.take(10)
    due_destinations.make_due([HOOK])
    assert due_destinations.settle(hook, now() + 60_000)
    assert due_destinations.settle(mail, now() + 60_000)
    assert [each.destination for each in due_destinations.take(10)] == [HOOK]
    assert due_destinations.overdue(now() + 120_000) == 1


def test_a_later_time_does_not_delay_what_is_due(due_destinations: DueDestinations) -> None:
    due_destinations.make_due([HOOK])
    due_destinations.make_due([HOOK], now() + 60_000)
    assert len(due_destinations.take(1)) == 1


def test_what_a_killed_courier_held_is_taken_again_and_not_settled_late(client: redis.Redis) -> None:
    hasty, due_destinations = DueDestinations(client, lease_ms=1), DueDestinations(client)
    hasty.make_due([HOOK])
    (lost,) = hasty.take(1)
    due_destinations.make_due([HOOK])
    time.sleep(0.005)
    (taken,) = due_destinations.take(10)
    assert taken.destination == HOOK
    assert not due_destinations.settle(lost, None)
    assert due_destinations.take(10) == []
    assert due_destinations.settle(taken, None)
    assert not due_destinations.settle(taken, None)
    assert client.zcard(keys.OUTBOX) == client.zcard(keys.OUTBOX_LEASES) == 0


def test_nothing_is_made_due_without_a_trip(due_destinations: DueDestinations, client: redis.Redis) -> None:
    client.close()
    due_destinations.make_due([])


def test_of_many_couriers_each_destination_is_with_one_at_a_time(due_destinations: DueDestinations) -> None:
    destinations = [Destination(f"pl_{number}", "mail") for number in range(4)]
    in_service, served = set[Destination](), [0]

    def serve() -> None:
        for _ in range(60):
            for taken in due_destinations.take(2):
                assert taken.destination not in in_service
                in_service.add(taken.destination)
                due_destinations.make_due([taken.destination])
                time.sleep(0)
                in_service.remove(taken.destination)
                assert due_destinations.settle(taken, None)
                served[0] += 1

    due_destinations.make_due(destinations)
    with ThreadPoolExecutor(6) as threads:
        for done in [threads.submit(serve) for _ in range(6)]:
            done.result()
    assert served[0] > 60
    assert {taken.destination for taken in due_destinations.take(10)} == set(destinations)


def test_what_is_due_later_comes_by_itself(due_destinations: DueDestinations) -> None:
    at = now() + 100
    due_destinations.make_due([HOOK], at)
    assert due_destinations.take(1) == []
    wait_until(lambda: due_destinations.take(1), "the destination to be due")
    assert now() >= at


BOBS = Destination("pl_bob", "push", "ps_1")


def add(client: redis.Redis, *destinations: Destination) -> Destinations:
    with client.pipeline(transaction=False) as pipe:
        for destination in destinations:
            Destinations.add(pipe, destination, "7-0")
        pipe.execute()
    return Destinations(client)


def test_the_destinations_of_many_players_come_in_one_trip(client: redis.Redis) -> None:
    destinations = add(client, HOOK, MAIL, BOBS)
    assert set(destinations.of(["pl_ada", "pl_cleo", "pl_bob"])) == {HOOK, MAIL, BOBS}
    assert destinations.of(["pl_cleo"]) == destinations.of([]) == []


def test_a_cursor_moves_on_only_from_where_it_is(client: redis.Redis) -> None:
    destinations = add(client, HOOK)
    assert destinations.advance(HOOK, "7-0", "8-0")
    assert not destinations.advance(HOOK, "7-0", "9-0")
    assert destinations.cursor(HOOK) == "8-0"


def test_a_destination_that_was_removed_has_no_cursor_and_gets_none(client: redis.Redis) -> None:
    destinations = add(client, HOOK, MAIL)
    with client.pipeline(transaction=False) as pipe:
        Destinations.remove(pipe, HOOK)
        pipe.execute()
    assert destinations.cursor(HOOK) is None
    assert not destinations.advance(HOOK, "7-0", "8-0")
    assert destinations.of(["pl_ada"]) == [MAIL]


def test_the_destinations_of_a_deleted_player_are_gone(client: redis.Redis) -> None:
    players = Players(client, wall_clock.now)
    ada = players.create("Ada")[0].id
    destinations = add(client, Destination(ada, "mail"))
    players.delete(ada)
    assert destinations.of([ada]) == []
    assert not client.exists(keys.destinations(ada))
    players.close()


def test_retries_spread_over_a_day_with_growing_pauses() -> None:
    assert sorted(PAUSES) == list(PAUSES)
    assert 23 * 3_600_000 < sum(PAUSES) * 1.01 < 24 * 3_600_000
    for attempts, pause in enumerate(PAUSES, 1):
        found = {pause_after(attempts) for _ in range(50)}
        assert pause <= min(found) < max(found) <= pause * 1.01
    assert pause_after(ATTEMPTS) is None
