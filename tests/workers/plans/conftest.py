"""The service and its workers in this process, on a store of every kind, and tables in mid-game to plan at."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
import redis

from domain.game import aggregate
from domain.game.aggregate import Game
from domain.game.durations import MINUTE, SECOND, instant
from domain.game.durations import moment as written
from service.common import wall_clock
from service.games.commit import seats_to_act
from service.games.plans.planned_moves import PlannedMoves
from service.games.projections.representations import action_data
from service.store.change_feed import DISPATCHERS, ChangeFeed
from service.store.deadlines import Deadlines
from service.store.heartbeat import Heartbeat
from tests.service.api.conftest import contract, reading
from tests.support.contract import Contract
from tests.support.people import Person, Server, Table
from tests.support.random_games import Step, played
from tests.support.wiring import Games
from workers.dispatcher import Dispatcher, Sweeper
from workers.in_process import LocalQueue
from workers.policy_process import PolicyProcess
from workers.turn_worker import TurnWorker

__all__ = ["contract", "reading"]


class Hall:
    """A service, and the workers beside it, which work when the test says so."""

    def __init__(self, client: redis.Redis, contract: Contract, policy_process: PolicyProcess) -> None:
        self._ahead = 0
        self.server = Server(client, contract, self.now)
        self.store = self.server.store
        self._policy_process = policy_process
        self.feed = ChangeFeed(client, 16, DISPATCHERS, "test")
        self.feed.join()
        self.queue = LocalQueue(client)
        self.dispatcher = Dispatcher(self.feed, self.queue)
        heartbeat = Heartbeat(client, serves=True)
        heartbeat.beat()
        self.deadlines = Deadlines(client, 16, lease_ms=MINUTE)
        self.sweeper = Sweeper(self.deadlines, self.queue, heartbeat)
        self.worker = self.new_worker()[1]

    def new_worker(self) -> tuple[Games, TurnWorker]:
        """Return the use cases and a worker as another process has them."""
        games = Games(self.store, self.now, least_move=SECOND)
        moves = PlannedMoves(games.desk, games.repository, games.planning)
        client = self.server.redis
        rest = (self._policy_process, Heartbeat(client), moves)
        return games, TurnWorker(games.desk, games.repository, *rest)

    def now(self) -> str:
        """Return the time, which the test can advance."""
        return written(instant(wall_clock.now()) + self._ahead)

    def advance(self, seconds: int) -> None:
        """Let time pass for the service, but not for Redis."""
        self._ahead += seconds * SECOND

    def game(self, game_id: str) -> Game:
        """Return a game as it is."""
        return Games(self.store).current(game_id)

    def work(self) -> int:
        """Let the workers do all that the feed says there is to do; return how many jobs that took."""
        done = 0
        while self.dispatcher.pass_on(1) or self.queue.waiting():
            while (job := self.queue.take()) is not None:
                self.worker.handle(*job)
                done += 1
        return done

    def lose_work(self) -> int:
        """Let the queue lose its jobs, as when a worker is killed that has taken them; return how many."""
        self.dispatcher.pass_on(1)
        return sum(1 for _ in iter(self.queue.take, None))

    def sweep(self) -> int:
        """Let all that is due some day be due now, and the workers do it; return how many jobs that took."""
        for shard in self.store.all_shards:
            for game in self.server.redis.zrange(shard.deadlines, 0, -1):
                self.server.redis.zadd(shard.deadlines, {game: 0})
        self.sweeper.sweep()
        jobs = list(iter(self.queue.take, None))
        for job in jobs:
            self.worker.handle(*job)
        return len(jobs)


@pytest.fixture
def hall(client: redis.Redis, contract: Contract, policy_process: PolicyProcess) -> Iterator[Hall]:
    """A service and its workers on an empty store."""
    hall = Hall(client, contract, policy_process)
    yield hall
    hall.server.players.close()


@dataclass
class Moment:
    """A table at which ``first`` is to act, then ``second``; and what they can do."""

    hall: Hall
    table: Table
    first: int
    action: dict[str, Any]
    """What the first seat does."""
    then: Game
    """The game after that."""
    second: int

    def __post_init__(self) -> None:
        self.legal = list(self.then.ruleset.legal_actions(self.then.state, self.second)[:50])
        self.replies = [action_data(self.then.ruleset, each) for each in self.legal]
        """What the second seat can do then."""

    @property
    def path(self) -> str:
        """Where the plan of the second seat is."""
        return f"{self.table.path}/plan?as={self.second}"

    @property
    def player(self) -> Person:
        """Return who holds the second seat."""
        return self.table.people[self.second]

    def plan(self, *steps: dict[str, Any], forced: bool = False, **headers: str) -> Any:
        """Let the second seat plan."""
        return self.player.put(self.path, {"steps": [*steps], "forced": forced}, **headers)

    def planned(self) -> dict[str, Any]:
        """Return the plan of the second seat."""
        answer = self.player.get(self.path)
        assert answer.status_code == 200
        plan: dict[str, Any] = answer.json
        return plan

    def act(self) -> None:
        """Let the first seat act."""
        assert self.table.act(self.first, self.action).status_code == 201

    def played(self) -> int | None:
        """Return the number of the reply that was played, and nothing after it; None if it is still the seat's turn."""
        state = self.hall.game(self.table.id).state
        if state == self.then.state:
            return None
        after = (aggregate.act(self.then, self.second, action)[1].state for action in self.legal)
        return next(number for number, each in enumerate(after) if each == state)


Find = Callable[..., Moment]


@pytest.fixture
def table_of(hall: Hall) -> Callable[..., Table]:
    """Begin a game of players in the service."""

    def begin(ruleset_id: str, seats: int, **wish: Any) -> Table:
        people = [hall.server.newcomer(f"Player {seat}") for seat in range(seats)]
        return hall.server.table(people, ruleset=ruleset_id, **wish)

    return begin


def _name(step: Step) -> str:
    return type(step.action).__name__.lower()


@cache
def _found(ruleset_id: str, seats: int, kind: str, least: int, most: int) -> tuple[Sequence[Step], int]:
    for seed in range(40):
        steps = played(ruleset_id, seats, seed)
        for index, (step, later) in enumerate(pairwise(steps)):
            if step.action is None or later.action is None or step.seat == later.seat or index < 2:
                continue
            is_kind = kind in (_name(later), "any") and (_name(step) == kind or kind != "play")
            number = len(later.before.ruleset.legal_actions(later.before.state, later.seat)) if later.before else 0
            if is_kind and least <= number <= most and seats_to_act(step.game) == [later.seat]:
                return steps[: index + 1], later.seat or 0
    raise LookupError(f"no such moment in {ruleset_id}")


@pytest.fixture
def moment(hall: Hall) -> Find:
    """Put a table into the store at which a seat acts, and then another one can do at least two things."""

    def find(
        ruleset_id: str = "le-plateau", seats: int = 4, kind: str = "play", least: int = 2, most: int = 999_999
    ) -> Moment:
        steps, second = _found(ruleset_id, seats, kind, least, most)
        last, before = steps[-1], steps[-1].before
        assert before is not None
        table = hall.server.table_of_log(steps[:-1])
        then = aggregate.act(before, last.seat, last.action)[1]
        assert last.seat is not None
        return Moment(hall, table, last.seat, action_data(then.ruleset, last.action), then, second)

    return find
