"""One player makes hundreds of games that all need workers at once: another player's game lets a few of them go first.

Dispatcher and worker are real processes. What counts is how many games went first, not how long that took.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from domain.events import Clock
from domain.game.durations import SECOND, instant, moment
from service.accounts.players import GUEST_SCOPES, Caller
from service.jobs.job_queue import RqQueue
from service.store.event_store import EventStore
from service.store.redis.connections import connect, connect_queue
from tests.support.games import ADA, spec, wish
from tests.support.server import Hand, RealServer, wait_until
from tests.support.wiring import Games

pytestmark = pytest.mark.long

EVE = Caller("pl_eve", frozenset(GUEST_SCOPES))
FLOOD = 300
A_SECOND = Clock("PT1S", None, None, "bot", "random")
LONG_AGO = moment(1_700_000_000_000)

SANDBOX, TABLE, BOTS = ("me", "me", "me"), ("random", "me", "random"), ("random", "random", "random")
SHARED = ("random", "me", "open")
"""A sandbox without moves; a player who waits for a bot; bots among themselves; a table that another player joins."""


class Place:
    """A Redis of its own, the use cases on it, and the processes that a test starts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server = RealServer.start("valkey", folder / "engine", tcp=True)
        self._client = connect(self._server.url)
        self.store = EventStore(self._client)
        self._games = Games(self.store, lambda: LONG_AGO, least_move=SECOND)
        self._hands: list[Hand] = []

    def hand(self, command: str) -> None:
        """Start a worker or a dispatcher."""
        folder = self._folder / command
        folder.mkdir()
        self._hands.append(Hand(command, folder, {"REDIS_URL": self._server.url}).start())

    def begin(self, caller: Caller, seats: Sequence[str]) -> str:
        """Create a game that needs a worker now: its deadline passed long ago, or a bot is to act."""
        bots = tuple((seat, name) for seat, name in enumerate(seats) if name not in ("me", "open"))
        mine = tuple(name == "me" for name in seats)
        more = {"bots": bots, "clock": A_SECOND if any(mine) else None}
        return self._games.create(caller, spec(mine, sandbox=sum(mine) > 1, more=more, first_dealer=2))[0]

    def join(self, game_id: str, caller: Caller) -> None:
        """Take the open seat of a game."""
        self._games.join(game_id, caller, wish())

    def waiting(self) -> int:
        """Count the games that no worker has taken."""
        with connect_queue(self._server.url) as client:
            return RqQueue(client, 5).waiting()

    def first_move(self, game_id: str) -> int | None:
        """Return when something happened in a game after its creation, None for not yet."""
        later = [instant(each.at) for each in self.store.read(game_id) if each.at > LONG_AGO]
        return later[0] if later else None

    def close(self) -> None:
        """End everything."""
        for hand in self._hands:
            hand.kill()
        self._client.close()
        self._server.stop()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    place.close()


@pytest.mark.parametrize(
    ("flood", "honest"),
    [
        (SANDBOX, TABLE),
        (SANDBOX, SANDBOX),
        (TABLE, TABLE),
        (TABLE, SANDBOX),
        (BOTS, TABLE),
        (BOTS, BOTS),
        (TABLE, SHARED),
    ],
    ids=["sandboxes", "sandboxes-sandbox", "tables", "tables-sandbox", "bots", "bots-bots", "shared-table"],
)
def test_few_games_of_one_owner_go_before_anothers(place: Place, flood: Sequence[str], honest: Sequence[str]) -> None:
    eves = [place.begin(EVE, flood) for _ in range(FLOOD)]
    adas = place.begin(ADA, honest)
    if "open" in honest:
        place.join(adas, EVE)
    place.hand("dispatch")
    wait_until(lambda: place.waiting() > FLOOD, "all games to be in the line")
    place.hand("worker")
    wait_until(lambda: place.first_move(adas) is not None, "the game of the other player to continue")
    began = place.first_move(adas)
    moves = [place.first_move(game_id) for game_id in eves]
    gone_first = sum(move is not None and began is not None and move < began for move in moves)
    most = 8 if flood == TABLE and honest == SANDBOX else 2
    assert gone_first <= most, f"{gone_first} of {FLOOD} games of one owner went before another's"
