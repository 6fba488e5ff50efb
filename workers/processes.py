"""The processes beside the web: what each runs until it is asked to stop, and what it does without Redis."""

import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, NoReturn

import redis
from rq import SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job

from service.accounts.limiter import Limiter
from service.accounts.players import Players
from service.common.child_process import report_ready
from service.common.observability import METRICS
from service.config.settings import Settings
from service.deal_sets.keeping import Keeper
from service.games.advice.question_store import QuestionStore
from service.games.desk import Desk
from service.games.plans.planned_moves import PlannedMoves
from service.games.plans.planning import Planning
from service.games.repository import GameRepository
from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Reminders
from service.jobs import job_queue
from service.jobs.fair_queue import FairQueue
from service.notifications.delivery.destinations import Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.store.archive.buckets import place_at
from service.store.archiving import Archive
from service.store.change_feed import DISPATCHERS, NOTIFIERS, ChangeFeed
from service.store.deadlines import Deadlines
from service.store.event_store import EventStore, StoreUnavailable
from service.store.heartbeat import Heartbeat, StoreClock
from service.store.redis.connections import connect, connect_queue
from service.store.reporting import Reporter
from service.store.shards import shards_of
from service.tournaments.keeping import TournamentKeeper
from service.transparency.key_file import keys_in
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog, Unlogged
from workers import tasks
from workers.adviser import Adviser
from workers.archiver import Archiver
from workers.dispatcher import Dispatcher, Sweeper
from workers.log_worker import LogWorker
from workers.loops import AWAY_SECONDS, StopSignal, away, until
from workers.notifier import Notifier
from workers.policy_process import PolicyProcess
from workers.reminding import Reminding
from workers.turn_worker import TurnWorker

_log = logging.getLogger("plateau.worker")

_GATHER_SECONDS = 0.02
_REMIND_SECONDS = 1.0
_KEEP_SECONDS = 1.0
_CALL_MARGIN_SECONDS = 6


def dispatch(settings: Settings, stop: StopSignal) -> None:
    """Run the dispatcher, notifier, sweeper, reminders, and the log, set and archive workers until asked to stop."""
    client, blocking = connect(_redis_url(settings)), connect(_redis_url(settings))
    jobs_to_do = _queue(settings)
    shards_of(client, settings.shards).look_for_ever()
    reader = f"{socket.gethostname()}-{os.getpid()}"
    dispatcher = Dispatcher(ChangeFeed(blocking, settings.shards, DISPATCHERS, reader), jobs_to_do)
    notifier = notifier_on(blocking, settings, reader, _GATHER_SECONDS)
    deadlines = Deadlines(client, settings.shards, settings.patience.bot)
    heartbeat = Heartbeat(client)
    sweeper, reminding = Sweeper(deadlines, jobs_to_do, heartbeat), reminding_on(client, settings, heartbeat)
    loops = [dispatcher.run, notifier.run, sweeper.run, reminding, keeping_heads_on(client, settings)]
    loops += [*keeping_sets_on(client, settings), *archiving_on(client, settings)]
    threads = [threading.Thread(target=until, args=(stop, loop), daemon=True) for loop in loops]
    for thread in threads:
        thread.start()
    Reporter(client, "dispatcher", heartbeat.clock, archive=settings.archive_place).report_for_ever()
    _log.info("dispatcher, notifier and sweeper are up")
    report_ready()
    stop.wait()
    for thread in threads:
        thread.join()


def notifier_on(client: redis.Redis, settings: Settings, reader: str, rest_seconds: float = 0.0) -> Notifier:
    feed, reminders = ChangeFeed(client, settings.shards, NOTIFIERS, reader), Reminders(client, settings.shards)
    return Notifier(feed, NoticeLog(client), reminders, Destinations(client), DueDestinations(client), rest_seconds)


def resting(do: Callable[[], object], seconds: float) -> Callable[[], None]:
    """Make a loop that repeats a step, and rests after each."""

    def run() -> None:
        do()
        time.sleep(seconds)

    return run


def reminding_on(client: redis.Redis, settings: Settings, heartbeat: Heartbeat) -> Callable[[], None]:
    store = EventStore(client, settings.shards, archive=place_at(settings.archive))
    reminding = Reminding(Reminders(client, settings.shards), store, heartbeat, heartbeat.clock.now)
    return resting(reminding.remind, _REMIND_SECONDS)


def keeping_heads_on(client: redis.Redis, settings: Settings) -> Callable[[], None]:
    log, unlogged = TransparencyLog(client), Unlogged(client, settings.shards)
    clock = StoreClock(client)
    ring = KeyRing(client, clock.now, keys_in(settings.signing_keys))
    keeper = LogWorker(log, unlogged, ring.sign, clock.now, settings.heads_seconds)
    return resting(keeper.keep, _KEEP_SECONDS)


def keeping_sets_on(client: redis.Redis, settings: Settings) -> list[Callable[[], None]]:
    """Make the loops that lead tournaments, and that create, seal and close the daily sets, if there are any."""
    archive = place_at(settings.archive)
    store = EventStore(client, settings.shards, replicas=settings.replicas, archive=archive)
    clock, log, repository = StoreClock(client), TransparencyLog(client), GameRepository(store)
    desk = Desk(repository, clock.now, settings.patience, Heartbeat(client).downtimes)
    keepers = [TournamentKeeper(desk, repository, Players(client, clock.now), log).keep]
    if settings.daily is not None:
        keepers.append(Keeper(store, log, clock.now, settings.daily, settings.heads_seconds).keep)
    return [resting(keep, _KEEP_SECONDS) for keep in keepers]


