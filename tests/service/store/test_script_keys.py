"""Every key that a script touches is among the keys that it is given: a cluster runs it where these live.

A real server is watched (MONITOR) while each script runs: it names the keys of every command that a script makes.
"""

import random
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import redis

from domain.game.durations import DAY, instant, moment
from domain.game.time_control import PLAY_BY_POST
from service.accounts.limiter import Limiter
from service.accounts.limits import DEFAULTS, PLACES, Toll
from service.accounts.players import Caller, Key, Players
from service.games.commands import EndGame
from service.games.forking import Fork, Forking
from service.games.indexing import remove
from service.games.plans.plan import Plan, written
from service.games.talking import Talking
from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Notice, Reminders
from service.jobs.fair_queue import FairQueue, Job
from service.notifications.delivery.destinations import Destination, Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.webhook.channel import trial_of
from service.notifications.webhook.deliveries import Attempt, Deliveries
from service.notifications.webhook.webhook_store import Webhooks
from service.store import keys
from service.store.archive.buckets import Folder
from service.store.archiving import Archive
from service.store.deadlines import Deadlines
from service.store.event_store import EventStore
from service.store.game_index import Priority, Rank
from service.store.game_lists import GameLists, Part
from service.store.heartbeat import Heartbeat
from service.store.redis.connections import connect
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import Cosignature, TransparencyLog, Unlogged
from tests.support.games import ADA, play_on, sandbox, spec
from tests.support.server import ROOT
from tests.support.wiring import Games
from workers.log_worker import LogWorker

OPERATOR = Caller("pl_operator", frozenset({"admin"}))
LONG_AGO = moment(1_700_000_000_000)


class Watched:
    """What scripts did: the names of the commands of each, and the keys that they touched undeclared."""

    def __init__(self) -> None:
        self.scripts = 0
        self.commands: set[str] = set()
        self.undeclared: set[tuple[str, str]] = set()


@contextmanager
def watching(url: str) -> Iterator[Watched]:
    """Watch what scripts do to the server until the block ends."""
    watched = Watched()
    with connect(url) as asked, connect(url) as watcher, watcher.monitor() as monitor:
        yield watched
        asked.echo("the end")
        declared: set[str] = set()
        while (said := _said(monitor))[1:] != ["ECHO", "the end"]:
            origin, name, *arguments = said
            if not origin.endswith("lua]"):
                is_script = name in ("EVALSHA", "EVAL")
                watched.scripts += is_script
                declared = set(arguments[2 : 2 + int(arguments[1])]) if is_script else set()
            else:
                watched.commands.add(name)
                watched.undeclared |= {(name, key) for key in _keys(asked, name, arguments) if key not in declared}


def _said(monitor: Any) -> list[str]:
    """Read a line such as ``1700000000.123456 [0 lua] "ZADD" "key" "1" "member"``."""
    _, origin, command = monitor.connection.read_response().decode().split(" ", 2)
    place, _, words = f"{origin} {command}".partition("] ")
    name, *arguments = shlex.split(words)
    return [f"{place}]", name.upper(), *arguments]


def _keys(client: redis.Redis, name: str, arguments: list[str]) -> list[str]:
    if name in ("TIME", "PUBLISH"):
        return []  # these have no keys
    found = client.execute_command("COMMAND GETKEYS", name, *arguments)
    return [key.decode() if isinstance(key, bytes) else key for key in found]


@pytest.fixture
def started(redis_url: str) -> Iterator[tuple[redis.Redis, Games]]:
    with connect(redis_url) as client:
        yield client, Games(EventStore(client), lambda: LONG_AGO)


def _play(client: redis.Redis, games: Games) -> None:
    game_id = games.create(ADA, spec(more={"clock": PLAY_BY_POST}))[0]
    play_on(games, game_id, random.Random(1), Key("a key", "fingerprint"))


def _sweep(client: redis.Redis, games: Games) -> None:
    _play(client, games)
    assert len(Deadlines(client, 16, 1000).take(10)) == 1


