"""The whole examination of a service: the server first, then the work that waits, then every game."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import redis

from domain.game.timeouts import Patience
from service.doctor import server
from service.doctor.findings import Finding, wrong
from service.doctor.games import GameChecks
from service.jobs.job_queue import RqQueue
from service.notifications.delivery.due_destinations import DueDestinations
from service.store.archive.buckets import Place
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.redis_rights import QUEUE
from service.store.redis.redis_server import StoreMisconfigured, check_server


@dataclass(frozen=True, slots=True)
class Patient:
    """A service: the Redis of its games and that of its queue, its number of shards, and how long it waits.

    ``replicas`` is how many must confirm its writes, and ``archive`` where its archived games are.
    """

    client: redis.Redis
    queue: redis.Redis
    shards: int
    patience: Patience
    replicas: int = 0
    archive: Place | None = None


def examine(patient: Patient, *, games: bool, mends: bool, told: Callable[[int], None]) -> Iterator[Finding]:
    """Examine a service, with its ``games`` or without; raise ``StoreUnavailable`` if it cannot be reached."""
    found = list(server.check(patient.client, patient.replicas))
    yield from found
    if any(each.check in {"server", "shards"} and each.level == "wrong" for each in found):
        return
    yield from _queue(patient.queue)
    yield from server.check_work(patient.client, patient.shards, DueDestinations(patient.client).overdue)
    if games:
        store = EventStore(patient.client, patient.shards, archive=patient.archive)
        yield from GameChecks(store, patient.patience, mends=mends).check(told)


def _queue(client: redis.Redis) -> Iterator[Finding]:
    """Check the queue, whose server need not be that of the games: whether workers take from it."""
    try:
        check_server(client, QUEUE)
        workers = RqQueue(client, 0).workers()
    except StoreMisconfigured as error:
        yield wrong("queue", f"the server of the queue cannot be used: {error}", "correct it, or QUEUE_URL")
    except StoreUnavailable as error:
        yield wrong("queue", f"the server of the queue does not answer: {error}", "start it, or correct QUEUE_URL")
    else:
        if workers == 0:
            remedy = "start plateau worker; bots and clocks stand still until then"
            yield wrong("workers", "no worker is signed on", remedy)
