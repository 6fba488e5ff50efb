"""Workers in this process, on a store of every kind, at a time that the test sets."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from domain.events import Clock
from domain.game.aggregate import Game
from domain.game.durations import DAY, SECOND, moment
from domain.game.time_control import PLAY_BY_POST
from domain.game.timeouts import Patience
from service.accounts.limiter import Limiter
from service.bots import BOTS, Bot
from service.common.observability import METRICS, Counts
from service.games.plans.planned_moves import PlannedMoves
from service.store.deadlines import Deadlines
from service.store.event_store import EventStore
from service.store.heartbeat import Heartbeat
from service.store.reporting import counted, report_counts
from tests.support.games import ADA, spec
from tests.support.processes import PATIENCE
from tests.support.stores import SERVERS, empty_store
from tests.support.wiring import Games
from tests.workers.places import START, Place
from workers.policy_process import PolicyProcess
from workers.turn_worker import TurnWorker

client = pytest.fixture(params=SERVERS)(empty_store)


@pytest.fixture(scope="session")
def policy_process() -> Iterator[PolicyProcess]:
    """A policy process with a time limit that allows for a busy machine."""
    policy_process = PolicyProcess(PATIENCE)
    yield policy_process
    policy_process.stop()


@pytest.fixture(scope="session")
def hasty_policy_process() -> Iterator[PolicyProcess]:
    """A policy process with a short time limit, for policies that never answer."""
    policy_process = PolicyProcess(0.1)
    yield policy_process
    policy_process.stop()


class House:
    """A store, and a worker that sees to its games; ``ms`` is the time, which the test sets."""

    def __init__(self, client: redis.Redis, policy_process: PolicyProcess) -> None:
        self.client = client
        self.ms = START
        self.patience = Patience(open_game=14 * DAY, empty_game=DAY)
        self.store = EventStore(client)
        self.heartbeat = Heartbeat(client)
        METRICS.take()
        self.deadlines = Deadlines(client, 16, lease_ms=12_000)
        self.limiter: Limiter | None = None
        self._policy_process = policy_process
        self.games = self.process()[0]
        self.worker = self.process()[1]

    def now(self) -> str:
        """Return the time as the log writes it."""
        return moment(self.ms)

    def process(self) -> tuple[Games, TurnWorker]:
        """Return the use cases and a worker as another process has them."""
        games = Games(self.store, self.now, self.patience, self.heartbeat.downtimes, self.limiter, least_move=SECOND)
        planned_moves = PlannedMoves(games.desk, games.repository, games.planning)
        rest = (self._policy_process, self.heartbeat, planned_moves)
        return games, TurnWorker(games.desk, games.repository, *rest)

    def worker_where_a_game_is_urgent(self) -> TurnWorker:
        """Make a worker that hears of a player who waits for some game."""
        games = self.process()[0]
        planned_moves = PlannedMoves(games.desk, games.repository, games.planning)
        rest = (self._policy_process, self.heartbeat, planned_moves, lambda: True)
        return TurnWorker(games.desk, games.repository, *rest)

    def begin(
        self, *seats: str | None, clock: Clock | None = PLAY_BY_POST, ruleset: str = "le-plateau", **options: int
    ) -> str:
        """Create a game: a seat is 'me', the name of a bot, or open."""
        bots = tuple((seat, name) for seat, name in enumerate(seats) if name not in ("me", None))
        options |= {"first_dealer": len(seats) - 1} if ruleset == "le-plateau" else {}
        mine = tuple(name == "me" for name in seats)
        more = {"bots": bots, "clock": clock}
        wanted = spec(mine, sandbox=sum(mine) > 1, ruleset=ruleset, more=more, **options)
        return self.games.create(ADA, wanted)[0]

    def game(self, game_id: str) -> Game:
        """Return a game as it is."""
        return self.games.current(game_id)

    def handle(self, game_id: str) -> None:
        """Let the worker handle a game at its current version."""
        self.worker.handle(game_id, self.game(game_id).version)

    def types(self, game_id: str, after: int = 0) -> list[str]:
        """List the types of the events after a version."""
        return [record.type for record in self.store.read(game_id, after)]

    def counted(self, name: str) -> int:
        """Return how often something was counted, by whatever."""
        return sum(number for (counter, _), number in self.counts().items() if counter == name)

    def counts(self) -> Counts:
        """Return what was counted since the test began."""
        report_counts(self.client)
        return counted(self.client)


@pytest.fixture
def house(client: redis.Redis, policy_process: PolicyProcess) -> House:
    """An empty store, and a worker."""
    return House(client, policy_process)


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Register a bot that plays by a policy of the tests; return its name."""

    def known(policy: str) -> str:
        monkeypatch.setitem(BOTS, policy, Bot("For a test.", f"tests.workers.failing_policies:{policy}"))
        return policy

    return known


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    place.close()
