"""Stores full of games that go on, for the benchmarks: each game is a copy of one that was played for some moves."""

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from domain.events import Clock, GameCreated, SeatTaken
from domain.game import aggregate, history, seating
from domain.game.aggregate import Game
from domain.game.seating import NewGame
from domain.game.timeouts import Patience
from domain.log.chain import GENESIS
from domain.log.record import Record, Writer
from domain.log.secrets import Secrets
from domain.registry import RULESETS
from domain.serialization import changed
from service.common import wall_clock
from service.games.commit import Kept, append_for
from service.games.desk import Desk
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.store.codec import canonical
from service.store.event_store import Appended, EventStore
from service.store.redis.connections import connect
from tests.support.server import RealServer

SHARDS = 16
PATIENCE = Patience(bot=12_000)
_MOVES = 8
_TEMPLATES = 60
_GAMES_OF_A_PLAYER = 20
_RULESETS = (("le-plateau", 4), ("plute", 6), ("le-plateau", 2))


@dataclass
class Store:
    """A store of so many games, with what measures it."""

    size: int
    server: RealServer
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    def __post_init__(self) -> None:
        self.client = connect(self.server.url)
        self.store = EventStore(self.client, SHARDS)
        self.games: list[str] = []

    def fresh(self) -> tuple[Desk, Reader]:
        """Return what a process that has just started serves with; it knows no game."""
        repository = GameRepository(EventStore(self.client, SHARDS))
        return Desk(repository, wall_clock.now, PATIENCE), Reader(repository)

    def server_seconds(self) -> float:
        """Return the processor time that the server has taken since it started."""
        taken = self.client.info("cpu")
        return float(taken["used_cpu_user"]) + float(taken["used_cpu_sys"])

    def processor_ms(self) -> float:
        """Return the processor time that this process and the server have taken so far."""
        return (time.process_time() + self.server_seconds()) * 1000


@dataclass(frozen=True)
class Template:
    """A game to be copied: what was decided by each request, and the game after it."""

    decided: Sequence[Sequence[object]]
    game: Game


def fill(store: Store) -> None:
    """Put games into a store, by the appends that the service makes: one in ten waits for players, the others go on."""
    store.store.check(allow_unsafe=True)
    players = range(max(6, store.size * 4 // _GAMES_OF_A_PLAYER))
    templates = [template(number, store.rng) for number in range(min(_TEMPLATES, store.size))]

    def put(number: int, sitters: Sequence[str]) -> Game:
        game, records = copied(templates[number % len(templates)], f"gm_{number:020x}", sitters)
        append = append_for(None, game, records, PATIENCE, Kept(), follow_up=True)
        assert isinstance(store.store.append(append), Appended)
        return game

    seated = ([f"pl_{player:016x}" for player in store.rng.sample(players, 6)] for _ in range(store.size))
    with ThreadPoolExecutor(8) as pool:
        store.games = [game.id for game in pool.map(put, range(store.size), seated) if game.status == "active"]


def template(number: int, rng: random.Random) -> Template:
    """Create a game that waits for its last player, or play one for some moves."""
    ruleset_id, seats = _RULESETS[number % len(_RULESETS)]
    ruleset, waits = RULESETS[ruleset_id], number % 10 == 0
    new = NewGame(
        id="gm_template",
        ruleset=ruleset,
        options=ruleset.options.complete({}, seats),
        visibility="public",
        sandbox=False,
        creator="0",
        sitters=tuple(None if waits and seat == seats - 1 else str(seat) for seat in range(seats)),
        clock=Clock(per_move="P3D", bank=None, increment=None, on_timeout="bot", bot="random"),
        by_deal=False,
    )
    events, game = seating.create(new, rng.randbytes(32))
    decided, at = [events], wall_clock.now()
    _, game = history.record(None, (events, game), at, "", canonical)
    for _ in range(0 if waits else _MOVES):
        seat = rng.choice(sorted(game.pending))
        events, after = aggregate.act(game, seat, rng.choice(game.ruleset.legal_actions(game.state, seat)))
        decided.append(events)
        _, game = history.record(game, (events, after), at, "", canonical)
    return Template(decided, game)


def copied(origin: Template, game_id: str, players: Sequence[str]) -> tuple[Game, list[Record]]:
    """Write a game again, under another id and with other players."""
    secrets, log, head = Secrets(game_id, origin.game.secret), list[Record](), GENESIS
    for request, decided in enumerate(origin.decided):
        events = [as_played_by(players, event) for event in decided]
        writer = Writer(secrets, len(log), head, canonical)
        log += writer.write(history.named(origin.game.ruleset, events), origin.game.at, f"{request:016x}")
        head = log[-1].hash
    sitters = tuple(
        sitter and replace(sitter, player=players[int(sitter.player or 0)]) for sitter in origin.game.sitters
    )
    return changed(origin.game, id=game_id, head=head, creator=players[0], sitters=sitters), log


def as_played_by(players: Sequence[str], event: object) -> object:
    """Return an event with a player in place of the number of one."""
    match event:
        case GameCreated():
            return replace(event, creator=players[int(event.creator)])
        case SeatTaken(player=str()):
            return replace(event, player=players[int(event.player)])
        case _:
            return event
