"""No response's size, time or memory depends on the number of legal actions; tested with the longest lists.

What an answer costs is counted in calls, which a busy machine does not change; seconds are bounded generously beside.
"""

import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from domain import sequences
from domain.french_tarot.actions import Discard
from domain.game.aggregate import Game
from domain.game.timeouts import ENDLESS
from domain.sequences import Mapped, Subsets
from domain.serialization import changed
from service.games.commands import Act, bot_caller
from service.games.projections import legal_schema, representations
from service.input.forms import action_of
from tests.domain.longest_lists import LONGEST
from tests.support.random_games import played
from workers.bots import uniform
from workers.bots.policy import Asked, Thought
from workers.turn_worker import TurnWorker

PAGE = representations.MOST_IN_PAGE
MOST_CALLS = 250 * PAGE
MOST_CALLS_OF_A_VIEW = 50 * PAGE
MOST_BYTES = 256 * 1024
MOST_MEMORY = 4 * 1024 * 1024
MOST_SECONDS = 10.0

every_list = pytest.mark.parametrize("name", LONGEST)


@cache
def longest(name: str) -> Game:
    """Return the game of a longest list, made once."""
    return LONGEST[name][1]()


def calls_of(answer: Callable[[], object]) -> int:
    """Count the calls that an answer takes."""
    calls = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        answer()
    finally:
        sys.setprofile(None)
    return calls


def page(game: Game, start: int) -> bytes:
    """Return a page of a game's longest list, as the interface does."""
    (seat,) = game.pending
    actions = game.ruleset.legal_actions(game.state, seat)
    return orjson.dumps(
        representations.legal_actions(game, seat, actions, range(start, min(start + PAGE, len(actions))), None)
    )


def check_cost(answer: Callable[[], bytes], most_calls: int = MOST_CALLS) -> None:
    """Hold an answer against all bounds."""
    began = time.monotonic()
    assert len(answer()) <= MOST_BYTES
    assert time.monotonic() - began <= MOST_SECONDS
    assert calls_of(answer) <= most_calls
    tracemalloc.start()
    try:
        answer()
        assert tracemalloc.get_traced_memory()[1] <= MOST_MEMORY
    finally:
        tracemalloc.stop()


@every_list
def test_the_longest_list_is_as_long_as_reckoned(name: str) -> None:
    game = longest(name)
    assert max(len(game.ruleset.legal_actions(game.state, seat)) for seat in game.pending) == LONGEST[name][0]


@pytest.mark.sampled
@every_list
def test_every_page_of_the_longest_list_is_bounded(name: str) -> None:
    game, count = longest(name), LONGEST[name][0]
    for start in {0, count // 2, max(0, count - PAGE)}:
        check_cost(lambda start=start: page(game, start))  # type: ignore[misc]


@every_list
def test_a_view_is_bounded_whatever_can_be_done(name: str) -> None:
    game = longest(name)
    (seat,) = game.pending
    check_cost(lambda: orjson.dumps(representations.view(game, seat)), MOST_CALLS_OF_A_VIEW)


@pytest.mark.parametrize("name", [name for name, (count, _) in LONGEST.items() if 200 < count < 60_000])
def test_the_schema_made_from_a_few_actions_is_that_of_all_of_them(name: str) -> None:
    game = longest(name)
    (seat,) = game.pending
    listed = [representations.action_data(game.ruleset, each) for each in game.ruleset.legal_actions(game.state, seat)]
    assert representations.view(game, seat)["legal_actions"]["schema"] == legal_schema.necessary(
        listed, game.ruleset.actions
    )


def ecarts_of(size: int, chosen: int) -> Game:
    """A game whose taker chooses from this many cards, more than tarot has."""
    game = longest("french-tarot of 3: an écart")
    actions = Mapped(Discard, Subsets(tuple(f"{number}S" for number in range(size)), chosen))
    return changed(game, ruleset=replace(game.ruleset, legal_actions=lambda _state, _seat: actions))


def test_a_page_costs_the_same_however_long_the_list_is() -> None:
    few, many = ecarts_of(33, 30), ecarts_of(60, 30)
    assert calls_of(lambda: page(many, 10**17)) <= 2 * calls_of(lambda: page(few, 0))


def forbid_whole_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forbid to go through any list that is made item by item."""

    def forbidden(_self: object) -> Iterator[Any]:
        raise AssertionError("the whole list is gone through")

    for kind in (sequences.Subsets, sequences.Pairs, sequences.Mapped, sequences.Joined):
        monkeypatch.setattr(kind, "__iter__", forbidden)


def choosing(ruleset_id: str, seats: int, kind: str) -> Iterator[tuple[Game, int]]:
    """Return moments of random games at which a seat chooses a kind of action from a list too long to be shown."""
    for seed in range(5):
        for step in played(ruleset_id, seats, seed):
            if type(step.action).__name__ == kind and step.before is not None and step.seat is not None:
                legal = step.before.ruleset.legal_actions(step.before.state, step.seat)
                yield from [(step.before, step.seat)] if len(legal) > representations.MOST_LISTED else ()


LONG = [
    ("french-tarot", 3, "Discard"),
    ("french-tarot", 4, "Discard"),
    ("french-tarot", 5, "Discard"),
    ("le-plateau", 4, "Exchange"),
    ("le-plateau", 6, "Give"),
    ("plateau", 2, "Open"),
]


BARE = SimpleNamespace(store=SimpleNamespace(client=None, all_shards=None))
"""A repository with nothing in it."""


class Dumb:
    """A policy process that never returns an action."""

    def think(self, *_asked: object) -> Thought:
        """Return none."""
        return Thought(None)


class Deciding:
    """A desk that decides, and commits nothing."""

    accepted = False
    patience = ENDLESS
    now = int

    def do(self, game: Game, command: Act, **_more: object) -> None:
        """Decide."""
        self.accepted = bool(game.ruleset.decide(game.state, command.admit(game), command.action))


class Deaf:
    """Counters that count nothing."""

    def count(self, *_counted: object) -> None:
        """Count nothing."""


@pytest.mark.parametrize(("ruleset_id", "seats", "kind"), LONG)
def test_a_bot_and_anyone_who_moves_for_it_choose_without_the_list(
    ruleset_id: str, seats: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = list(choosing(ruleset_id, seats, kind))
    assert moments
    forbid_whole_lists(monkeypatch)
    desk = Deciding()
    stand_in = TurnWorker(desk, BARE, Dumb(), None, Deaf(), None)  # type: ignore[arg-type]
    for game, seat in moments[:5]:
        view = orjson.loads(orjson.dumps(representations.view(game, seat)))
        action, _ = action_of(game.ruleset, uniform.think(Asked(view, 1)).action)
        assert game.ruleset.decide(game.state, seat, action)
        stand_in._submit(game, seat, "random", Act(caller=bot_caller(seat), seat=seat, action=None))
        assert desk.accepted
        assert page(game, 0)
