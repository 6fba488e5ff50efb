"""A deal of a duel: two bots play it in every lineup, and the result is one record."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from math import log10
from typing import Any

import orjson

from bench.league import manners
from bench.league.tables import Table
from domain.game import aggregate, seating
from domain.game.aggregate import Game
from domain.game.seating import NewGame
from domain.table import Seat
from service.games.projections import representations
from service.input.forms import action_of
from workers.bots.policy import Thought
from workers.research.entrants import Entrant

STEPS_A_DECADE = 24
"""The resolution of the times of moves: steps of a tenth."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Two bots at a table, and the seed from which all deals between them follow."""

    table: Table
    one: Entrant
    other: Entrant
    seed: int

    @property
    def key(self) -> str:
        """Return the key of results that belong together."""
        return orjson.dumps(self).decode()


@dataclass(frozen=True, slots=True)
class Played:
    """A game: the seats of the first bot, and the final scores by seat."""

    seats: tuple[Seat, ...]
    scores: tuple[int, ...]


@dataclass(slots=True)
class Ledger:
    """The counts of one bot: its moves by the time they took, on a scale of tenths, its playouts, and its manners.

    ``searches`` are the moves before which it did any playouts.
    """

    times: Counter[int] = field(default_factory=Counter)
    searches: int = 0
    playouts: int = 0
    chances: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)

    def thought(self, thought: Thought, seconds: float) -> None:
        """Count a move, and the playouts that were done for it."""
        self.times[round(STEPS_A_DECADE * log10(max(seconds, 1e-6)))] += 1
        self.searches += thought.playouts > 0
        self.playouts += thought.playouts

    def behaved(self, game: Game, seat: Seat, action: object) -> None:
        """Count the manners of a move."""
        for rule, is_broken in manners.judged(game.ruleset.id, game.state, seat, action):
            self.chances[rule] += 1
            self.broken[rule] += is_broken

    @property
    def record(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        times = {str(step): many for step, many in sorted(self.times.items())}
        manners = {rule: [many, self.broken[rule]] for rule, many in self.chances.items()}
        return {"times": times, "searches": [self.searches, self.playouts], "manners": manners}


def deal(duel: Duel, number: int) -> dict[str, Any]:
    """Play one deal in every lineup, and return the record of it."""
    ledgers = Ledger(), Ledger()
    games = [_game(duel, number, lineup, ledgers) for lineup in duel.table.lineups]
    counted = [ledger.record for ledger in ledgers]
    return {"duel": duel.key, "deal": number, "games": [asdict(game) for game in games], "counted": counted}


def _game(duel: Duel, number: int, lineup: frozenset[Seat], ledgers: tuple[Ledger, Ledger]) -> Played:
    bots = {seat: duel.one if seat in lineup else duel.other for seat in range(duel.table.seats)}
    game = started(duel.table, f"{duel.seed} {number}", {seat: bot.label for seat, bot in bots.items()})
    while (scores := duel.table.scores(game)) is None:
        seat = min(game.waiting_for)
        view = view_of(game, seat)
        began = time.perf_counter()
        thought = bots[seat].think(view, f"{duel.seed} {number} {seat} {game.version}")
        ledger = ledgers[seat not in lineup]
        ledger.thought(thought, time.perf_counter() - began)
        action, _ = action_of(game.ruleset, thought.action)
        ledger.behaved(game, seat, action)
        _, game = aggregate.act(game, seat, action)
    return Played(tuple(sorted(lineup)), tuple(scores))


def started(table: Table, seed: str, bots: Mapping[Seat, str]) -> Game:
    """Start a game whose cards follow from the seed alone."""
    secret = sha256(f"league {table} {seed}".encode()).digest()
    new = NewGame(
        id="gm_league",
        ruleset=table.ruleset,
        options=table.complete_options,
        visibility="private",
        sandbox=False,
        creator="pl_league",
        sitters=(None,) * table.seats,
        bots=tuple(bots.items()),
    )
    return seating.create(new, secret)[1]


def view_of(game: Game, seat: Seat) -> Any:
    """Return the view that the API would give to a seat, as JSON that was read back."""
    return orjson.loads(orjson.dumps(representations.view(game, seat)))


def share(game: Mapping[str, Any]) -> float:
    """Return the share of pairs of opponents that the first bot won, of its seats and the other's; ties count half."""
    mine, theirs = _sides(game)
    pairs = [(one > other) + (one == other) / 2 for one in mine for other in theirs]
    return sum(pairs) / len(pairs)


def lead(game: Mapping[str, Any]) -> float:
    """Return how much more the first bot's seats scored than the other's, on average."""
    mine, theirs = _sides(game)
    return sum(mine) / len(mine) - sum(theirs) / len(theirs)


def _sides(game: Mapping[str, Any]) -> tuple[Sequence[int], Sequence[int]]:
    sides: tuple[list[int], list[int]] = [], []
    for seat, score in enumerate(game["scores"]):
        sides[seat not in game["seats"]].append(score)
    return sides
