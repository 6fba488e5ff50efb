"""Random games through ``domain.game.aggregate``, step by step.

Everything follows from the ruleset, the number of seats, the options and one integer seed; there is no other source of
chance.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from domain.field_types import fields_of, is_closed
from domain.game import aggregate, history, seating
from domain.game.aggregate import Game
from domain.laws.facts import Facts
from domain.log.record import Record
from domain.options import Choice
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import Plain
from domain.table import Seat


@dataclass(frozen=True, slots=True)
class Table:
    """A ruleset, the number of seats, and options; the variant "" leaves all options out."""

    ruleset: AnyRuleset
    facts: Facts
    seats: int
    variant: str = ""

    @property
    def options(self) -> dict[str, Plain]:
        """Return the options of the variant, without those that make a game short, over which they take precedence."""
        written = dict(part.split("=") for part in self.variant.split())
        if not written:
            return {}
        if self.facts.with_details is not None:
            return self.facts.with_details(written, self.seats)
        choices = self.ruleset.options.choices(self.seats)
        return {name: _meant(text, choices[name]) for name, text in written.items()}

    def __str__(self) -> str:
        return " ".join(filter(None, (self.ruleset.id, str(self.seats), self.variant)))


def tables(ruleset: AnyRuleset, facts: Facts) -> Iterator[Table]:
    """List every number of players without options, and with those that show all the values of every option."""
    for seats in ruleset.seats:
        variants = facts.variants(seats) if facts.variants is not None else _every_value(ruleset, seats, facts.short)
        yield from (Table(ruleset, facts, seats, variant) for variant in ("", *variants))


def _meant(text: str, choice: Choice) -> Plain:
    return next(value for value in choice.values or () if _written(value) == text)


def _written(value: Plain) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _every_value(ruleset: AnyRuleset, seats: int, short: Mapping[str, Plain]) -> Iterator[str]:
    """List options in which every value of every switch and word occurs: all first values, all second ones, …

    A value is left out where the game has it anyway: because it is the default, or because ``short`` has it.
    """
    choices = ruleset.options.choices(seats)
    usual = {name: choice.default for name, choice in choices.items()} | dict(short)
    listed = {
        option.key: choices[option.key].values or ()
        for option in fields_of(ruleset.options.shape)
        if is_closed(option.type)
    }
    for place in range(max(map(len, listed.values()), default=0)):
        chosen = {name: values[place % len(values)] for name, values in listed.items() if values}
        needed = [choices[name].needs.get(value, {}) for name, value in chosen.items()]
        chosen |= {other: values[0] for needs in needed for other, values in needs.items()}
        differing = {name: value for name, value in chosen.items() if value != usual[name]}
        if differing:
            yield " ".join(f"{name}={_written(value)}" for name, value in differing.items())


@dataclass(frozen=True)
class Step:
    """One request of a game: its seat and action, the events decided, their records, and the game after them."""

    before: Game | None
    seat: Seat | None
    action: object
    events: tuple[object, ...]
    records: tuple[Record, ...]
    game: Game


def secret_of(seed: int) -> bytes:
    """Return the game secret for a seed."""
    return sha256(f"test secret {seed}".encode()).digest()


def starting(ruleset: AnyRuleset, seats: int, seed: int, options: Mapping[str, Plain]) -> Iterator[Step]:
    """Create a game with open seats and fill them; every other player brings a seed."""
    new = seating.NewGame(
        id=f"gm_{ruleset.id}_{seats}_{seed}",
        ruleset=ruleset,
        options=ruleset.options.complete(options, seats),
        visibility="public",
        sandbox=False,
        creator="pl_0",
        sitters=(None,) * seats,
    )
    step = written(None, None, None, seating.create(new, secret_of(seed)))
    yield step
    for seat in range(seats):
        decided = seating.join(step.game, f"pl_{seat}", seat, f"seed {seat}" if seat % 2 == 0 else None)
        step = written(step.game, None, None, decided)
        yield step


def written(before: Game | None, seat: Seat | None, action: object, decided: aggregate.Decided) -> Step:
    """Record decided events, with a time and a request id that follow from the version."""
    version = before.version if before else 0
    at = f"2026-01-01T{version // 3600:02}:{version // 60 % 60:02}:{version % 60:02}.000Z"
    records, game = history.record(before, decided, at, f"rq_{version}")
    return Step(before, seat, action, tuple(decided[0]), tuple(records), game)


def random_game(
    ruleset: AnyRuleset, seats: int, seed: int, options: Mapping[str, Plain], variant: str = ""
) -> Iterator[Step]:
    """Play one whole random game; the name of the variant goes into the choices."""
    rng = random.Random(f"{ruleset.id} {seats} {seed}{variant}")
    whim = _Whim(rng)
    for step in starting(ruleset, seats, seed, options):
        yield step
    game = step.game
    while not game.is_over:
        seat = rng.choice(sorted(game.pending))
        action = whim.choose(list(game.ruleset.legal_actions(game.state, seat)))
        step = written(game, seat, action, aggregate.act(game, seat, action))
        game = step.game
        yield step


def playing(table: Table, seed: int, **more: Plain) -> Iterator[Step]:
    """Play one whole random game at a table, with ``more`` options."""
    options = {**table.facts.short, **table.options, **more}
    return random_game(table.ruleset, table.seats, seed, options, table.variant)


@cache
def played(table: Table, seed: int) -> tuple[Step, ...]:
    """Return all the steps of a random game; each process plays it once."""
    return tuple(playing(table, seed))


def head_of(ruleset_id: str, seats: int, seed: int, options: Mapping[str, Plain], variant: str) -> str:
    """Play a random game; return the hash over its whole log."""
    *_, last = random_game(RULESETS[ruleset_id], seats, seed, options, variant)
    return last.game.head


def log_of(steps: Sequence[Step]) -> list[Record]:
    """Put the records of all steps into one log."""
    return [record for step in steps for record in step.records]


def events_of(steps: Sequence[Step]) -> list[object]:
    """List the events of the ruleset."""
    of_the_ruleset = set(steps[-1].game.ruleset.events.values())
    return [event for step in steps for event in step.events if type(event) in of_the_ruleset]


def actions_of(steps: Sequence[Step]) -> list[tuple[Game, Seat, object]]:
    """List the actions of a game, each with its seat and the game before it."""
    return [
        (step.before, step.seat, step.action) for step in steps if step.before is not None and step.seat is not None
    ]


def active(steps: Sequence[Step]) -> list[Game]:
    """List the games after the steps, while they are running."""
    return [step.game for step in steps if step.game.status == "active"]


class _Whim:
    """How one random player chooses: a taste for kinds of action, and for the first ones listed."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._taste: dict[str, int] = {}
        self._haste = rng.choice((1, 2, 4, 8))

    def choose(self, actions: Sequence[object]) -> object:
        """Choose a kind of action first, then one of that kind, so that rare kinds occur often enough."""
        kinds: dict[str, list[object]] = {}
        for action in actions:
            kinds.setdefault(type(action).__name__, []).append(action)
        for kind in kinds:
            self._taste.setdefault(kind, self._rng.choice((1, 2, 4)))
        kind = self._rng.choices(list(kinds), [self._taste[kind] for kind in kinds])[0]
        haste = self._haste if len(kinds) > 1 else 1
        return kinds[kind][int(len(kinds[kind]) * self._rng.random() ** haste)]