def archiving_on(client: redis.Redis, settings: Settings) -> list[Callable[[], None]]:
    """Make the loop that archives finished games; none without an archive."""
    place = place_at(settings.archive)
    if place is None or settings.archive_after is None:
        return []
    store, after = EventStore(client, settings.shards, archive=place), settings.archive_after
    return [Archiver(store, Archive(store, place), StoreClock(client).now_ms, after, settings.patience).run]


class _Worker(SimpleWorker):
    """RQ's worker, which logs failures as the service does, without the content of messages."""

    max_connection_wait_time = 0.5
    log_result_lifespan = False
    was_asked_to_stop = False

    def subscribe(self) -> None:
        """Do nothing: only signals stop this worker. RQ would listen for commands in another thread."""

    def unsubscribe(self) -> None:
        """Do nothing, because there is no subscription."""

    def request_stop(self, signum: Any, frame: Any) -> None:
        """Finish the current job, and stop."""
        self.was_asked_to_stop = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def register_birth(self) -> None:
        """Register; from now on, calls reach this worker, which is warm by then."""
        super().register_birth()  # type: ignore[no-untyped-call]
        report_ready()

    def register_death(self) -> None:
        """Unregister, unless Redis is unavailable; it drops a worker that does not register again."""
        try:
            super().register_death()  # type: ignore[no-untyped-call]
        except redis.RedisError as error:
            away.report(error)

    def handle_exception(self, job: Job, *exc_info: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Log where a job failed, unless Redis was unavailable."""
        if isinstance(exc_info[1], StoreUnavailable):
            away.report(exc_info[1])
        else:
            _log.error("job %s failed", job.id, exc_info=exc_info)  # type: ignore[arg-type]


def work(settings: Settings) -> None:
    """Handle jobs until asked to stop; finish the current one first."""
    _leave_on_signals()
    logging.getLogger("rq.worker").addFilter(away)
    client = connect(_redis_url(settings))
    heartbeat = Heartbeat(client)
    archive, jobs_to_do = place_at(settings.archive), _queue(settings)
    store = EventStore(client, settings.shards, replicas=settings.replicas, archive=archive)
    store.all_shards.look_for_ever()
    repository = GameRepository(store)
    turn_worker = turn_worker_on(client, settings, repository, heartbeat, jobs_to_do)
    METRICS.gauges |= repository.gauges()
    Reporter(client, "worker", heartbeat.clock, archive=settings.archive_place).report_for_ever()
    with suppress(StoreUnavailable):  # the scripts are then sent when they are needed
        store.load_script()
        jobs_to_do.load_scripts()
    tasks.put_on_duty(turn_worker, jobs_to_do)
    try:
        while not _worked(_queue_url(settings)):
            time.sleep(AWAY_SECONDS)
    finally:
        turn_worker.stop(jobs_to_do)


def _queue(settings: Settings) -> job_queue.RqQueue:
    return job_queue.RqQueue(connect_queue(_queue_url(settings)), settings.bot_seconds + _CALL_MARGIN_SECONDS)


def turn_worker_on(
    client: redis.Redis,
    settings: Settings,
    repository: GameRepository,
    heartbeat: Heartbeat,
    queue: FairQueue,
) -> TurnWorker:
    """Make a warm turn worker: its policy process runs, and has answered for every ruleset."""
    policies = PolicyProcess(settings.bot_seconds)
    policies.start()
    of_events = {"events-written": settings.limits["events-written"]}
    limiter = Limiter(client, of_events, repository.store.public_data)
    desk = Desk(repository, heartbeat.clock.now, settings.patience, heartbeat.downtimes, limiter)
    planned_moves = PlannedMoves(desk, repository, Planning(repository, settings.patience))
    adviser = Adviser(repository, QuestionStore(repository.store), policies, queue.is_urgent)
    turn_worker = TurnWorker(desk, repository, policies, heartbeat, planned_moves, queue.is_urgent, adviser.answer)
    turn_worker.warm_up()
    turn_worker.held.start()
    if not settings.memory:
        policies.compile_beside(settings.data)
    return turn_worker


def _worked(url: str) -> bool:
    """Work until asked to stop (return True), or until Redis is unavailable for so long that RQ gives up."""
    with connect_queue(url) as client:
        try:
            worker = _Worker(
                job_queue.QUEUES, connection=client, serializer=job_queue.SERIALIZER, log_job_description=False
            )
            worker.work(logging_level="WARNING")
        except StopRequested:
            return True
        except redis.RedisError as error:
            away.report(error)
            return False
        finally:
            _leave_on_signals()  # RQ's own handlers end with its worker
    return worker.was_asked_to_stop


def _leave_on_signals() -> None:
    """Exit with code 0 at SIGTERM and Ctrl-C while no job is running."""

    def leave(*_: object) -> NoReturn:
        sys.exit(0)

    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, leave)


def _redis_url(settings: Settings) -> str:
    return settings.redis_url or ""


def _queue_url(settings: Settings) -> str:
    return settings.queue_url or settings.redis_url or ""
