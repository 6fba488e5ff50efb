"""The whole examination of a service: the server first, then the work that waits, then every game."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import redis

from domain.game.timeouts import Patience
from service.doctor import server, work
from service.doctor.findings import Finding
from service.doctor.games import GameChecks
from service.jobs.job_queue import RqQueue
from service.outlets.outbox import Outbox
from service.store.event_store import unavailable


@dataclass(frozen=True, slots=True)
class Patient:
    """A service: the Redis of its games and that of its queue, its number of shards, and how long it waits."""

    client: redis.Redis
    queue: redis.Redis
    shards: int
    patience: Patience


def examine(patient: Patient, *, games: bool, mends: bool, told: Callable[[int], None]) -> Iterator[Finding]:
    """Examine a service, with its ``games`` or without; raise ``StoreUnavailable`` if it cannot be reached."""
    with unavailable():
        found = list(server.check(patient.client, patient.shards))
        yield from found
        if any(each.check in {"server", "shards"} and each.level == "wrong" for each in found):
            return
        workers, outbox = RqQueue(patient.queue, 0).workers, Outbox(patient.client)
        yield from work.check(patient.client, patient.shards, workers, outbox.overdue)
        if games:
            yield from GameChecks(patient.client, patient.shards, patient.patience, mends=mends).check(told)
