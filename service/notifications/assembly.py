"""Put together notifications: what players set up, for a web process, and the channels that a courier serves."""

from collections.abc import Mapping
from email.utils import parseaddr

from service.accounts.players import Players
from service.config.settings import Settings
from service.games.invitations.invitation_store import Invitations
from service.games.repository import GameRepository
from service.inbox.notice_log import NoticeLog
from service.notifications.content.news import News
from service.notifications.delivery.destinations import Channel, Destinations, Kind
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.mail import channel as mail
from service.notifications.mail.mail_destination import MailDestinations
from service.notifications.mail.mail_service import MailService
from service.notifications.mail.smtp import sender
from service.notifications.mail.writer import MailLinks, Writer
from service.notifications.push import channel as push
from service.notifications.push.encryption import Vapid
from service.notifications.push.push_service import PushService
from service.notifications.push.subscriptions import Subscriptions
from service.notifications.webhook.channel import WebhookChannel
from service.notifications.webhook.deliveries import Deliveries
from service.notifications.webhook.webhook_store import Webhooks
from service.store.event_store import EventStore
from service.store.heartbeat import StoreClock

Channels = Mapping[Kind, Channel]


def mail_service_on(store: EventStore, settings: Settings, clock: StoreClock) -> MailService | None:
    """Make what players set up their mails with; None if the settings offer no mails."""
    if settings.smtp_url is None:
        return None
    client = store.client
    links = _links(store, settings, clock)
    return MailService(MailDestinations(client), DueDestinations(client), NoticeLog(client), links)


def push_service_on(store: EventStore, settings: Settings, clock: StoreClock) -> PushService:
    subscriptions, notices = _subscriptions(store, settings), NoticeLog(store.client)
    return PushService(subscriptions, _vapid(store, settings), notices, _rules(settings), clock.now)


def channels_on(store: EventStore, settings: Settings, clock: StoreClock) -> Channels:
    """Make the channels that a courier serves; there is none for mails if the settings offer no mails."""
    client, rules = store.client, _rules(settings)
    destinations, notices = Destinations(client), NoticeLog(client)
    players = Players(client, clock.now)
    news = News(GameRepository(store), Invitations(client, settings.shards), players, clock.now_ms)
    webhooks = Webhooks(client, clock.now_ms, settings.limits["webhooks"])
    pushed = push.Post(rules, _vapid(store, settings), settings.site, clock.now_ms)
    channels: dict[Kind, Channel] = {
        "push": push.PushChannel(_subscriptions(store, settings), destinations, notices, news, pushed),
        "webhook": WebhookChannel(webhooks, Deliveries(client), notices, rules, clock.now_ms),
    }
    if settings.smtp_url is not None:
        mailed = mail.Post(sender(settings.smtp_url), settings.mail_from, clock.now_ms)
        writer = Writer(_links(store, settings, clock))
        channels["mail"] = mail.MailChannel(MailDestinations(client), destinations, notices, news, writer, mailed)
    return channels


def _links(store: EventStore, settings: Settings, clock: StoreClock) -> MailLinks:
    return MailLinks(store.naming_secret, clock.now_ms, settings.site)


def _subscriptions(store: EventStore, settings: Settings) -> Subscriptions:
    return Subscriptions(store.client, settings.limits["push-subscriptions"])


def _vapid(store: EventStore, settings: Settings) -> Vapid:
    return Vapid(store.client, f"mailto:{parseaddr(settings.mail_from)[1]}")


def _rules(settings: Settings) -> Rules:
    return Rules(anywhere=settings.allow_unsafe_webhooks)
