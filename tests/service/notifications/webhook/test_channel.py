"""Webhooks beside what every channel promises: signatures, a log of deliveries, repetition, limits, deletion."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise

import pytest
import redis
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from domain.game.durations import DAY, SECOND
from service.common.errors import NotFound
from service.common.observability import METRICS
from service.notifications.delivery.destinations import ATTEMPTS, PAUSES
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.webhook.channel import MOST_PENDING, WebhookChannel
from service.notifications.webhook.deliveries import MOST_KEPT
from service.notifications.webhook.webhook import Webhook
from service.store import keys
from tests.service.notifications.webhook.conftest import House
from tests.support.stores import everything
from tests.support.webhook_receiver import Received, Receiver


def verified(secret: str, received: Received) -> object:
    """Verify a message as a receiver does, with the public package."""
    return Verifier(secret).verify(received.body, dict(received.headers))


def while_it_responds(receiver: Receiver, act: Callable[[], object]) -> None:
    """Do something once, between a request and its response."""

    def once() -> None:
        receiver.meanwhile = lambda: None
        act()

    receiver.meanwhile = once


def test_a_notice_arrives_signed_and_thin(house: House, receiver: Receiver, hook: Webhook) -> None:
    house.ms = int(time.time() * SECOND)
    house.note("your_turn", seat=2)
    assert house.serve(hook) is None
    (received,) = receiver.received
    at = datetime.fromtimestamp(house.ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    expected = {"type": "your_turn", "timestamp": at, "data": {"game_id": "gm_1", "version": 1, "seat": 2}}
    assert received.json == verified(hook.secret, received) == expected
    assert received.headers["webhook-id"].startswith("msg_")
    assert received.headers["content-type"] == "application/json"
    assert house.log(hook) == {1: ("delivered", [204])}


def test_webhooks_of_a_player_are_served_each_by_itself(house: House, receiver: Receiver) -> None:
    first, second = (house.tending.create(house.ada, f"{receiver.url}/{name}", None) for name in "ab")
    house.note("your_turn")
    house.note("invited", player=house.bob)
    assert (house.serve(first), house.serve(second)) == (None, None)
    assert [each.path for each in receiver.received] == ["/hook/a", "/hook/b"]
    assert receiver.ids[0] != receiver.ids[1]
    assert house.log(first) == house.log(second) == {1: ("delivered", [204])}


# -- secrets -------------------------------------------------------------------------------------------------------


def test_for_a_day_after_a_rotation_both_secrets_verify(house: House, receiver: Receiver, hook: Webhook) -> None:
    house.ms = int(time.time() * SECOND)
    secrets = [hook.secret]
    for _ in range(2):
        secrets.append(house.tending.rotate(house.ada, hook.id).secret)
        house.note("your_turn")
        house.serve(hook)
        for secret in secrets[-2:]:
            verified(secret, receiver.received[-1])
    with pytest.raises(WebhookVerificationError):
        verified(hook.secret, receiver.received[-1])
    house.ms += DAY
    house.note("your_turn")
    house.serve(hook)
    headers = receiver.received[-1].headers
    assert len(headers["webhook-signature"].split()) == 1
    assert int(headers["webhook-timestamp"]) == house.ms // 1000


def test_secrets_are_long_and_never_shown_by_mistake(house: House, hook: Webhook) -> None:
    other = house.tending.create(house.ada, "https://ada.example/", None)
    assert other.secret != hook.secret
    for each in (hook, other):
        assert each.secret.startswith("whsec_")
        assert len(each.secret) == 50
        assert each.secret not in repr(each)


# -- failures ------------------------------------------------------------------------------------------------------


def test_a_message_is_tried_nine_times_with_the_same_id(house: House, receiver: Receiver, hook: Webhook) -> None:
    receiver.status = 500
    house.note("your_turn")
    times = [house.ms]
    while (again := house.serve(hook)) is not None:
        times.append(again)
        assert house.log(hook)[1][0] == "pending"
        house.ms = again
    assert len(times) == len(receiver.received) == ATTEMPTS == 9
    for (before, after), pause in zip(pairwise(times), PAUSES, strict=True):
        assert pause <= after - before <= pause * 1.02
    assert len(set(receiver.ids)) == 1
    assert house.log(hook) == {1: ("failed", [500] * 9)}


def test_a_message_that_fails_delays_no_other(house: House, receiver: Receiver, hook: Webhook) -> None:
    receiver.status = 500
    house.note("your_turn")
    house.serve(hook)
    receiver.status = 204
    house.note("invited")
    assert house.serve(hook) is not None
    assert house.log(hook) == {1: ("pending", [500]), 2: ("delivered", [204])}
    house.ms += 6 * SECOND
    assert house.serve(hook) is None
    assert house.log(hook)[1] == ("delivered", [500, 204])


def test_a_receiver_that_does_not_respond_ends_the_turn(house: House, receiver: Receiver, hook: Webhook) -> None:
    house.channel.attempt_seconds = 0.1
    receiver.pause = 0.5
    house.note("your_turn", "invited", "game_ended")
    began = time.monotonic()
    for tried in (1, 2, 3):  # nothing waits behind the same message
        assert house.turn(hook) is not None
        assert sorted(len(attempts) for _, attempts in house.log(hook).values())[-tried:] == [1] * tried
    assert time.monotonic() - began < 5
    assert {tuple(attempts) for _, attempts in house.log(hook).values()} == {("too-slow",)}


def test_a_410_disables_at_once(house: House, receiver: Receiver, hook: Webhook) -> None:
    receiver.status = 410
    house.note("your_turn", "invited")
    METRICS.take()
    assert house.serve(hook) is None
    disabled = house.tending.find(house.ada, hook.id)
    assert (disabled.disabled, disabled.disabled_at) == ("gone", house.ms)
    assert house.log(hook) == {1: ("failed", [410]), 2: ("failed", [])}
    assert len(receiver.received) == 1
    assert METRICS.take()["webhooks_disabled", "gone"] == 1


@pytest.mark.parametrize("status", [410, 500])
def test_a_response_from_before_it_was_enabled_again_changes_nothing(
    house: House, receiver: Receiver, hook: Webhook, status: int
) -> None:
    receiver.status = status

    def enable_again() -> None:
        house.tending.disable(house.ada, hook.id)
        house.tending.enable(house.ada, hook.id)

    while_it_responds(receiver, enable_again)
    house.note("your_turn")
    METRICS.take()
    assert house.serve(hook) is None
    assert house.tending.find(house.ada, hook.id).disabled is None
    assert house.log(hook) == {1: ("failed", [status])}, "it was given up, and is not tried again"
    assert ("webhooks_disabled", "gone") not in METRICS.take()
    receiver.status = 204
    house.note("invited")
    assert house.serve(hook) is None
    assert house.log(hook)[2] == ("delivered", [204])


@contextmanager
def only_what_is_new(house: House) -> Iterator[None]:
    """Hide that other deliveries are due."""
    key = keys.webhooks_pending(house.ada)
    hidden = dict(house.client.zrange(key, 0, -1, withscores=True))
    house.client.zrem(key, *hidden)
    yield
    house.client.zadd(key, hidden)


@pytest.mark.parametrize(("accepts_at", "disabled"), [(None, "failing"), (4, None)])
def test_a_day_without_any_success_disables(
    house: House, receiver: Receiver, hook: Webhook, accepts_at: int | None, disabled: str | None
) -> None:
    receiver.status = 500
    house.note("your_turn")
    attempt = 0
    while (again := house.serve(hook)) is not None:
        house.ms, attempt = again, attempt + 1
        if attempt == accepts_at:
            receiver.status = 204
            house.note("invited")
            with only_what_is_new(house):
                house.serve(hook)
            receiver.status = 500
    assert house.tending.find(house.ada, hook.id).disabled == disabled


# -- repetition ----------------------------------------------------------------------------------------------------


def test_an_enabled_webhook_gets_what_follows_and_repeats_what_failed(
    house: House, receiver: Receiver, hook: Webhook
) -> None:
    receiver.status = 410
    house.note("your_turn")
    house.serve(hook)
    house.note("invited")
    receiver.status = 204
    house.tending.enable(house.ada, hook.id)
    house.note("game_ended")
    house.serve(hook)
    assert house.log(hook) == {1: ("failed", [410]), 2: ("delivered", [204])}
    house.tending.repeat(house.ada, hook.id, 1)
    assert house.serve(hook) is None
    assert house.log(hook)[1] == ("delivered", [410, 204])
    assert receiver.ids[0] == receiver.ids[2]


def give_up(house: House, hook: Webhook) -> None:
    """Let all attempts pass."""
    while (again := house.serve(hook)) is not None:
        house.ms = again
    assert house.tending.find(house.ada, hook.id).disabled == "failing"


def test_a_repeated_delivery_has_all_attempts_again(house: House, receiver: Receiver, hook: Webhook) -> None:
    house.note("your_turn")
    house.serve(hook)
    house.ms += SECOND
    receiver.status = 500
    house.tending.repeat(house.ada, hook.id, 1)
    give_up(house, hook)
    assert house.log(hook)[1] == ("failed", [204] + [500] * ATTEMPTS)


def test_repeating_a_pending_delivery_begins_a_series_each_time(
    house: House, receiver: Receiver, hook: Webhook
) -> None:
    receiver.status = 500
    house.note("your_turn")
    house.serve(hook)
    for _ in range(ATTEMPTS + 1):
        house.ms += SECOND
        house.tending.repeat(house.ada, hook.id, 1)
        assert (house.serve(hook) or 0) - house.ms <= 2 * PAUSES[0]
    assert house.log(hook) == {1: ("pending", [500] * (ATTEMPTS + 2))}
    give_up(house, hook)
    assert house.log(hook) == {1: ("failed", [500] * (2 * ATTEMPTS + 1))}


@pytest.mark.parametrize(("status", "state"), [(204, "delivered"), (500, "pending")])
def test_a_delivery_repeated_during_an_attempt_is_sent_once_more(
    house: House, receiver: Receiver, hook: Webhook, status: int, state: str
) -> None:
    receiver.status = status
    while_it_responds(receiver, lambda: house.tending.repeat(house.ada, hook.id, 1))
    house.note("your_turn")
    rest = house.serve(hook)
    assert house.log(hook) == {1: (state, [status, status])}
    assert (rest or house.ms) - house.ms <= 2 * PAUSES[0], "it is the first attempt of a series"


def test_once_enabled_again_one_failure_of_a_repetition_disables_nothing(
    house: House, receiver: Receiver, hook: Webhook
) -> None:
    receiver.status = 500
    house.note("your_turn")
    for _ in range(ATTEMPTS - 1):
        house.ms = house.serve(hook) or 0
    house.tending.disable(house.ada, hook.id)
    house.tending.enable(house.ada, hook.id)
    house.tending.repeat(house.ada, hook.id, 1)
    assert house.serve(hook) is not None
    assert house.tending.find(house.ada, hook.id).disabled is None


# -- limits --------------------------------------------------------------------------------------------------------


def test_the_attempts_that_are_shown_are_the_latest_twenty(house: House, receiver: Receiver, hook: Webhook) -> None:
    house.note("your_turn")
    for number in range(25):
        receiver.status = 200 + number
        house.serve(hook)
        house.tending.repeat(house.ada, hook.id, 1)
    assert house.log(hook)[1][1] == list(range(205, 225))


def test_while_many_are_pending_notices_wait_and_none_is_lost(house: House, receiver: Receiver, hook: Webhook) -> None:
    receiver.status = 500
    house.note(*["your_turn"] * (MOST_PENDING + 30))  # type: ignore[list-item]
    house.serve(hook)
    assert len(house.log(hook)) == MOST_PENDING
    receiver.status = 204
    house.ms += 6 * SECOND
    assert house.serve(hook) is None
    statuses = [status for status, _ in house.log(hook).values()]
    assert statuses == ["delivered"] * (MOST_PENDING + 30)


def test_only_the_latest_deliveries_are_kept(house: House, receiver: Receiver, hook: Webhook) -> None:
    house.note(*["your_turn"] * (MOST_KEPT + 7))  # type: ignore[list-item]
    house.serve(hook)
    assert len(receiver.received) == MOST_KEPT + 7
    assert house.log(hook).keys() == set(range(8, MOST_KEPT + 8))
    assert house.client.hlen(keys.webhooks_deliveries(house.ada)) == MOST_KEPT + 2
    with pytest.raises(NotFound):
        house.tending.repeat(house.ada, hook.id, 7)


def test_pages_of_deliveries_are_newest_first_and_complete(house: House, receiver: Receiver, hook: Webhook) -> None:
    other = house.tending.create(house.ada, receiver.url, None)
    house.note(*["your_turn"] * 7)  # type: ignore[list-item]
    for each in (hook, other):
        house.serve(each)
    before, numbers = None, []
    while before is not None or not numbers:
        page, before = house.tending.deliveries(house.ada, hook.id, before, 3)
        numbers.append([each.number for each in page])
    assert numbers == [[7, 6, 5], [4, 3, 2], [1]]


def test_two_couriers_at_once_take_in_each_notice_once(house: House, receiver: Receiver, hook: Webhook) -> None:
    house.note("your_turn")
    standing = house.deliveries.standing(hook.destination)
    assert standing
    notices = house.notices.read(house.ada, standing.cursor, 10)
    assert house.channel._take_in(standing, notices, house.ms) is not None
    assert house.channel._take_in(standing, notices, house.ms) is None
    house.serve(hook)
    assert len(receiver.received) == 1


# -- deletion ------------------------------------------------------------------------------------------------------


def test_a_displaced_or_deleted_delivery_leaves_no_mark(house: House, receiver: Receiver, hook: Webhook) -> None:
    receiver.status = 500
    house.note("your_turn")
    house.serve(hook)
    house.tending.repeat(house.ada, hook.id, 1)
    kept, message = keys.webhooks_deliveries(house.ada), house.deliveries.messages(hook, [1])[1]
    assert house.client.hexists(kept, f"{hook.id} 1 again")
    assert house.deliveries.take_in(hook, [message] * MOST_KEPT, house.ms, ("", "")) == MOST_KEPT + 1
    assert not [name for name in house.client.hkeys(kept) if name.startswith(f"{hook.id} 1 ".encode())]
    house.tending.repeat(house.ada, hook.id, 2)
    house.tending.delete(house.ada, hook.id)
    assert not house.client.exists(kept)


def test_nothing_is_left_of_a_deleted_webhook_and_others_stay(house: House, receiver: Receiver, hook: Webhook) -> None:
    before = everything(house.client)
    doomed = house.tending.create(house.ada, receiver.url, None)
    receiver.status = 500
    house.note("your_turn")
    house.serve(doomed)
    house.tending.delete(house.ada, doomed.id)
    ignored = {keys.COUNTERS.encode(), keys.notices(house.ada).encode(), keys.notices_known(house.ada).encode()}
    assert {key: each for key, each in everything(house.client).items() if key not in ignored} == before
    assert house.turn(doomed) is None
    assert house.tending.of_player(house.ada) == [hook]


def test_what_a_courier_records_late_brings_nothing_back(house: House, hook: Webhook) -> None:
    house.note("your_turn")
    house.serve(hook)
    message = house.deliveries.messages(hook, [1])[1]
    house.players.delete(house.ada)
    left = everything(house.client)
    assert house.deliveries.record(hook, 1, message, house.ms) is None
    assert house.deliveries.take_in(hook, [message], house.ms, ("", "")) is None
    assert house.deliveries.make_pending(hook, 1, house.ms) == "unknown"
    house.webhooks.disable(hook, "gone")
    assert everything(house.client) == left


def test_a_webhook_cannot_be_made_for_a_player_who_does_not_exist(house: House) -> None:
    with pytest.raises(NotFound):
        house.tending.create("pl_nobody", "https://ada.example/", None)
    assert not house.client.exists(keys.webhooks("pl_nobody"))


def test_the_courier_judges_the_address_at_each_delivery(client: redis.Redis) -> None:
    lax = House(client, Rules(anywhere=True))
    with Receiver() as receiver:
        named = lax.tending.create(lax.ada, f"https://localhost:{receiver.port}/", None)
        plain = lax.tending.create(lax.ada, receiver.url, None)
        strict = WebhookChannel(lax.webhooks, lax.deliveries, lax.notices, Rules(), lax.now)
        lax.note("your_turn")
        assert strict.deliver(named.destination) is not None
        assert strict.deliver(plain.destination) is None
        assert receiver.received == []
    assert lax.log(named) == {1: ("pending", ["no-address"])}
    assert lax.tending.find(lax.ada, plain.id).disabled == "not-allowed"
    lax.players.close()
