"""Games of rulesets that differ from the built-in ones in what an action leads to verify, too."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import pytest

from domain.audit.replaying import replayed
from domain.errors import IllegalAction
from domain.game import aggregate, history, seating
from domain.game.durations import moment
from domain.laws.audits import a_finished_game_verifies
from domain.log.record import visible
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from tests.support import tender_ruleset
from tests.support.changed_rules import changed_rules
from tests.support.random_games import table_of
from tests.support.tender_ruleset import RULESET, Resigned, Tender, Tendered

SECRET = bytes(range(32))


@dataclass(frozen=True)
class Raised:
    """A seat adds one to its tender."""

    seat: int


def decide(state: Any, seat: int, action: Tender) -> list[object]:
    """Begin with one, and go up one by one: as many events as the tender is high."""
    tender_ruleset.decide(state, seat, Tender(1))
    if not 0 < action.amount < 100:
        raise IllegalAction("out-of-range", "between 1 and 99", "1")
    return [Tendered(seat, 1), *[Raised(seat)] * (action.amount - 1)]


def evolve(state: Any, event: object) -> Any:
    if isinstance(event, Raised):
        amounts = [amount + (seat == event.seat) if amount else amount for seat, amount in enumerate(state.amounts)]
        return replace(state, amounts=tuple(amounts))
    return tender_ruleset.evolve(state, event)


def legal_actions(state: Any, seat: int) -> tuple[Tender, ...]:
    return tuple(map(Tender, range(1, 100))) if seat in tender_ruleset.to_act(state) else ()


def settle(state: Any, _chance: object) -> list[object]:
    return [tender_ruleset.TendersOpened(state.amounts)] if None not in state.amounts else []


RISING = {"decide": decide, "evolve": evolve, "legal_actions": legal_actions, "settle": settle,
          "events": {**RULESET.events, "raised": Raised}}  # fmt: skip


class Played:
    """A game of tenders that is played by hand, a second for each request."""

    def __init__(self, ruleset: AnyRuleset, **options: int) -> None:
        new = seating.NewGame(
            id="gm_1",
            ruleset=ruleset,
            options=ruleset.options.complete(options, 2),
            visibility="public",
            sandbox=False,
            creator="pl_0",
            sitters=("pl_0", "pl_1"),
        )
        self.game: Any = None
        self.records: list[Any] = []
        self.do(seating.create(new, SECRET))

    def do(self, decided: Any) -> None:
        records, self.game = history.record(self.game, decided, moment(1000 * len(self.records)), "rq")
        self.records += records

    def act(self, seat: int, amount: int) -> None:
        self.do(aggregate.act(self.game, seat, Tender(amount)))

    def verify(self) -> None:
        """Check that the log can be played again, action by action."""
        assert self.game.is_over
        events = [visible(record, self.game.secrets, None, everything=True) for record in self.records]
        assert replayed(events, self.game.secrets) == self.game


Installing: TypeAlias = Callable[..., AnyRuleset]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Installing:
    """Install the game of tenders with other rules."""

    def install(**changes: Any) -> AnyRuleset:
        ruleset = replace(RULESET, id="other", **changes)
        monkeypatch.setitem(RULESETS, "other", ruleset)
        return ruleset

    return install


@pytest.mark.parametrize("amount", [1, 9, 10, 11, 60])
def test_an_action_can_lead_to_any_number_of_events(installed: Installing, amount: int) -> None:
    played = Played(installed(**RISING))
    played.act(0, amount)
    played.act(1, 2)
    played.verify()


def test_an_action_is_told_from_two_that_lead_to_the_same_events_by_their_times(installed: Installing) -> None:
    def one_or_two(state: Any, seat: int, action: Tender) -> list[object]:
        if action.amount == 2:
            return [Raised(seat), Raised(seat)]
        if action.amount == 1:
            return [Raised(seat)]
        return tender_ruleset.decide(state, seat, action)

    always = {"to_act": lambda state: frozenset() if state.ended or state.opened else frozenset({0, 1}),
              "waiting_for": lambda state: frozenset() if state.ended or state.opened else frozenset({0, 1}),
              "legal_actions": lambda state, seat: tuple(map(Tender, (2, 1, 3)))}  # fmt: skip
    played = Played(installed(**RISING | always | {"decide": one_or_two}))
    for amount in (1, 1, 2, 1):
        played.act(0, amount)
    played.do(aggregate.resign(played.game, 1))
    played.verify()


def test_a_ruleset_can_refuse_a_resignation_at_some_moments(installed: Installing) -> None:
    def resigned(state: Any, seat: int) -> list[object]:
        if any(state.amounts):
            raise IllegalAction("too-late", "a tender is on the table", "1")
        return [Resigned(seat)]

    ruleset = installed(resigned=resigned)
    played = Played(ruleset, rounds=2)
    for seat in (0, 1, 1, 0):
        played.act(seat, 3)
    played.verify()
    quitting = Played(ruleset, rounds=2)
    quitting.act(0, 1)
    quitting.act(1, 1)
    quitting.do(aggregate.resign(quitting.game, 0))
    quitting.verify()


def test_an_action_can_say_what_a_resignation_says(installed: Installing) -> None:
    def folding(state: Any, seat: int, action: Tender) -> list[object]:
        return [Resigned(seat)] if action.amount == 3 else tender_ruleset.decide(state, seat, action)

    for resigned in (None, RULESET.resigned):
        played = Played(installed(decide=folding, resigned=resigned))
        played.act(1, 3)
        played.verify()


def test_a_ruleset_whose_actions_cannot_be_told_from_its_events_breaks_a_law() -> None:
    table = table_of("plute", 6)
    a_finished_game_verifies.check(table, 0)
    with (
        changed_rules(RULESETS["plute"], actions={}, legal_actions=lambda _state, _seat: ()),
        pytest.raises(AssertionError, match="a legal action of seat"),
    ):
        a_finished_game_verifies.check(table, 0)
