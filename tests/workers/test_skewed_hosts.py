"""Many hosts on many clocks share one store: times go forward, deadlines come once and never early, downtimes once."""

import random
import time
from collections.abc import Sequence

import pytest
import redis

from domain.events import Clock
from domain.game.durations import MINUTE, SECOND, instant
from domain.game.timeouts import Patience
from domain.log.record import Record
from service.games.commands import Act
from service.games.plans.planned_moves import PlannedMoves
from service.games.store_audit import StoreAudit
from service.jobs.fair_queue import FairQueue
from service.store import keys
from service.store.deadlines import Deadlines
from service.store.event_store import EventStore
from service.store.heartbeat import Heartbeat, StoreClock, steady_seconds
from tests.support.games import ADA, BOB, spec, wish
from tests.support.wiring import Games
from workers.dispatcher import Sweeper
from workers.in_process import LocalQueue
from workers.policy_process import PolicyProcess
from workers.turn_worker import TurnWorker

SKEWS = (-600.0, -30.0, -1.0, 0.0, 1.0, 30.0, 600.0)
QUICK = Clock("PT1S", None, None, "bot", "random")
SLOW = Clock("PT1H", None, None, "bot", "random")


class Host:
    """A host whose clock is off by some seconds: a web process, a sweeper and a worker, as they are wired."""

    def __init__(self, client: redis.Redis, skew: float, policy_process: PolicyProcess) -> None:
        store = EventStore(client)
        clock = StoreClock(client, lambda: steady_seconds() + skew, lambda: time.time() + skew)
        self.heartbeat = Heartbeat(client, serves=True, now=lambda: steady_seconds() + skew, clock=clock)
        self.games = Games(store, clock.now, Patience(), self.heartbeat.downtimes, least_move=SECOND)
        moves = PlannedMoves(self.games.desk, self.games.repository, self.games.planning)
        rest = policy_process, self.heartbeat, moves
        self.queue: FairQueue = LocalQueue(client)
        self._sweeper = Sweeper(Deadlines(client, 16, lease_ms=300), self.queue, self.heartbeat)
        self._worker = TurnWorker(self.games.desk, self.games.repository, *rest)

    def beat(self) -> None:
        """Record a heartbeat."""
        self.heartbeat.beat()

    def sweep(self) -> None:
        """Queue what is due, and do what is queued."""
        self._sweeper.sweep()
        while (job := self.queue.take()) is not None:
            self._worker.handle(*job)

    def act(self, game_id: str, dice: random.Random) -> None:
        """Act for the seat that the game waits for."""
        game = self.games.current(game_id)
        seat = min(game.pending)
        action = dice.choice(list(game.ruleset.legal_actions(game.state, seat)))
        self.games.do(game_id, Act(caller=(ADA, BOB)[seat], seat=seat, action=action))


@pytest.fixture
def client(valkey_url: str) -> redis.Redis:
    """An empty store on the bundled server."""
    client = redis.Redis.from_url(valkey_url)
    client.flushall()
    return client


@pytest.fixture
def hosts(client: redis.Redis, policy_process: PolicyProcess) -> list[Host]:
    """Hosts with all clocks, in an order of chance."""
    found = [Host(client, skew, policy_process) for skew in SKEWS]
    random.Random(1).shuffle(found)
    for host in found:
        host.beat()
    return found


def store_ms(client: redis.Redis) -> int:
    seconds, micros = client.time()
    return 1000 * seconds + micros // 1000


def begin(host: Host, clock: Clock) -> str:
    wanted = spec((True, False), sandbox=False, ruleset="plateau", more={"clock": clock})
    game_id, _ = host.games.create(ADA, wanted)
    host.games.join(game_id, BOB, wish())
    return game_id


def log_of(client: redis.Redis, game_id: str) -> list[Record]:
    return EventStore(client).read(game_id)


def test_the_times_of_events_are_those_of_the_store_and_go_forward(client: redis.Redis, hosts: Sequence[Host]) -> None:
    dice, before = random.Random(1), store_ms(client)
    game_id = begin(hosts[0], SLOW)
    for host in hosts * 2:
        host.act(game_id, dice)
    times = [instant(record.at) for record in log_of(client, game_id)]
    assert times == sorted(times)
    assert before - SECOND <= times[0]
    assert times[-1] <= store_ms(client)
    game = hosts[0].games.current(game_id)
    assert all(0 < until - times[-1] <= 60 * MINUTE for until in game.deadlines.values())


def test_deadlines_come_once_and_never_early_by_the_clock_of_the_store(
    client: redis.Redis, hosts: Sequence[Host]
) -> None:
    game_id = begin(hosts[0], QUICK)
    late = 0
    while late < 2:
        deadline = max(hosts[late].games.current(game_id).deadlines.values())
        known = len(log_of(client, game_id))
        while len(log_of(client, game_id)) == known:
            time.sleep(0.01)
            for host in hosts:
                asked = store_ms(client)
                host.sweep()
                if len(log_of(client, game_id)) > known:
                    assert store_ms(client) >= deadline
                    break
                assert asked < deadline + 30 * SECOND
        (first, *rest) = log_of(client, game_id)[known:]
        assert first.type == "turn_timed_out"
        assert instant(first.at) >= deadline
        assert "turn_timed_out" not in [record.type for record in rest]
        late += 1
    for host in hosts:
        host.sweep()
    assert [record.type for record in log_of(client, game_id)].count("turn_timed_out") == 2


def test_a_downtime_is_credited_once_and_no_skew_invents_one(client: redis.Redis, hosts: Sequence[Host]) -> None:
    dice = random.Random(1)
    game_id = begin(hosts[0], SLOW)
    for host in hosts:
        host.beat()
        host.act(game_id, dice)
    assert client.zcard(keys.DOWNTIMES) == 0
    assert "time_credited" not in [record.type for record in log_of(client, game_id)]
    until = hosts[0].games.current(game_id).deadlines
    client.set(keys.HEARTBEAT, store_ms(client) - 120 * SECOND)
    for host in hosts:
        host.beat()
    assert client.zcard(keys.DOWNTIMES) == 1
    known = len(log_of(client, game_id))
    for host in hosts:
        host.act(game_id, dice)
    types = [record.type for record in log_of(client, game_id)]
    assert types.count("time_credited") == 1
    assert types[known] == "time_credited"
    assert until
    assert StoreAudit(EventStore(client)).check(game_id).fault is None
