"""A house with webhooks: a store of every kind, a clock that the test sets, and the channel that delivers."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from domain.game.durations import instant, moment
from service.accounts.players import Players
from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Kind, Notice
from service.notifications.delivery.destinations import Destination, Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.webhook.channel import WebhookChannel
from service.notifications.webhook.deliveries import Deliveries
from service.notifications.webhook.webhook import Webhook
from service.notifications.webhook.webhook_service import WebhookService
from service.notifications.webhook.webhook_store import Webhooks
from tests.support.stores import KINDS, empty_store
from tests.support.webhook_receiver import Receiver

client = pytest.fixture(params=KINDS)(empty_store)

START = instant("2026-01-01T12:00:00.000Z")


class House:
    """Ada and Bob, and what serves their webhooks, at the time ``ms``."""

    def __init__(self, client: redis.Redis, rules: Rules) -> None:
        self.client = client
        self.ms = START
        self.players = Players(client, lambda: moment(self.ms))
        self.ada, self.bob = (self.players.create(name)[0].id for name in ("Ada", "Bob"))
        self.webhooks = Webhooks(client, self.now, most=3)
        self.deliveries, self.notices = Deliveries(client), NoticeLog(client)
        self.due_destinations, self.destinations = DueDestinations(client), Destinations(client)
        self.tending = WebhookService(self.webhooks, self.deliveries, self.due_destinations, rules, self.now)
        self.channel = WebhookChannel(self.webhooks, self.deliveries, self.notices, rules, self.now)
        self._version = 0

    def now(self) -> int:
        """Return the time."""
        return self.ms

    def note(self, *kinds: Kind, player: str = "", **data: Any) -> None:
        """Add notices to a player's log, by default Ada's."""
        for kind in kinds:
            self._version += 1
            self.notices.add([Notice(kind, player or self.ada, "gm_1", self._version, moment(self.ms), data)])

    def turn(self, webhook: Webhook | Destination) -> int | None:
        """Let a courier serve a webhook once; return when it is due again."""
        return self.channel.deliver(webhook if isinstance(webhook, Destination) else webhook.destination)

    def serve(self, webhook: Webhook) -> int | None:
        """Serve a webhook until it is not due now; return when it is due again."""
        while (again := self.turn(webhook)) is not None and again <= self.ms:
            pass
        return again

    def log(self, webhook: Webhook) -> dict[int, tuple[str, list[int | str | None]]]:
        """Return each delivery's status, and what came of its attempts, by its number."""
        found, _ = self.tending.deliveries(webhook.player, webhook.id, None, 100)
        return {
            each.number: (each.status, [attempt.status or attempt.problem for attempt in each.message.attempts])
            for each in found
        }


@pytest.fixture
def house(client: redis.Redis) -> Iterator[House]:
    house = House(client, Rules(anywhere=True))
    yield house
    house.players.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def hook(house: House, receiver: Receiver) -> Webhook:
    """A webhook of Ada, for notices of every type."""
    return house.tending.create(house.ada, receiver.url, None)
