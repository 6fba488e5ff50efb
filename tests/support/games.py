"""Games on a store: how tests create them, choose actions, and read what was recorded."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson

from domain.game.aggregate import Game
from domain.log.record import Record
from domain.registry import RULESETS
from service.accounts.players import GUEST_SCOPES, Caller, Key
from service.games.commands import Act, Create, Join
from service.store.codec import Answer
from service.store.event_store import Append
from tests.support.random_games import Step
from tests.support.wiring import Games

ADA = Caller("pl_ada", frozenset(GUEST_SCOPES))


BOB = Caller("pl_bob", frozenset(GUEST_SCOPES))


RAW_HEAD = "0" * 64
"""The hash of every record that `record` makes."""


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
    fields = {"visibility": "public", "sandbox": sandbox, **(more or {})}

    def create(caller: Caller, key: Key | None) -> Create:
        sitters = tuple(caller.player if mine else None for mine in seats)
        return Create(caller=caller, key=key, ruleset=RULESETS[ruleset], options=options, sitters=sitters, **fields)

    return create


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
