"""Couriers as real processes: they are killed in the middle, and every notice still arrives, with the same id."""

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.accounts.players import Players
from service.common.wall_clock import now, now_ms
from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Notice
from service.notifications.delivery.destinations import Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.webhook.deliveries import Deliveries
from service.notifications.webhook.webhook import Webhook
from service.notifications.webhook.webhook_service import WebhookService
from service.notifications.webhook.webhook_store import Webhooks
from service.store import keys
from service.store.redis.connections import connect
from tests.support.sampling import part
from tests.support.server import Hand, RealServer, wait_until
from tests.support.webhook_receiver import Receiver


class Post:
    """A Redis of its own, players with webhooks, and the couriers that a test starts."""

    def __init__(self, folder: Path) -> None:
        self.server = RealServer.start("valkey", folder / "engine", tcp=True)
        self.client = connect(self.server.url)
        self.players = Players(self.client, now)
        self.due_destinations, self.notices, self.destinations = (
            DueDestinations(self.client),
            NoticeLog(self.client),
            Destinations(self.client),
        )
        webhooks, rules = Webhooks(self.client, now_ms), Rules(anywhere=True)
        self.tending = WebhookService(webhooks, Deliveries(self.client), self.due_destinations, rules, now_ms)
        self._folder = folder
        self._couriers: list[Hand] = []
        self._version = 0

    def courier(self, **env: str) -> Hand:
        """Start a courier."""
        folder = self._folder / f"courier{len(self._couriers)}"
        folder.mkdir()
        env = {"REDIS_URL": self.server.url, "PLATEAU_ALLOW_UNSAFE_WEBHOOKS": "1", "PLATEAU_LOG_LEVEL": "info"} | env
        self._couriers.append(Hand("courier", folder, env).start())
        return self._couriers[-1]

    def webhook(self, url: str) -> Webhook:
        """Make a webhook of a new player."""
        return self.tending.create(self.players.create("Ada")[0].id, url, None)

    def note(self, *webhooks: Webhook) -> None:
        """Notify the players of webhooks, as the service does."""
        self._version += 1
        for webhook in webhooks:
            self.notices.add([Notice("your_turn", webhook.player, "gm_1", self._version, now())])
            self.due_destinations.make_due(self.destinations.of([webhook.player]))

    def end_leases(self) -> None:
        """Let what killed couriers held be taken at once, as if its time had passed."""
        for held in self.client.zrange(keys.OUTBOX_LEASES, 0, -1):
            self.client.zadd(keys.OUTBOX_LEASES, {held: 0}, xx=True)

    def close(self) -> None:
        """End everything."""
        for courier in self._couriers:
            courier.kill()
        self.players.close()
        self.client.close()
        self.server.stop()


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    post = Post(tmp_path)
    yield post
    post.close()


def test_a_courier_delivers_ends_what_it_has_begun_and_logs_no_secret(post: Post) -> None:
    with Receiver() as receiver:
        hook = post.webhook(receiver.url)
        courier = post.courier()
        post.note(hook)
        wait_until(lambda: len(receiver.received) == 1, "the first delivery")
        began = time.time()
        post.note(hook)
        wait_until(lambda: len(receiver.received) == 2, "the second delivery")
        assert receiver.received[1].at - began < 10
        # A response that has not been sent yet would have the next status.
        wait_until(lambda: post.client.zcard(keys.OUTBOX_LEASES) == 0, "the end of the second delivery")
        receiver.status, receiver.pause = 410, 1.0
        post.note(hook)
        wait_until(lambda: len(receiver.received) == 3, "the third delivery to begin")
        assert courier.stop() == 0, "what has begun is finished"
        assert post.tending.find(hook.player, hook.id).disabled == "gone"
        assert post.client.zcard(keys.OUTBOX_LEASES) == 0
    logged = [json.loads(line)["message"] for line in courier.errors.splitlines()]
    assert f"webhook {hook.id} of {hook.player} is disabled: gone" in logged
    for kept_out in (receiver.url, hook.secret, str(receiver.port)):
        assert kept_out not in courier.errors


@pytest.mark.long
def test_every_notice_arrives_though_couriers_and_redis_are_killed(post: Post) -> None:
    rng, cycles = random.Random(5), 2 + part(4)
    with Receiver() as receiver:
        receiver.pause = 0.01
        hooks = [post.webhook(receiver.url) for _ in range(8)]
        couriers = [post.courier(PLATEAU_COURIER_THREADS="2") for _ in range(2)]
        for cycle in range(cycles):
            for _ in range(5):
                post.note(*hooks)
            time.sleep(rng.uniform(0.05, 0.4))
            if cycle == cycles // 2:
                post.server.kill()
                post.server.restart()
            victim = rng.choice(couriers)
            victim.kill()
            victim.start()
        for courier in couriers:
            courier.kill()
        post.end_leases()
        for courier in couriers:
            courier.start()
        wanted = {(hook.id, number) for hook in hooks for number in range(1, 5 * cycles + 1)}

        def delivered() -> set[tuple[str, int]]:
            return {
                (hook.id, each.number)
                for hook in hooks
                for each in post.tending.deliveries(hook.player, hook.id, None, 100)[0]
                if each.status == "delivered"
            }

        wait_until(lambda: delivered() == wanted, "all deliveries", 90)
        ids = {
            each.message.id for hook in hooks for each in post.tending.deliveries(hook.player, hook.id, None, 100)[0]
        }
        assert set(receiver.ids) == ids
        assert len(ids) == len(wanted)
        assert [courier.stop() for courier in couriers] == [0, 0]
    assert post.client.zcard(keys.OUTBOX) == post.client.zcard(keys.OUTBOX_LEASES) == 0
