"""The wiring: create the services and the app from the settings."""

import logging
import time
from collections.abc import Callable
from functools import cache, partial

import redis
from flask import Flask

from domain.game.durations import HOUR, SECOND
from service.accounts.limiter import Limiter
from service.accounts.limits import Unlimited
from service.accounts.players import Players
from service.accounts.tickets import SECONDS as TICKET_SECONDS
from service.accounts.tickets import Tickets
from service.api import create_app
from service.api.http.endpoint import Services
from service.common.observability import METRICS
from service.config.operator_page import OperatorPage
from service.config.settings import Settings, check_rulesets
from service.deal_sets.daily import Daily
from service.games.advice.advising import Advising
from service.games.advice.question_store import QuestionStore
from service.games.departing import Departing
from service.games.desk import Desk
from service.games.forking import Forking
from service.games.invitations.invitation_store import Invitations
from service.games.invitations.inviting import Inviting
from service.games.invitations.joining import Joining
from service.games.invitations.rematching import Rematching
from service.games.plans.planning import Planning
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.games.talking import Talking
from service.inbox.notice_log import NoticeLog
from service.jobs.fair_queue import FairQueue
from service.notifications.assembly import mail_service_on, push_service_on
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.webhook.deliveries import Deliveries
from service.notifications.webhook.webhook_service import WebhookService
from service.notifications.webhook.webhook_store import Webhooks
from service.runtime.metrics import Metrics
from service.store.archive.buckets import place_at
from service.store.event_store import EventStore, StoreUnavailable
from service.store.heartbeat import Heartbeat, StoreClock
from service.store.redis.connections import connect, connect_queue
from service.store.redis.redis_rights import WEB
from service.store.reporting import Reporter
from service.streams.games import GameFollowing
from service.streams.streams import Streams
from service.tournaments.tournaments import Tournaments
from service.transparency.key_file import keys_in
from service.transparency.key_ring import KeyRing, Receipts
from service.transparency.transparency_log import TransparencyLog

_log = logging.getLogger("plateau.start")
_AGAIN_SECONDS = 0.2


def wire_when_up(settings: Settings) -> Flask:
    """Create the app of a web process; wait while Redis is unavailable, for instance after a crash of both.

    Raise ``StoreMisconfigured`` if the Redis could lose games.
    """
    is_waiting = False
    while True:
        try:
            return wire(settings, beating=True)
        except StoreUnavailable as error:
            if not is_waiting:
                _log.warning("a web process waits for Redis: %s", error)
            is_waiting = True
            time.sleep(_AGAIN_SECONDS)


def wire(settings: Settings, *, beating: bool = False) -> Flask:
    """Create the app on the Redis that the settings name; raise ``StoreMisconfigured`` if it could lose games.

    With ``beating``, the process records a heartbeat, which shows all processes that players can act.
    """
    check_rulesets()
    client = _memory() if settings.memory else connect(settings.redis_url or "")
    archive = place_at(settings.archive)
    store = EventStore(client, settings.shards, settings.answer_hours * HOUR, settings.replicas, archive)
    if not settings.memory:
        for warning in store.check(allow_unsafe=settings.allow_unsafe_redis, needs=WEB):
            _log.warning(warning)
    clock = StoreClock(client)
    heartbeat = Heartbeat(client, serves=beating, clock=clock)
    if beating:
        # The first beat comes before any command: it records a downtime, which the desk credits before anything else.
        heartbeat.beat_for_ever()
        store.all_shards.look_for_ever()
    limiter = Limiter(client, settings.limits, store.public_data)

    # Commands and views of games. Workers of this process share the cache of games, so they start once it is there.
    repository = GameRepository(store)
    least_move = settings.least_move_seconds * SECOND
    desk = Desk(repository, clock.now, settings.patience, heartbeat.downtimes, limiter, least_move)
    if beating and settings.memory and settings.workers:
        from workers.in_process import run_in_threads  # noqa: PLC0415 - other web processes need not load it

        run_in_threads(client, settings, repository, heartbeat)
    players = Players(client, clock.now, settings.limits["tokens"])

    # The streams of this process, and the report of its metrics.
    streams = Streams(client, settings.limits)
    players.on_change(streams.account_changed)  # each stream checks at once whether its token still opens it
    METRICS.gauges |= {"open_streams": streams.places.open} | repository.gauges()
    reporter = Reporter(client, "web", clock, archive=settings.archive_place)
    if beating:
        reporter.report_for_ever()

    services = services_on(
        store,
        settings,
        clock,
        desk=desk,
        repository=repository,
        planning=Planning(repository, settings.patience),
        players=players,
        limiter=limiter,
        streams=streams,
        receipts=Receipts(_ring(client, settings, clock)),
        metrics=Metrics(client, settings.shards, heartbeat, partial(_queue, settings), settings.archive_after).text,
    )
    return create_app(services, settings.cors_origins, compresses=settings.compression)


