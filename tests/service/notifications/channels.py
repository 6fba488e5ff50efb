"""The channels of a service, each with a receiver that responds as a test says, and a player with news."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Literal, Protocol

import redis

from domain.game.durations import instant, moment
from service.accounts.players import GUEST_SCOPES, Caller, Players
from service.games.invitations.invitation_store import Invitations
from service.games.repository import GameRepository
from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Kind, occasions
from service.notifications.content.choices import Choices
from service.notifications.content.news import News
from service.notifications.delivery.destinations import Destination, Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.mail import channel as mail
from service.notifications.mail.mail_destination import MailDestination, MailDestinations
from service.notifications.mail.mail_destination import destination_of as mail_destination
from service.notifications.mail.smtp import Postponed, Undeliverable
from service.notifications.mail.writer import MailLinks, Writer
from service.notifications.push import channel as push
from service.notifications.push.encryption import Vapid, to_base64url
from service.notifications.push.push_service import PushService
from service.notifications.push.subscriptions import Subscriptions
from service.notifications.push.subscriptions import destination_of as push_destination
from service.notifications.webhook.channel import WebhookChannel
from service.notifications.webhook.deliveries import Deliveries
from service.notifications.webhook.webhook_service import WebhookService
from service.notifications.webhook.webhook_store import Webhooks
from service.store.event_store import EventStore
from tests.support.games import spec, wish
from tests.support.push import Browser
from tests.support.webhook_receiver import Received, Receiver
from tests.support.wiring import Games

ANYWHERE = Rules(anywhere=True)
SITE = "https://play.example"
Response = Literal["accepts", "is busy", "is gone"]


class House:
    """Ada and Bob, the games between them, and the time ``ms``."""

    def __init__(self, client: redis.Redis) -> None:
        self.client, self.ms = client, instant("2026-11-22T10:00:00.000Z")
        self.store, self.players = EventStore(client), Players(client, self.at)
        self.ada, self.bob = (
            Caller(self.players.create(name)[0].id, frozenset(GUEST_SCOPES)) for name in ("Ada", "Bob")
        )
        self.notices, self.destinations = NoticeLog(client), Destinations(client)
        self.news = News(GameRepository(self.store), Invitations(client), self.players, self.now)
        self._games = Games(self.store, self.at)

    def now(self) -> int:
        return self.ms

    def at(self) -> str:
        return moment(self.ms)

    def begin(self) -> str:
        """Begin a game, in which it is Ada's turn, and note that; return its id."""
        game_id, _ = self._games.create(self.ada, spec((True, False), sandbox=False, ruleset="plateau"), None)
        self._games.join(game_id, self.bob, wish())
        game, _ = self._games.look(game_id, self.ada, None, None)
        self.notices.add(each for each in occasions(None, game, "") if each.player == self.ada.player)
        return game_id


class Channel(Protocol):
    """What a courier calls."""

    def deliver(self, destination: Destination) -> int | None: ...


class Post(ABC):
    """A channel, and what Ada gets by it: the id of each message, and the game that it is about."""

    channel: Channel

    def __init__(self, house: House) -> None:
        self.house = house
        self.got: list[tuple[str, str]] = []

    @abstractmethod
    def subscribe(self, *kinds: Kind) -> Destination:
        """Let Ada have notices of these kinds from now on."""

    @abstractmethod
    def respond(self, response: Response) -> None:
        """Respond so from now on."""

    def serve(self, destination: Destination) -> int | None:
        """Serve a destination until it is not due now; return when it is due again."""
        while (again := self.channel.deliver(destination)) is not None and again <= self.house.ms:
            pass
        return again


class Mails(Post):
    """Mails, to a server that is a function."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self._error: Exception | None = None
        self._kept = MailDestinations(house.client)
        writer = Writer(MailLinks(house.store.naming_secret, house.now, SITE))
        post = mail.Post(self._send, "Plateau <plateau@play.example>", house.now)
        self.channel = mail.MailChannel(self._kept, house.destinations, house.notices, house.news, writer, post)

    def subscribe(self, *kinds: Kind) -> Destination:
        ada = self.house.ada.player
        made = MailDestination("ada@example.org", Choices(kinds), 0, "confirmed", asking=None)
        self._kept.change(ada, lambda _: made, self.house.notices.latest(ada))
        return mail_destination(ada)

    def respond(self, response: Response) -> None:
        errors = {"is busy": Postponed("451"), "is gone": Undeliverable("550")}
        self._error = errors.get(response)

    def _send(self, sent: EmailMessage) -> None:
        if self._error:
            raise self._error
        body = sent.get_body(("plain",))
        assert body
        self.got += [(sent["Message-ID"], game) for game in re.findall(r"/#/game/(\S+)", body.get_content())]


class Requests(Post):
    """What sends requests to a receiver."""

    def __init__(self, house: House, receiver: Receiver) -> None:
        super().__init__(house)
        self._receiver = receiver
        receiver.meanwhile = self._read

    def respond(self, response: Response) -> None:
        statuses = {"accepts": 204, "is busy": 503, "is gone": 410}
        self._receiver.status = statuses[response]

    def _read(self) -> None:
        if self._receiver.status == 204:
            self.got.append(self.message(self._receiver.received[-1]))

    @abstractmethod
    def message(self, received: Received) -> tuple[str, str]:
        """Return the id of a message, and its game."""


class Pushes(Requests):
    """Push messages to a browser, which decrypts them."""

    def __init__(self, house: House, receiver: Receiver) -> None:
        super().__init__(house, receiver)
        self._browser, kept = Browser(), Subscriptions(house.client, 10)
        vapid = Vapid(house.client, "mailto:plateau@play.example")
        self._service = PushService(kept, vapid, house.notices, ANYWHERE, house.at)
        post = push.Post(ANYWHERE, vapid, SITE, house.now)
        self.channel = push.PushChannel(kept, house.destinations, house.notices, house.news, post)

    def subscribe(self, *kinds: Kind) -> Destination:
        ada, browser = self.house.ada.player, (to_base64url(self._browser.public), to_base64url(self._browser.auth))
        return push_destination(ada, self._service.subscribe(ada, self._receiver.url, browser, Choices(kinds)).id)

    def message(self, received: Received) -> tuple[str, str]:
        return received.headers["topic"], json.loads(self._browser.decrypted(received.body))["game_id"]


class Hooks(Requests):
    """Webhooks."""

    def __init__(self, house: House, receiver: Receiver) -> None:
        super().__init__(house, receiver)
        kept, deliveries = Webhooks(house.client, house.now, most=3), Deliveries(house.client)
        self._service = WebhookService(kept, deliveries, DueDestinations(house.client), ANYWHERE, house.now)
        self.channel = WebhookChannel(kept, deliveries, house.notices, ANYWHERE, house.now)

    def subscribe(self, *kinds: Kind) -> Destination:
        return self._service.create(self.house.ada.player, self._receiver.url, kinds).destination

    def message(self, received: Received) -> tuple[str, str]:
        return received.headers["webhook-id"], received.json["data"]["game_id"]


KINDS = ("mail", "push", "webhook")


@contextmanager
def post(kind: str, house: House) -> Iterator[Post]:
    """Make a channel of a kind, with its receiver."""
    if kind == "mail":
        yield Mails(house)
        return
    with Receiver() as receiver:
        yield (Pushes if kind == "push" else Hooks)(house, receiver)
