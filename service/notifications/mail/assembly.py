"""Put together what mails need, in a web process and in a courier."""

from service.accounts.players import Players
from service.config.settings import Settings
from service.games.invitations.invitation_store import Invitations
from service.games.repository import GameRepository
from service.inbox.notice_log import NoticeLog
from service.notifications.content.news import News
from service.notifications.delivery.destinations import Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.mail.channel import MailChannel, Post
from service.notifications.mail.links import MailLinks
from service.notifications.mail.mail_destination import MailDestinations
from service.notifications.mail.mail_service import MailService
from service.notifications.mail.smtp import sender
from service.notifications.mail.writer import Writer
from service.store.event_store import EventStore
from service.store.store_clock import StoreClock


def mail_service_on(store: EventStore, settings: Settings, clock: StoreClock) -> MailService | None:
    """Make what players set up their mails with; None if the settings offer no mails."""
    if settings.smtp_url is None:
        return None
    client = store.client
    return MailService(
        MailDestinations(client), DueDestinations(client), NoticeLog(client), _links(store, settings, clock)
    )


def channel_on(store: EventStore, settings: Settings, clock: StoreClock) -> MailChannel | None:
    """Make what serves mail destinations; None if the settings offer no mails."""
    if settings.smtp_url is None:
        return None
    client = store.client
    invitations, players = Invitations(client, settings.shards), Players(client, clock.now)
    news = News(GameRepository(store), invitations, players, clock.now_ms)
    post = Post(sender(settings.smtp_url), settings.mail_from, clock.now_ms)
    writer = Writer(_links(store, settings, clock))
    return MailChannel(MailDestinations(client), Destinations(client), NoticeLog(client), news, writer, post)


def _links(store: EventStore, settings: Settings, clock: StoreClock) -> MailLinks:
    return MailLinks(store.naming_secret, clock.now_ms, settings.site)
