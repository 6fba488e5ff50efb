"""Data sets: bots play games by a seed, and each game becomes rows, the same on any machine."""

import traceback
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from hashlib import sha256

import orjson

from domain.errors import Rejected
from domain.log.redaction import Hidden, merged, seen_by, split
from domain.serialization import Plain, to_plain
from domain.table import EVERYTHING, Seat
from service.common.errors import Malformed
from service.input.forms import action_of
from workers.bots.policy import Thought
from workers.research.columns import Rows
from workers.research.entrants import Entrant
from workers.research.files import Row
from workers.research.tables import Position, Table
from workers.research.tables import table as table_of

_GAMES_AHEAD = 4
"""How many games a process may have started that are not written yet."""


class BotFailed(Exception):
    """A bot raised an exception, did not return a legal action, or ended its process."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The parameters of a data set; the same recipe makes the same rows.

    The bots take the seats in their order, repeatedly, and move by one seat from game to game.
    """

    ruleset_id: str
    seats: int | None
    options: Mapping[str, Plain]
    whole_game: bool
    bots: tuple[Entrant, ...]
    seed: int
    rows: Rows

    @property
    def table(self) -> Table:
        return table_of(self.ruleset_id, self.seats, self.options, whole_game=self.whole_game)

    def seed_of(self, number: int) -> int:
        return int.from_bytes(sha256(f"data {self.seed} {number}".encode()).digest()[:8], "big")

    def seated(self, number: int) -> list[Entrant]:
        return [self.bots[(seat + number) % len(self.bots)] for seat in range(self.table.seats)]


@dataclass(frozen=True, slots=True)
class _Event:
    """An event: its type, the seat that acted, what all seats see, and what only some see."""

    type: str
    seat: Seat | None
    data: Mapping[str, Plain]
    hidden: Mapping[str, Hidden]

    def to(self, seat: Seat | None) -> dict[str, Plain]:
        """Return the event as a seat sees it or, for None, with everything that is hidden."""
        values = seen_by(self.hidden, seat, everything=seat is None)
        return {"type": self.type, "seat": self.seat, "data": merged(self.data, values)}


@dataclass(frozen=True, slots=True)
class _Decision:
    """A decision: the position before it, the number of events before it, the seat, its view and its thought."""

    position: Position
    events: int
    seat: Seat
    view: Mapping[str, Plain]
    thought: Thought


@dataclass(slots=True)
class _Played:
    position: Position
    events: list[_Event] = field(default_factory=list)
    decisions: list[_Decision] = field(default_factory=list)

    def happen(self, events: Iterable[object], position: Position) -> None:
        names = {cls: name for name, cls in position.table.ruleset.events.items()}
        self.events += [_Event(names[type(event)], getattr(event, "seat", None), *split(event)) for event in events]
        self.position = position


def games(recipe: Recipe, numbers: range, processes: int) -> Iterator[Sequence[Row]]:
    """Play the games with these numbers in some processes, and return the rows of each, in order.

    Raise ``BotFailed``.
    """
    waiting: deque[Future[Sequence[Row]]] = deque()
    with ProcessPoolExecutor(processes) as pool:
        try:
            for number in numbers:
                waiting.append(pool.submit(rows_of, recipe, number))
                if len(waiting) == processes * _GAMES_AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except (BrokenProcessPool, OSError) as error:
            raise BotFailed(f"a process in which bots play could not start, or ended too early: {error}") from error
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def rows_of(recipe: Recipe, number: int) -> Sequence[Row]:
    played, bots = _played(recipe, number), recipe.seated(number)
    at = played.position.table
    of_every_row = {
        "ruleset": at.ruleset.id,
        "rules_version": at.ruleset.version,
        "seats": at.seats,
        "options": orjson.dumps(to_plain(at.options)),
        "game": number,
        "seed": recipe.seed,
        "scores": [*played.position.scores],
    }
    rows = [_of_game(played, bots)] if recipe.rows == "games" else _of_decisions(played, bots)
    return [{**of_every_row, **row} for row in rows]


def _played(recipe: Recipe, number: int) -> _Played:
    bots = recipe.seated(number)
    table = recipe.table
    events, position = table.begun(table.chance(recipe.seed_of(number)))
    played = _Played(position)
    played.happen(events, position)
    while (seat := played.position.seat) is not None:
        view = played.position.plain_view(seat)
        thought = _thought(bots[seat], view, recipe, number, len(played.decisions))
        played.decisions.append(_Decision(played.position, len(played.events), seat, view, thought))
        try:
            action, _ = action_of(played.position.table.ruleset, thought.action)
            played.happen(*played.position.played(action))
        except (Malformed, Rejected) as error:
            raise BotFailed(f"{bots[seat].label} chose what is not legal, in game {number}: {error}") from error
    return played


def _thought(bot: Entrant, view: Mapping[str, Plain], recipe: Recipe, number: int, decision: int) -> Thought:
    """Return the only legal action, or a bot's answer; raise ``BotFailed`` if that cannot be written."""
    listed = view["legal_actions"]["actions"]
    if listed is not None and len(listed) == 1:
        return Thought(listed[0])
    try:
        thought: object = bot.think(view, f"{recipe.seed} {number} {decision}")
        if not (isinstance(thought, Thought) and isinstance(thought.action, Mapping)):
            raise TypeError("a policy returns a Thought, and its action is a mapping, as in legal_actions")
        orjson.dumps(thought)
    except (Exception, SystemExit) as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({at.filename}:{at.lineno})"
        raise BotFailed(f"{bot.label} failed, in game {number}: {what}") from error
    return thought


def _of_game(played: _Played, bots: Sequence[Entrant]) -> Row:
    decisions = [
        {"seat": each.seat, "action": each.thought.action, "playouts": each.thought.playouts}
        for each in played.decisions
    ]
    return {
        "bots": [bot.name for bot in bots],
        "bot_versions": [bot.version for bot in bots],
        "secret": played.position.chance.secret.hex(),
        "decisions": orjson.dumps(decisions),
        "events": orjson.dumps([event.to(None) for event in played.events]),
    }


def _of_decisions(played: _Played, bots: Sequence[Entrant]) -> Iterator[Row]:
    scores, seen = played.position.scores, [0] * len(bots)
    for number, each in enumerate(played.decisions):
        news = played.events[seen[each.seat] : each.events]
        seen[each.seat] = each.events
        yield {
            "decision": number,
            "seat": each.seat,
            "bot": bots[each.seat].name,
            "bot_version": bots[each.seat].version,
            "events": orjson.dumps([event.to(each.seat) for event in news]),
            "view": orjson.dumps(each.view["state"]),
            "legal_count": each.view["legal_actions"]["count"],
            "legal": orjson.dumps(each.view["legal_actions"]["actions"]),
            "action": orjson.dumps(each.thought.action),
            "playouts": each.thought.playouts,
            "estimates": orjson.dumps(each.thought.estimates),
            "measure": each.thought.measure,
            "truth": orjson.dumps(each.position.view(EVERYTHING)),
            "score": scores[each.seat],
            "won": scores[each.seat] == max(scores),
        }
