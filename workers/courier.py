"""The courier takes due destinations, and lets the channel of each serve it, several at a time.

A slow destination occupies one thread, and only while it is served. Those that were slow last time, or were never
served, share half of the threads. The other half is reserved for destinations that responded quickly last time.
"""

import logging
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

import redis

from domain.game.durations import HOUR
from service.common import wall_clock
from service.common.child_process import report_ready
from service.config.settings import Settings
from service.notifications.assembly import Channels, channels_on
from service.notifications.delivery.destinations import Destination, Kind
from service.notifications.delivery.due_destinations import DueDestinations, Taken
from service.store.archive.buckets import place_at
from service.store.event_store import EventStore, StoreUnavailable
from service.store.heartbeat import StoreClock
from service.store.redis.connections import connect
from service.store.reporting import Reporter
from service.store.shards import shards_of
from workers.loops import StopSignal, away, until

_log = logging.getLogger("plateau.worker")

_REST_SECONDS = 0.5
"""How long a courier waits before it reads the list again; a destination that becomes due wakes it at once."""
_LEAST_SECONDS = 0.001
_FINISH_SECONDS = 6.0
_QUICK_SECONDS = 1.0
_MOST_REMEMBERED = 20_000
_LATER_MS, _DEFECT_MS, _UNSERVED_MS = 250, 60_000, HOUR


class Courier:
    """Serves the due destinations with a number of threads, which end with the process.

    ``now_ms`` returns the time in ms since 1970, in the clock of the list of due destinations.
    """

    def __init__(
        self,
        due_destinations: DueDestinations,
        channels: Channels,
        threads: int,
        now_ms: Callable[[], int] = wall_clock.now_ms,
    ) -> None:
        self._now_ms = now_ms
        self._due = due_destinations
        self._channels = channels
        self._unserved: set[Kind] = set()
        self._threads = threads
        self._busy = 0
        self._change = threading.Condition()
        self._taken: SimpleQueue[Taken] = SimpleQueue()
        self._quick: dict[Destination, None] = {}
        self._places_of_others = threading.Semaphore(max(1, threads // 2))
        for number in range(threads):
            threading.Thread(target=self._serve_for_ever, name=f"courier {number}", daemon=True).start()

    def run(self) -> None:
        """Take due destinations for the idle threads; if there are none, wait until there is one."""
        with self._change:
            self._change.wait_for(lambda: self._busy < self._threads, _REST_SECONDS)
            idle = self._threads - self._busy
        if not idle:
            return
        taken, seconds = self._due.take_or_learn(idle)
        with self._change:
            self._busy += len(taken)
        for destination in taken:
            self._taken.put(destination)
        if not taken:
            self._due.wait(min(max(seconds, _LEAST_SECONDS), _REST_SECONDS))

    def finish(self, seconds: float) -> bool:
        """Wait until all taken destinations are served, for at most so many seconds; return whether they are."""
        with self._change:
            return self._change.wait_for(lambda: self._busy == 0, seconds)

    def _serve_for_ever(self) -> None:
        while True:
            taken = self._taken.get()
            try:
                self._due.settle(taken, self._serve(taken.destination))
            except StoreUnavailable as error:
                away.report(error)  # the destination is taken again when its lease ends
            finally:
                with self._change:
                    self._busy -= 1
                    self._change.notify_all()

    def _serve(self, destination: Destination) -> int | None:
        """Serve a destination; return when it is due again.

        A destination of a kind that this courier has no channel for, such as mail without a server, is postponed for
        long.
        """
        channel = self._channels.get(destination.kind)
        if channel is None:
            self._warn_once(destination.kind)
            return self._now_ms() + _UNSERVED_MS
        is_quick = destination in self._quick
        if not is_quick and not self._places_of_others.acquire(blocking=False):
            return self._now_ms() + _LATER_MS
        began = time.monotonic()
        try:
            return channel.deliver(destination)
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001 - the other destinations must still be served
            _log.exception("serving a destination of %s failed: %s", destination.player, destination.field)
            return self._now_ms() + _DEFECT_MS
        finally:
            self._note(destination, is_quick=time.monotonic() - began < _QUICK_SECONDS)
            if not is_quick:
                self._places_of_others.release()

    def _warn_once(self, kind: Kind) -> None:
        with self._change:
            is_first = kind not in self._unserved
            self._unserved.add(kind)
        if is_first:
            _log.warning("nothing is delivered by %s: this courier is not set up for it", kind)

    def _note(self, destination: Destination, *, is_quick: bool) -> None:
        if not is_quick:
            self._quick.pop(destination, None)
            return
        if len(self._quick) >= _MOST_REMEMBERED:
            self._quick.clear()
        self._quick[destination] = None


def carry(settings: Settings, stop: StopSignal) -> None:
    """Run the courier until asked to stop; then finish the taken destinations, or leave them to another courier."""
    client = connect(settings.redis_url or "")
    clock = StoreClock(client)
    shards_of(client, settings.shards).look_for_ever()
    courier = courier_on(client, settings, clock)
    Reporter(client, "courier", clock, archive=settings.archive_place).report_for_ever()
    _log.info("courier is up")
    report_ready()
    until(stop, courier.run)
    if not courier.finish(_FINISH_SECONDS):
        _log.warning("deliveries were cut short at the end; they will be repeated")


def courier_on(client: redis.Redis, settings: Settings, clock: StoreClock) -> Courier:
    """Make the courier of a process, with a channel for each kind of destination."""
    store = EventStore(client, settings.shards, archive=place_at(settings.archive))
    channels = channels_on(store, settings, clock)
    return Courier(DueDestinations(client), channels, settings.courier_threads, clock.now_ms)
