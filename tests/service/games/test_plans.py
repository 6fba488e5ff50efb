"""What is left of a plan after what has happened since it was made.

Conditions: what each comparison means, and that any condition has an answer in any view, at a bounded cost.
"""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.log.record import Record
from domain.log.redaction import Hidden
from service.api.resources.plans import ConditionSchema
from service.games.commit import seats_to_act
from service.games.plans.conditions import COMPARISONS, MOST_STARS, holds, places, steps_of
from service.games.plans.plan import Plan, are_outdated, carried, read, written
from service.games.projections import representations
from tests.support.random_games import played
from tests.support.sampling import TABLES, part

PASS: Any = {"action": {"type": "pass"}}


def record(kind: str, seat: int | None = None, hidden: Mapping[str, Hidden] | None = None, version: int = 9) -> Record:
    return Record("gm_1", version, kind, "2026-01-01T00:00:00.000Z", seat, {}, {}, "", hidden or {}, "")


DEAL = {"/hands/0": Hidden((0,), [])}


@pytest.mark.parametrize(
    ("since", "is_outdated"),
    [
        (record("bid_made", 1), False),
        (record("bid_made", 2), True),
        (record("proposal_made", 2), False),
        (record("vote_cast", 2), False),
        (record("hand_dealt", None, DEAL), True),
        (record("cards_discarded", 1, {"/cards": Hidden((1,), [])}), False),
        (record("trick_won"), False),
        (record("taken_back"), True),
        (record("game_resumed"), False),
    ],
    ids=lambda value: getattr(value, "type", str(value)),
)
def test_steps_are_outdated_by_what_changes_their_ground(since: Record, is_outdated: bool) -> None:
    game = played("le-plateau", 4, 0)[-1].game
    assert are_outdated(2, game, [record("bid_made", 0), since]) is is_outdated
    assert not are_outdated(2, game, [])


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_in_every_game_steps_do_not_outlive_a_deal(ruleset_id: str, seats: int) -> None:
    dealt = [step for step in played(ruleset_id, seats, 0) if any("dealt" in each.type for each in step.records)]
    assert bool(dealt) == (ruleset_id != "plateau")
    for step in dealt:
        records = [each for each in step.records if "dealt" in each.type]
        assert all(are_outdated(seat, step.game, records) for seat in range(seats))


def test_a_plan_is_stored_only_if_it_says_something() -> None:
    assert written(Plan("pl_a", 3)) == b""
    for plan in (Plan("pl_a", 3, [PASS]), Plan("pl_a", 3, [], forced=True)):
        assert read(written(plan)) == plan


ACTED = [record("bid_made", 2, version=7), record("contract_won", 2, version=8), record("phase_began", version=9)]


@pytest.mark.parametrize(
    ("records", "since"),
    [
        (ACTED, 8),
        ([ACTED[0], record("hand_dealt", None, DEAL, 8), record("bid_made", 2, version=9)], 7),
        ([record("unit_moved", version=7), record("turn_began", version=8)], 7),
    ],
)
def test_the_rest_of_a_plan_continues_from_what_its_seat_did(records: list[Record], since: int) -> None:
    change = carried(2, b"known", Plan("pl_a", 3, [PASS]), records)
    assert (change.seat, change.known, read(change.rest).since) == (2, b"known", since)
    assert carried(2, b"known", Plan("pl_a", 3), records).rest == b""


def test_steps_are_in_no_repr() -> None:
    assert "pass" not in repr(Plan("pl_a", 3, [PASS]))
    assert "known" not in repr(carried(2, b"known", Plan("pl_a", 3, [PASS]), ACTED)).replace("known=", "")


def test_bots_do_not_plan() -> None:
    for step in played("plateau", 2, 0):
        assert seats_to_act(step.game) == list(step.game.waiting_for)


VIEW: dict[str, Any] = {
    "version": 41,
    "state": {
        "phase": "play",
        "trick": {"cards": [{"seat": 1, "card": "VH"}, {"seat": 2, "card": "T3"}], "number": 1},
        "hands": [{"seat": 0, "cards": None}, {"seat": 3, "cards": ["RH", "5H"]}],
        "odd/name": {"~": True},
        "empty": [],
    },
}


def at(path: str, op: str, value: Any = None) -> dict[str, Any]:
    """Make a comparison."""
    return {"path": path, "op": op} | ({} if op == "exists" else {"value": value})


