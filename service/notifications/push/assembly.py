"""Put together what push messages need, in a web process and in a courier."""

from email.utils import parseaddr

from service.accounts.players import Players
from service.config.settings import Settings
from service.games.invitations.invitation_store import Invitations
from service.games.repository import GameRepository
from service.inbox.notice_log import NoticeLog
from service.notifications.content.news import News
from service.notifications.content.site import Site
from service.notifications.delivery.destinations import Destinations
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.push.channel import Post, PushChannel
from service.notifications.push.push_service import PushService
from service.notifications.push.subscriptions import Subscriptions
from service.notifications.push.vapid import Vapid
from service.store.event_store import EventStore
from service.store.store_clock import StoreClock


def push_service_on(store: EventStore, settings: Settings, clock: StoreClock) -> PushService:
    client = store.client
    return PushService(
        _subscriptions(store, settings), _vapid(store, settings), NoticeLog(client), _rules(settings), clock.now
    )


def channel_on(store: EventStore, settings: Settings, clock: StoreClock) -> PushChannel:
    client = store.client
    invitations, players = Invitations(client, settings.shards), Players(client, clock.now)
    news = News(GameRepository(store), invitations, players, clock.now_ms)
    post = Post(_rules(settings), _vapid(store, settings), Site(settings.site), clock.now_ms)
    return PushChannel(_subscriptions(store, settings), Destinations(client), NoticeLog(client), news, post)


def _subscriptions(store: EventStore, settings: Settings) -> Subscriptions:
    return Subscriptions(store.client, settings.limits["push-subscriptions"])


def _vapid(store: EventStore, settings: Settings) -> Vapid:
    return Vapid(store.client, f"mailto:{parseaddr(settings.mail_from)[1]}")


def _rules(settings: Settings) -> Rules:
    return Rules(anywhere=settings.allow_unsafe_webhooks)