def _wait_in_queue(client: redis.Redis, games: Games) -> None:
    queue = FairQueue(client)
    for rank in (*Rank, Rank.URGENT):
        queue.put([Job("gm_1", 1, Priority(rank, ("ada",))), Job("gm_2", None, Priority(rank, ("bob",)))])
    while queue.take():
        pass


def _count(client: redis.Redis, games: Games) -> None:
    limiter = Limiter(client, DEFAULTS, lambda _: {})
    for bucket in ("new-players", "joins"):
        limiter.count(bucket, "ada")


def _take_places(client: redis.Redis, games: Games) -> None:
    Limiter(client, DEFAULTS, lambda _: {}).charge(Toll((), PLACES), "pl_ada", "gm_1")


def _page_turns(client: redis.Redis, games: Games) -> None:
    _play(client, games)
    GameLists(EventStore(client)).turns_of(ADA.player, Part())


def _change_players(client: redis.Redis, games: Games) -> None:
    players = Players(client, lambda: LONG_AGO)
    player = players.create("Ada")[0].id
    players.profiles.change(player, {"language": "fr", "time_zone": None}, {"seen": True})
    players.profiles.saw(player)
    assert players.rename(player, "Bob")
    assert players.create_token(player, ("games:read",), "phone")


def _serve_destinations(client: redis.Redis, games: Games) -> None:
    due_destinations = DueDestinations(client, lease_ms=0)
    due_destinations.make_due([Destination("pl_ada", "mail"), Destination("pl_bob", "mail")])
    for _ in range(2):
        taken = due_destinations.take(1)
    assert due_destinations.settle(taken[0], 1)
    client.hset(keys.destinations("pl_ada"), Destination("pl_ada", "mail").field, "0-0")
    assert Destinations(client).advance(Destination("pl_ada", "mail"), "0-0", "1-0")


def _use_webhooks(client: redis.Redis, games: Games) -> None:
    player = Players(client, lambda: LONG_AGO).create("Ada")[0].id
    webhooks, deliveries = Webhooks(client, lambda: 1), Deliveries(client)
    webhook = webhooks.create(player, "https://ada.example/", None)
    message = trial_of(webhook, "msg_1", LONG_AGO)
    assert deliveries.take_in(webhook, [message] * 2, 1, ("0-0", "1-0")) == 2
    tried = replace(message, attempts=(Attempt(1, 1, 204, None, ""),), accepted=True)
    assert deliveries.record(webhook, 1, tried, None) == 1
    assert deliveries.record(webhook, 2, tried, 5) == 1
    assert deliveries.make_pending(webhook, 1, 1) == "pending"


def _beat(client: redis.Redis, games: Games) -> None:
    client.set(keys.HEARTBEAT, 1)
    Heartbeat(client).beat()


def _note(client: redis.Redis, games: Games) -> None:
    client.hset(keys.player("pl_ada"), "name", "Ada")
    NoticeLog(client).add([Notice("your_turn", "pl_ada", "gm_1", 7, LONG_AGO)])


def _plan(client: redis.Redis, games: Games) -> None:
    game = games.current(games.create(ADA, spec(more={"clock": PLAY_BY_POST}))[0])
    (seat,) = game.waiting_for
    for forced in (True, False):
        games.planning.put(game, ADA, seat, (), forced, lambda *_: None)
    stored = written(Plan(ADA.player, game.version, ({"action": {"type": "pass"}},)))
    client.hset(games.repository.store.keys_of(game.id).plans, str(seat), stored)
    games.planning.drop_steps(game, seat, stored)
    games.planning.leave(game, seat, b"", is_last=True)


def _say(client: redis.Redis, games: Games) -> None:
    game = games.current(games.create(ADA, spec(ruleset="plateau"))[0])
    talking = Talking(games.repository, games.desk.now)
    for key in (None, Key("hello", "fingerprint"), Key("hello", "fingerprint")):
        talking.say(game, ADA, 0, "hello", key)


