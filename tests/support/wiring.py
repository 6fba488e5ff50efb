"""The service wired on a store, as a process that has just started has it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import redis
from flask.testing import FlaskClient

from domain.game.durations import instant
from domain.game.time_control import LEAST_MOVE
from domain.game.timeouts import ENDLESS, Patience
from service.accounts.limiter import Limiter
from service.accounts.limits import Amounts, Unlimited
from service.accounts.players import Caller, Key, Players
from service.api import create_app
from service.api.http.endpoint import Services
from service.common import wall_clock
from service.config.settings import Settings
from service.games.access import Wanted
from service.games.commands import Act, Command, Create, Join, Leave
from service.games.desk import Desk
from service.games.plans.planning import Planning
from service.games.projections.resources import EventPage
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Reminders
from service.jobs.fair_queue import FairQueue
from service.notifications.delivery.destinations import Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.runtime.metrics import Metrics
from service.runtime.wiring import services_on
from service.store.change_feed import NOTIFIERS, ChangeFeed
from service.store.codec import Answer
from service.store.event_store import EventStore
from service.store.heartbeat import Heartbeat, StoreClock
from service.streams.streams import Streams
from service.transparency.key_ring import KeyRing, Receipts
from workers.notifier import Notifier


class Games:
    """What one process does with games: its desk and its reader, and a short way to ask for each command."""

    def __init__(
        self,
        store: EventStore,
        now: Callable[[], str] = wall_clock.now,
        patience: Patience = ENDLESS,
        downtimes: Callable[[], Sequence[tuple[int, int]]] = tuple,
        limiter: Unlimited | None = None,
        least_move: int = LEAST_MOVE,
    ) -> None:
        self._now = now
        self.repository = GameRepository(store)
        self.desk = Desk(self.repository, now, patience, downtimes, limiter, least_move)
        self.reader = Reader(self.repository)
        self.planning = Planning(self.repository, patience)
        self.look, self.show, self.current = self.reader.look, self.reader.show, self.reader.current

    def events(self, game_id: str, caller: Caller | None, wanted: Wanted, after: int, limit: int) -> EventPage:
        """Return a page of a game's log."""
        return self.reader.events(*self.reader.open_log(game_id, caller, wanted), after, limit)

    def export(self, game_id: str, caller: Caller | None, wanted: Wanted) -> str:
        """Write a game as text."""
        return self.reader.export(*self.reader.open_log(game_id, caller, wanted))

    def do(self, game_id: str, command: Command) -> Answer:
        """Enter a game and have a command carried out."""
        return self.desk.do(self.desk.enter(game_id, command.admit), command)

    def create(
        self, caller: Caller, wanted: Callable[[Caller, Key | None], Create], key: Key | None = None
    ) -> tuple[str, Answer]:
        """Create a game."""
        return self.desk.create(wanted(caller, key))

    def act(self, game_id: str, caller: Caller, wanted: Callable[[Caller], Act]) -> Answer:
        """Carry out an action."""
        return self.do(game_id, wanted(caller))

    def join(self, game_id: str, caller: Caller, wanted: Callable[[Caller], Join]) -> Answer:
        """Take a seat."""
        return self.do(game_id, replace(wanted(caller), now=instant(self._now())))

    def leave(self, game_id: str, caller: Caller, seat: int) -> Answer:
        """Leave a seat."""
        return self.do(game_id, Leave(caller=caller, seat=seat))


def games_on(client: redis.Redis) -> Games:
    """Make the desk and the reader as a process that has just started has them."""
    return Games(EventStore(client))


class SetClock(StoreClock):
    """A clock that a test sets: it shows what a function returns."""

    def __init__(self, client: redis.Redis, now: Callable[[], str]) -> None:
        super().__init__(client)
        self._now = now

    def now_ms(self) -> int:
        """Return the time in ms since 1970."""
        return instant(self._now())


def wired(
    store: EventStore,
    players: Players,
    settings: Settings | None = None,
    now: Callable[[], str] = wall_clock.now,
    limits: Amounts | None = None,
    receipts: Receipts | None = None,
) -> Services:
    """Wire the services as a process that has just started has them; it keeps no limits but those given."""
    client = store.client
    limiter = Limiter(client, limits or {}, store.public_data)
    games, streams = Games(store, now, limiter=limiter), Streams(client, limits or {})
    players.on_change(streams.account_changed)
    return services_on(
        store,
        settings or Settings(),
        SetClock(client, now),
        desk=games.desk,
        repository=games.repository,
        planning=games.planning,
        players=players,
        limiter=limiter,
        streams=streams,
        receipts=receipts or Receipts(KeyRing(client, now)),
        metrics=Metrics(client, 16, Heartbeat(client), lambda: FairQueue(client)).text,
    )


def client_of(store: EventStore, players: Players) -> FlaskClient:
    """Return a client of the service on a store, as a process that has just started has it."""
    return create_app(wired(store, players)).test_client()


def notifier_on(client: redis.Redis, reader: str = "first") -> Notifier:
    """Make what writes notices into the logs of players, as a process that has just started has it."""
    feed, reminders = ChangeFeed(client, 16, NOTIFIERS, reader), Reminders(client, 16)
    notifier = Notifier(feed, NoticeLog(client), reminders, Destinations(client), DueDestinations(client))
    notifier.feed.join()
    return notifier
