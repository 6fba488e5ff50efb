"""The courier takes outlets that are due, and lets the channel of each serve it, several at a time.

A slow outlet holds one thread, and only for its turn. Outlets that were slow the last time share half of the threads,
so the other half is there for all the rest, however many are slow.
"""

import logging
import threading
import time
from collections.abc import Mapping
from queue import SimpleQueue

import redis

from service.child_process import report_ready
from service.mail.assembly import channel_on as mail_channel_on
from service.outlets.outbox import Outbox, Taken
from service.outlets.outlets import Channel, Kind, Outlet
from service.settings import Settings
from service.store.connections import connect
from service.store.event_store import EventStore, StoreUnavailable
from workers.loops import StopSignal, away, until

_log = logging.getLogger("plateau.worker")

_REST_SECONDS = 0.05
_FINISH_SECONDS = 6.0
_SLOW_SECONDS = 1.0
_MOST_REMEMBERED = 10_000
_LATER_MS, _DEFECT_MS = 1_000, 60_000

Channels = Mapping[Kind, Channel]


class Courier:
    """Serves the outlets of one outbox with a number of threads, which end with the process."""

    def __init__(self, outbox: Outbox, channels: Channels, threads: int) -> None:
        self._outbox = outbox
        self._channels = channels
        self._threads = threads
        self._busy = 0
        self._change = threading.Condition()
        self._taken: SimpleQueue[Taken] = SimpleQueue()
        self._slow: dict[Outlet, None] = {}
        self._places_of_slow = threading.Semaphore(max(1, threads // 2))
        for number in range(threads):
            threading.Thread(target=self._serve_for_ever, name=f"courier {number}", daemon=True).start()

    def run(self) -> None:
        """Take what is due for the threads that are idle; rest when nothing is due."""
        with self._change:
            self._change.wait_for(lambda: self._busy < self._threads, _REST_SECONDS)
            idle = self._threads - self._busy
        taken = self._outbox.take(idle) if idle else []
        with self._change:
            self._busy += len(taken)
        for each in taken:
            self._taken.put(each)
        if idle and not taken:
            time.sleep(_REST_SECONDS)

    def finish(self, seconds: float) -> bool:
        """Wait until all that was taken is served, for at most so many seconds; return whether it is."""
        with self._change:
            return self._change.wait_for(lambda: self._busy == 0, seconds)

    def _serve_for_ever(self) -> None:
        while True:
            taken = self._taken.get()
            try:
                self._outbox.settle(taken, self._serve(taken.outlet))
            except StoreUnavailable as error:
                away.report(error)  # the outlet is taken again when its lease ends
            finally:
                with self._change:
                    self._busy -= 1
                    self._change.notify_all()

    def _serve(self, outlet: Outlet) -> int | None:
        """Serve an outlet; return when it is due again."""
        is_slow = outlet in self._slow
        if is_slow and not self._places_of_slow.acquire(blocking=False):
            return _in(_LATER_MS)
        began = time.monotonic()
        try:
            return self._channels[outlet.kind].deliver(outlet)
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001 - the other outlets must still be served
            _log.exception("serving an outlet of %s failed: %s", outlet.player, outlet.field)
            return _in(_DEFECT_MS)
        finally:
            self._note(outlet, is_slow=time.monotonic() - began > _SLOW_SECONDS)
            if is_slow:
                self._places_of_slow.release()

    def _note(self, outlet: Outlet, *, is_slow: bool) -> None:
        if not is_slow:
            self._slow.pop(outlet, None)
            return
        if len(self._slow) >= _MOST_REMEMBERED:
            self._slow.clear()
        self._slow[outlet] = None


def _in(ms: int) -> int:
    return int(time.time() * 1000) + ms


def carry(settings: Settings, stop: StopSignal) -> None:
    """Run the courier until asked to stop; then finish what it has taken, or leave it to the next one."""
    courier = courier_on(connect(settings.redis_url or ""), settings)
    _log.info("courier is up")
    report_ready()
    until(stop, courier.run)
    if not courier.finish(_FINISH_SECONDS):
        _log.warning("deliveries were cut short at the end; they will be repeated")


def courier_on(client: redis.Redis, settings: Settings) -> Courier:
    """Make the courier of a process, with a channel for each kind of outlet."""
    return Courier(Outbox(client), _channels_on(client, settings), settings.courier_threads)


def _channels_on(client: redis.Redis, settings: Settings) -> Channels:
    mail = mail_channel_on(EventStore(client, settings.shards), settings)
    return {"mail": mail} if mail else {}
