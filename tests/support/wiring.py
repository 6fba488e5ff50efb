"""The service wired on a store, as a process that has just started has it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import redis

from domain.game.durations import instant
from domain.game.time_control import LEAST_MOVE
from domain.game.timeouts import ENDLESS, Patience
from service.accounts.limits import Unlimited
from service.accounts.players import Caller, Key, Players
from service.accounts.tickets import Tickets
from service.api.http.endpoint import Services
from service.common import wall_clock
from service.config.settings import Settings
from service.games.access import Wanted
from service.games.advice.advising import Advising
from service.games.commands import Act, Command, Create, Join, Leave
from service.games.departing import Departing
from service.games.desk import Desk
from service.games.forking import Forking
from service.games.invitations.invitation_store import Invitations
from service.games.invitations.inviting import Inviting
from service.games.invitations.joining import Joining
from service.games.invitations.rematching import Rematching
from service.games.planning import Planning
from service.games.projections.resources import EventPage
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.games.talking import Talking
from service.inbox.notice_log import NoticeLog
from service.inbox.reminders import Reminders
from service.notifications.delivery.destinations import Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.push.assembly import push_service_on
from service.notifications.webhook.webhook_service import WebhookService
from service.runtime.wiring import webhook_service_on
from service.store.beside_log.question_store import QuestionStore
from service.store.change_feed import NOTIFIERS, ChangeFeed
from service.store.codec import Answer
from service.store.event_store import EventStore
from service.store.store_clock import StoreClock
from service.streams.games import GameFollowing
from service.streams.streams import Streams
from service.transparency.key_ring import KeyRing
from service.transparency.receipts import Receipts
from service.transparency.transparency_log import TransparencyLog
from workers.notifier import Notifier

LINK_SECONDS = 300


TICKET_SECONDS = 60


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


def tickets_on(store: EventStore, desk: Desk) -> Tickets:
    """Make what signs links, as every process of the store has it."""
    return Tickets(store.naming_secret, desk.now, {"board": LINK_SECONDS, "stream": TICKET_SECONDS})


def services_on(store: EventStore, players: Players) -> Services:
    """Make what the view functions use, as a process that has just started has it."""
    games = Games(store)
    use_cases = use_cases_on(store, games, players)
    reader, receipts = use_cases["reader"], Receipts(KeyRing(store.client, wall_clock.now))
    return Services(
        desk=games.desk,
        **use_cases,
        advising=Advising(reader, QuestionStore(store), games.desk.now),
        tickets=tickets_on(store, games.desk),
        webhooks=webhooks_on(store),
        pushing=push_service_on(store, Settings(), StoreClock(store.client)),
        notices=NoticeLog(store.client),
        streams=Streams(store.client),
        following=GameFollowing(reader, use_cases["planning"], players, use_cases["talking"], receipts),
        receipts=receipts,
        heads=TransparencyLog(store.client),
        is_ready=store.is_up,
        confirm=store.confirm,
    )


def webhooks_on(store: EventStore, most: int = 10) -> WebhookService:
    """Make what handles webhooks."""
    return webhook_service_on(store.client, most, Rules(), StoreClock(store.client))


def use_cases_on(store: EventStore, games: Games, players: Players, limiter: Unlimited | None = None) -> dict[str, Any]:
    """Make what handles invitations, forks, plans, phrases and departures, and a reader who knows of invitations."""
    invitations = Invitations(store.client)
    inviting = Inviting(games.desk, games.repository, invitations, players, limiter)
    reader = Reader(games.repository, inviting.is_invited)
    talking = Talking(games.repository, games.desk.now, limiter)
    return {
        "reader": reader,
        "players": players,
        "inviting": inviting,
        "joining": Joining(games.desk, inviting, invitations, players, limiter),
        "rematching": Rematching(games.desk, games.repository, invitations, players),
        "forking": Forking(games.desk, games.repository, inviting.is_invited),
        "planning": games.planning,
        "talking": talking,
        "departing": Departing(games.desk, reader, invitations, games.planning, talking),
    }


def notifier_on(client: redis.Redis, reader: str = "first") -> Notifier:
    """Make what writes notices into the logs of players, as a process that has just started has it."""
    feed, reminders = ChangeFeed(client, 16, NOTIFIERS, reader), Reminders(client, 16)
    notifier = Notifier(feed, NoticeLog(client), reminders, Destinations(client), DueDestinations(client))
    notifier.join()
    return notifier
