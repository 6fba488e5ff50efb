"""What the tests of the service begin with: a store of every kind, the use cases on it, games to act in."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import fakeredis
import orjson
import pytest
import redis

from domain.game.aggregate import Game
from domain.game.durations import instant
from domain.game.time_control import LEAST_MOVE
from domain.game.timeouts import ENDLESS, Patience
from domain.log.record import Record
from domain.registry import RULESETS
from service.accounts.limits import Unlimited
from service.accounts.players import GUEST_SCOPES, Caller, Key, Players
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
from service.store.event_store import Append, EventStore
from service.store.redis.connections import connect
from service.store.store_clock import StoreClock
from service.streams.games import GameFollowing
from service.streams.streams import Streams
from service.transparency.key_ring import KeyRing
from service.transparency.receipts import Receipts
from service.transparency.transparency_log import TransparencyLog
from tests.domain.play import Step
from tests.servers import PROGRAMS
from workers.notifier import Notifier

ON_SERVERS = ("memory", *PROGRAMS)
"""The one in memory, and the servers on this machine: for what is never on a cluster."""

ON_CLUSTER = pytest.param("cluster", marks=pytest.mark.long)

KINDS = (*ON_SERVERS, ON_CLUSTER)
"""Every store that a test can run on; ``make long`` has the cluster, too."""

BUNDLED = [kind if kind != "redis" else pytest.param(kind, marks=pytest.mark.long) for kind in KINDS]
"""For what does not speak to the store itself: the store in memory, and the bundled server; ``make long`` has all."""

SERVERS = [pytest.param("memory", marks=pytest.mark.long), *PROGRAMS, ON_CLUSTER]
"""For workers: the servers on this machine; ``make long`` has the store in memory and the cluster, too."""

ADA = Caller("pl_ada", frozenset(GUEST_SCOPES))
BOB = Caller("pl_bob", frozenset(GUEST_SCOPES))

LINK_SECONDS = 300
TICKET_SECONDS = 60

RAW_HEAD = "0" * 64
"""The hash of every record that `record` makes."""


def empty_store(request: pytest.FixtureRequest) -> Iterator[redis.Redis]:
    """Return a client of an empty store of the kind (of KINDS) that is the fixture's parameter."""
    if request.param == "memory":
        with fakeredis.FakeRedis(server=fakeredis.FakeServer()) as client:
            yield client
    else:
        fixture = {"valkey": "valkey_url", "redis": "real_redis_url", "cluster": "cluster_url"}[request.param]
        with connect(request.getfixturevalue(fixture)) as it:
            it.flushall()
            yield it


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


def everything(client: redis.Redis) -> dict[bytes, Any]:
    """Read every key and all that is stored under it."""
    readers: Mapping[bytes, Callable[[bytes], Any]] = {
        b"stream": client.xrange,
        b"hash": client.hgetall,
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"list": lambda key: client.lrange(key, 0, -1),
        b"string": client.get,
    }
    return {key: readers[client.type(key)](key) for key in sorted(client.scan_iter())}


def append_of(step: Step, **more: Any) -> Append:
    """Append what a step of a random game recorded."""
    version, head = (step.before.version, step.before.head) if step.before else (0, "")
    return Append(step.game.id, version, step.records, head, **more)


def record(version: int, request: str, game_id: str = "gm_raw") -> Record:
    """Make a record that means nothing, for tests that look at the log only."""
    return Record(game_id, version, "noted", "2026-01-01T00:00:00.000Z", None, {}, {}, RAW_HEAD, {}, request)


def spec(
    seats: Iterable[bool] = (True, True),
    *,
    sandbox: bool = True,
    ruleset: str = "le-plateau",
    more: Mapping[str, Any] | None = None,
    **options: Any,
) -> Callable[[Caller, Key | None], Create]:
    """Ask for a game; a seat is the creator's, or open; ``more`` are other fields of the command."""
    fields = {"visibility": "public", "sandbox": sandbox, "mine": tuple(seats), **(more or {})}
    return lambda caller, key: Create(caller=caller, key=key, ruleset=RULESETS[ruleset], options=options, **fields)


def sandbox(games: Games, seats: int = 2) -> str:
    """Create a game in which Ada holds every seat; it has started."""
    return games.create(ADA, spec([True] * seats), None)[0]


def order(
    action: Any, *, seat: int | None = None, version: int | None = None, key: Key | None = None
) -> Callable[[Caller], Act]:
    """Ask for an action."""
    return lambda caller: Act(caller=caller, action=action, seat=seat, expected=version, key=key)


def wish(seat: int | None = None, key: Key | None = None) -> Callable[[Caller], Join]:
    """Ask for a seat."""
    return lambda caller: Join(now=0, caller=caller, seat=seat, key=key)


def choose(game: Game, rng: random.Random) -> tuple[int, Any]:
    """Choose one of the seats to act, and one of its legal actions."""
    seat = rng.choice(sorted(game.pending))
    return seat, rng.choice(list(game.ruleset.legal_actions(game.state, seat)))


def play_on(games: Games, game_id: str, rng: random.Random, key: Key | None = None) -> Answer:
    """Carry out one legal action in Ada's sandbox, of the game as it is."""
    game, _ = games.look(game_id, ADA, None, None)
    seat, action = choose(game, rng)
    return games.act(game_id, ADA, order(action, seat=seat, key=key))


def body(answer: Answer) -> Any:
    """Read the JSON of an answer."""
    return orjson.loads(answer.body)


def requests_of(records: Iterable[Record]) -> list[str]:
    """List the requests that a log holds, each run of its events once, so that a doubled one shows twice."""
    found: list[str] = []
    for each in records:
        if not found or found[-1] != each.request:
            found.append(each.request)
    return found