@pytest.mark.parametrize(
    "condition",
    [
        at("/state/phase", "eq", "play"),
        at("/state/phase", "ne", "bid"),
        at("/state/phase", "in", ["bid", "play"]),
        at("/state/phase", "starts_with", "pl"),
        at("/state/trick/cards/0/card", "ends_with", "H"),
        at("/state/trick/cards/1/seat", "eq", 2.0),
        at("/state/trick/cards/*/card", "starts_with", "T"),
        at("/state/hands/*/cards/*", "eq", "5H"),
        at("/state/*/number", "eq", 1),
        at("/state/hands/0/cards", "eq", None),
        {"path": "/state/odd~1name/~0", "op": "eq", "value": True},
        at("/state/empty", "exists"),
        at("/version", "lt", 42),
        at("/version", "le", 41),
        at("/version", "gt", 40.5),
        at("/version", "ge", 41),
        {"not": at("/state/trick/cards/2", "exists")},
        {"all": [at("/version", "exists"), {"not": {"any": [at("/none", "exists"), at("/version", "eq", 1)]}}]},
    ],
    ids=str,
)
def test_it_holds(condition: dict[str, Any]) -> None:
    assert holds(condition, VIEW)
    assert not holds({"not": condition}, VIEW)


@pytest.mark.parametrize(
    "condition",
    [
        *(at("/state/none", op, [1] if op == "in" else "") for op in COMPARISONS),
        *(at("/state/empty/*", op, [1] if op == "in" else "") for op in COMPARISONS),
        at("/state/empty/0", "exists"),
        at("/state/trick/cards/00/card", "exists"),
        at("/state/trick/cards/-1/card", "exists"),
        at("/state/trick/cards/-/card", "exists"),
        at("/state/phase/0", "exists"),
        at("/state/odd~1name/~0", "eq", 1),
        at("/version", "eq", "41"),
        at("/version", "starts_with", "4"),
        at("/state/phase", "lt", 1),
        at("/state/hands/0/cards", "lt", 1),
        at("/state/hands", "eq", None),
        at("/state/trick", "in", [None]),
        at("/version", "in", [True, None, "41"]),
        {"any": [at("/none", "exists"), {"all": [at("/version", "exists"), at("/version", "eq", 1)]}]},
    ],
    ids=str,
)
def test_it_does_not_hold(condition: dict[str, Any]) -> None:
    assert not holds(condition, VIEW)
    assert holds({"not": condition}, VIEW)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text("ab/~*0", max_size=3), inner))
STEPS = st.sampled_from(["*", "0", "1", "a", "b", "~1", "~0", "", "state", "cards", "seat", "trick", "hands"])
PATHS = st.lists(STEPS, min_size=1, max_size=6).filter(lambda steps: steps[0] != "*" and steps.count("*") <= MOST_STARS)
VALUES = {"in": st.lists(SCALARS, min_size=1), "starts_with": st.text(), "ends_with": st.text()}
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def comparisons(draw: Any) -> dict[str, Any]:
    """Draw a comparison of the documented form."""
    op = draw(st.sampled_from(sorted(COMPARISONS)))
    value = draw(VALUES.get(op, NUMBERS if op in ("lt", "le", "gt", "ge") else SCALARS))
    return at("/" + "/".join(draw(PATHS)), op, value)


CONDITIONS = st.recursive(
    comparisons(),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map(lambda several: {"all": several}),
        st.lists(inner, min_size=1, max_size=4).map(lambda several: {"any": several}),
        inner.map(lambda one: {"not": one}),
    ),
    max_leaves=12,
)


@given(CONDITIONS, JSON)
def test_any_condition_has_an_answer_in_any_view(condition: dict[str, Any], view: Any) -> None:
    assert holds(condition, view) is not holds({"not": condition}, view)


@given(CONDITIONS)
def test_conditions_drawn_here_have_the_documented_form(condition: dict[str, Any]) -> None:
    faults = ConditionSchema().validate(condition)
    assert not faults or any(most in str(faults) for most in ("Longer than", "up to 100", "a list of 1 to 50"))


def size(value: Any) -> int:
    """Count the values in a view, itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(size, inner))


@given(PATHS, JSON)
def test_a_path_visits_no_place_twice(steps: list[str], view: Any) -> None:
    found = [*places(view, steps_of("/" + "/".join(steps)))]
    assert len(found) <= size(view)
    containers = [id(each) for each in found if isinstance(each, dict | list) and each]
    assert len(set(containers)) == len(containers)


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
@settings(max_examples=part(60))
@given(condition=CONDITIONS)
def test_any_condition_has_an_answer_in_the_views_of_every_game(
    ruleset_id: str, seats: int, condition: dict[str, Any]
) -> None:
    step = played(ruleset_id, seats, 0)[-2]
    view = orjson.loads(orjson.dumps(representations.view(step.game, 0)))
    assert isinstance(holds(condition, view), bool)