def services_on(  # noqa: PLR0913 - each has a name
    store: EventStore,
    settings: Settings,
    clock: StoreClock,
    *,
    desk: Desk,
    repository: GameRepository,
    planning: Planning,
    players: Players,
    limiter: Unlimited,
    streams: Streams,
    receipts: Receipts,
    metrics: Callable[[], bytes],
) -> Services:
    """Return the services of the view functions, made of the parts that a process has one of."""
    client = store.client
    invitations = Invitations(client, settings.shards)
    inviting = Inviting(desk, repository, invitations, players, limiter)
    reader = Reader(repository, inviting.is_invited)
    talking = Talking(repository, desk.now, limiter)
    return Services(
        desk=desk,
        reader=reader,
        players=players,
        inviting=inviting,
        joining=Joining(desk, inviting, invitations, players, limiter),
        rematching=Rematching(desk, repository, invitations, players),
        forking=Forking(desk, repository, inviting.is_invited),
        planning=planning,
        talking=talking,
        departing=Departing(desk, reader, invitations, planning, talking),
        advising=Advising(reader, QuestionStore(store), desk.now, limiter),
        tickets=Tickets(store.naming_secret, desk.now, TICKET_SECONDS),
        webhooks=_webhook_service_on(client, settings, clock),
        pushing=push_service_on(store, settings, clock),
        mailing=mail_service_on(store, settings, clock),
        notices=NoticeLog(client),
        streams=streams,
        daily=Daily(desk, repository, players, settings.daily),
        tournaments=Tournaments(desk, store, players, settings.heads_seconds),
        following=GameFollowing(reader, planning, players, talking, receipts),
        receipts=receipts,
        heads=TransparencyLog(client, settings.witnesses or ()),
        is_ready=store.is_up,
        confirm=store.confirm,
        metrics=metrics,
        limiter=limiter,
        trusted_proxies=settings.trusted_proxies,
        public_url=settings.public_url,
        contact=settings.contact,
        about=OperatorPage(settings),
    )


def _ring(client: redis.Redis, settings: Settings, clock: StoreClock) -> KeyRing:
    """Make the key ring, with the keys read already, so that no accepted write lacks its receipt."""
    ring = KeyRing(client, clock.now, keys_in(settings.signing_keys))
    ring.periods()
    return ring


def _webhook_service_on(client: redis.Redis, settings: Settings, clock: StoreClock) -> WebhookService:
    webhooks = Webhooks(client, clock.now_ms, settings.limits["webhooks"])
    rules = Rules(settings.allow_unsafe_webhooks)
    return WebhookService(webhooks, Deliveries(client), DueDestinations(client), rules, clock.now_ms)


@cache
def _queue(settings: Settings) -> FairQueue | None:
    """Return the queue of the workers, None in memory; its connections are reused for the next request for metrics."""
    url = settings.queue_url or settings.redis_url
    if url is None:
        return None
    from service.jobs import job_queue  # noqa: PLC0415 - RQ is loaded only if needed

    return job_queue.RqQueue(connect_queue(url), 0)


def _memory() -> redis.Redis:
    import fakeredis  # noqa: PLC0415 - only here; the other modes need not load it

    return fakeredis.FakeRedis()
