"""Games without a server: start one from a seed, list the legal actions, act, look at it from a seat.

A ``Position`` is immutable, so a search can store any number of them. All chance of a game follows from its seed.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random
from typing import Any, TypeAlias

from domain.chance import Chance
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import Plain
from domain.table import Outcome, Seat, Viewer
from service.games.projections.representations import MOST_LISTED
from service.input.forms import action_of
from workers.bots.of_games import of_games
from workers.bots.policy import Asked, Policy
from workers.bots.replays import listed, view_of
from workers.research.deals.deals import Deals

GAME_ID = "gm_laboratory"
"""The id of every game: with it and the secret, its draws can be recomputed."""
_LIMITS = frozenset({"max_plies", "no_progress"})
"""The outcomes of a game that ended only because it was too long."""
_DEALS: Mapping[str, Deals] = {name: game.DEALS for name, game in of_games("workers.research.deals.{}").items()}


class NoSuchTable(ValueError):
    """A ruleset or a number of seats that does not exist."""


@dataclass(frozen=True, slots=True)
class Table:
    """A ruleset, a number of seats, and all options; without ``whole_game``, a game is a single deal."""

    ruleset: AnyRuleset
    seats: int
    options: Any
    whole_game: bool

    @property
    def deals(self) -> Deals:
        return deals_of(self.ruleset.id)

    def start(self, seed: int) -> "Position":
        return self.begun(self.chance(seed))[1]

    def chance(self, seed: int) -> Chance:
        return Chance(sha256(f"laboratory {seed}".encode()).digest(), GAME_ID, (None,) * self.seats)

    def begun(self, chance: Chance) -> "Played":
        """Start a game with a source of draws; return its events so far and the position after them."""
        return _settled(self, self.ruleset.setup(self.options, self.seats), chance, [])

    def is_left(self, state: Any) -> bool:
        """Return whether the only deal of the game is over, although the rules would continue with another one."""
        return not self.whole_game and self.deals.is_left_after_one and bool(state.results)

    def scores(self, state: Any) -> tuple[int, ...]:
        """Return the scores by seat so far.

        If deals are scored, this is their sum. Otherwise, scores are 0 until the end, and then 1 for winners, -1 for
        losers, and 0 for a draw.
        """
        if self.deals.most_points:
            running: tuple[int, ...] = state.scores
            return running
        outcome = self.ruleset.outcome(state)
        if outcome is None:
            return (0,) * self.seats
        if self.deals.teams:
            return tuple(1 if seat in outcome.winners else -1 for seat in range(self.seats))
        return tuple(outcome.scores)


def deals_of(ruleset_id: str) -> Deals:
    """Return how a game consists of deals; a game of another package counts as a single deal."""
    return _DEALS.get(ruleset_id, Deals())


def table(
    ruleset_id: str, seats: int | None = None, options: Mapping[str, Plain] | None = None, *, whole_game: bool = True
) -> Table:
    """Return a table, by default with the fewest seats and the usual options.

    Without ``whole_game``, it is for a single deal; in Plateau, where nothing is dealt, that makes no difference. Raise
    ``NoSuchTable``, or ``InvalidOptions`` if the rules do not allow the options.
    """
    ruleset = RULESETS.get(ruleset_id)
    if ruleset is None:
        raise NoSuchTable(f"there is no ruleset {ruleset_id!r}; the rulesets are: {', '.join(RULESETS)}")
    seats = ruleset.seats[0] if seats is None else seats
    if seats not in ruleset.seats:
        least, most = ruleset.seats[0], ruleset.seats[-1]
        numbers = f"{least} to {most}" if least < most else f"{most}"
        raise NoSuchTable(f"{ruleset.name} is for {numbers} players, not {seats}")
    of_one_deal = {} if whole_game else deals_of(ruleset_id).of_one
    return Table(ruleset, seats, ruleset.options.complete({**of_one_deal, **(options or {})}, seats), whole_game)


def read_options(options: Iterable[str], sign: str = "=") -> dict[str, Plain]:
    """Parse options as people write them, ``name=value``; a value is JSON or, if it is not, a text."""
    return {name: _value(text) for name, _, text in (option.partition(sign) for option in options)}


def _value(text: str) -> Plain:
    try:
        value: Plain = json.loads(text)
    except ValueError:
        return text
    return value


@dataclass(frozen=True, slots=True)
class Position:
    """A game in which a seat must act, or which is over.

    ``state`` is the true state of the rules; what a seat may know of it is in ``view``.
    """

    table: Table
    state: Any
    chance: Chance = field(repr=False)
    seat: Seat | None = field(init=False)
    """The seat to act; None once the game is over.

    Seats that could act out of turn, as with a claim, wait for their turn.
    """

    def __post_init__(self) -> None:
        is_left = self.table.is_left(self.state)
        seat = None if is_left else min(self.table.ruleset.waiting_for(self.state), default=None)
        object.__setattr__(self, "seat", seat)

    @property
    def is_over(self) -> bool:
        return self.seat is None

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome of the game by the rules; None while it is running, or if it was stopped after a hand."""
        return self.table.ruleset.outcome(self.state)

    @property
    def is_cut_short(self) -> bool:
        """Return whether the game ended as a draw only because it was too long (Plateau)."""
        outcome = self.outcome
        return outcome is not None and outcome.reason in _LIMITS

    @property
    def scores(self) -> tuple[int, ...]:
        return self.table.scores(self.state)

    @property
    def legal_actions(self) -> Sequence[Any]:
        """List the legal actions of the seat to act, as the ruleset does; none once the game is over."""
        return () if self.seat is None else self.table.ruleset.legal_actions(self.state, self.seat)

    def after(self, action: Any) -> "Position":
        """Return the position after an action of the seat to act; raise ``IllegalAction``."""
        return self.played(action)[1]

    def played(self, action: Any) -> "Played":
        """Return the events of an action of the seat to act, and the position after it.

        Raise ``IllegalAction``.
        """
        if self.seat is None:
            raise ValueError("the game is over, so there is nothing to do")
        ruleset, state = self.table.ruleset, self.state
        events = ruleset.decide(state, self.seat, action)
        for event in events:
            state = ruleset.evolve(state, event)
        return _settled(self.table, state, self.chance, events)

    def view(self, viewer: Viewer) -> Any:
        return self.table.ruleset.project(self.state, viewer)

    def plain_view(self, seat: Seat) -> dict[str, Plain]:
        """Return what a seat can know, as plain data: the parts of an API view that bots read.

        ``legal_actions`` is there if it is the seat's turn. If there are more than 200, it has only their number.
        """
        table = self.table
        shown = view_of(table.ruleset, table.options, table.seats, self.state, seat)
        if seat == self.seat:
            shown["legal_actions"] = listed(table.ruleset, self.legal_actions, MOST_LISTED)
        return shown

    def asked(self, policy: Policy, seed: int, playouts: int = 0) -> Any:
        """Return the action that a policy chooses for the seat to act."""
        if self.seat is None:
            raise ValueError("the game is over, so no policy can be asked")
        thought = policy(Asked(self.plain_view(self.seat), seed, playouts))
        return action_of(self.table.ruleset, thought.action)[0]

    def resampled(self, viewer: Viewer, rng: Random) -> "Position":
        """Redeal everything that a viewer does not see, and everything that will be dealt later.

        All worlds that are consistent with the viewer's view are equally likely.
        """
        state = self.table.ruleset.sample(self.table.options, viewer, self.view(viewer), rng)
        return Position(self.table, state, replace(self.chance, secret=rng.randbytes(32)))


Played: TypeAlias = tuple[Sequence[object], Position]
"""The events of an action, and the position after it."""


def _settled(table: Table, state: Any, chance: Chance, events: list[Any]) -> Played:
    """Apply what the rules force now, until a seat must act or the game is over."""
    ruleset = table.ruleset
    while not table.is_left(state) and (forced := ruleset.settle(state, chance)):
        for event in forced:
            state = ruleset.evolve(state, event)
        events = [*events, *forced]
    return events, Position(table, state, chance)