def _remind(client: redis.Redis, games: Games) -> None:
    reminders, until = Reminders(client, 16), moment(instant(LONG_AGO) + DAY)
    notice = Notice("your_turn", "pl_ada", "gm_1", 7, LONG_AGO, {"seat": 0, "decision_id": "d7_0", "deadline": until})
    for again in (instant(LONG_AGO), None):
        reminders.schedule([notice])
        (due,) = reminders.due(instant(until), 1)
        assert reminders.settle(due, again, [notice])


def _log_heads(client: redis.Redis, games: Games) -> None:
    _play(client, games)
    log, unlogged, ring = TransparencyLog(client), Unlogged(client, 16), KeyRing(client, lambda: LONG_AGO)
    assert LogWorker(log, unlogged, ring.sign, lambda: LONG_AGO, 3600).keep() == 1
    assert log.cosignatures.keep(1, Cosignature("a" * 64, "b" * 128))


def _archive(client: redis.Redis, games: Games) -> None:
    with TemporaryDirectory() as folder:
        store = EventStore(client, archive=Folder(Path(folder)))
        game_id = games.create(ADA, spec(more={"clock": PLAY_BY_POST}))[0]
        assert Archive(store, Folder(Path(folder))).move_out(game_id).result == "out"
        assert store.bring_back(game_id)


def _remove(client: redis.Redis, games: Games) -> None:
    game_id = sandbox(games)
    for number in range(12):
        play_on(games, game_id, random.Random(number))
    forking = Forking(games.desk, games.repository, lambda *_: False)
    fork_id, _ = forking.fork(games.current(game_id), Fork(caller=ADA))
    for each, result in ((game_id, "shared"), (fork_id, "removed")):
        games.do(each, EndGame(caller=OPERATOR, reason="for a test"))
        assert remove(games.repository, games.current(each), games.desk.patience) == result


WORK: dict[str, Callable[[redis.Redis, Games], None]] = {
    "add_token.lua": _change_players,
    "change_player.lua": _change_players,
    "mark_seen.lua": _change_players,
    "append.lua": _play,
    "beat.lua": _beat,
    "plan.lua": _plan,
    "add_phrase.lua": _say,
    "move_out.lua": _archive,
    "bring_back.lua": _archive,
    "share.lua": _remove,
    "remove.lua": _remove,
    "sweep.lua": _sweep,
    "put.lua": _wait_in_queue,
    "take.lua": _wait_in_queue,
    "reserve_place.lua": _take_places,
    "turns.lua": _page_turns,
    "make_due.lua": _serve_destinations,
    "take_due.lua": _serve_destinations,
    "finish_delivery.lua": _serve_destinations,
    "advance.lua": _serve_destinations,
    "take_in.lua": _use_webhooks,
    "make_pending.lua": _use_webhooks,
    "record.lua": _use_webhooks,
    "add_notice.lua": _note,
    "remind.lua": _remind,
    "cosign.lua": _log_heads,
    "extend_log.lua": _log_heads,
    "mark_logged.lua": _log_heads,
    "the rates": _count,
}


def test_every_script_there_is_is_watched() -> None:
    found = {path.name for path in (ROOT / "service").rglob("*.lua")}
    assert WORK.keys() == found | {"the rates"}


@pytest.mark.parametrize("script", WORK)
def test_a_script_touches_the_keys_alone_that_it_is_given(
    script: str, redis_url: str, started: tuple[redis.Redis, Games]
) -> None:
    with watching(redis_url) as watched:
        WORK[script](*started)
    assert watched.scripts > 0
    assert len(watched.commands) > 2
    assert watched.undeclared == set()


def test_a_script_that_makes_up_a_key_is_found_out(redis_url: str) -> None:
    with watching(redis_url) as watched, connect(redis_url) as client:
        client.eval("return {redis.call('GET', KEYS[1]), redis.call('XLEN', KEYS[1] .. ':events')}", 1, "a")
    assert watched.undeclared == {("XLEN", "a:events")}
