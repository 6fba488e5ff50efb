"""The examples of docs/plans.md can be put, and each of their steps is carried out in some position of its game.

The page on Plute and its rules name actions, options, decisions and refusals that there are.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from domain.game.aggregate import Game
from domain.registry import RULESETS
from domain.serialization import to_plain
from service.api.json_schema import posted_schema
from service.api.resources import plans as resource
from service.api.resources.plans import read_plan
from service.games.commit import seats_to_act
from service.games.plans import conditions
from service.games.plans import plan as plans
from service.games.plans.plan import Plan, by_steps
from tests.support.documents import examples
from tests.support.random_games import playing
from tests.support.server import ROOT

PAGE = "docs/plans.md"
SEATS = {"french-tarot": 4, "le-plateau": 3, "plute": 6, "plateau": 2}
MOST_GAMES = 60


def example(ruleset_id: str) -> Any:
    """Read the example of a game."""
    return json.loads(examples(PAGE, ruleset_id, "json"))


def moments(ruleset_id: str) -> Iterator[tuple[Game, int]]:
    """Play random games, and stop wherever a player is to act."""
    for seed in range(MOST_GAMES):
        for step in playing(ruleset_id, SEATS[ruleset_id], seed):
            yield from ((step.game, seat) for seat in seats_to_act(step.game))


@pytest.mark.parametrize("ruleset_id", SEATS)
def test_every_step_of_an_example_is_carried_out_in_some_position(ruleset_id: str) -> None:
    body = example(ruleset_id)
    steps, _ = read_plan(RULESETS[ruleset_id], b"", body)
    wanted = list(range(len(steps)))
    for game, seat in moments(ruleset_id):
        chosen = by_steps(Plan("pl_0", 0, steps), game, seat)
        if chosen is not None:
            rests = [step.get("then", ()) for step in steps]
            fits = [by_steps(Plan("pl_0", 0, [step]), game, seat) is not None for step in steps]
            first = fits.index(True)
            assert chosen.rest.steps == rests[first]
            wanted = [number for number in wanted if number != first]
        if not wanted:
            return
    pytest.fail(f"no position for the steps {wanted}")


def test_the_bounds_are_as_the_code_says() -> None:
    text = (ROOT / PAGE).read_text().partition("| bound |")[2].partition("\n\n")[0]
    numbers = [int(re.findall(r"\d+", row.split("|")[2])[0]) for row in text.splitlines()[2:]]
    assert numbers == [
        plans.MOST_STEPS,
        plans.MOST_TURNS,
        conditions.MOST_LEVELS,
        resource.MOST_VALUES,
        resource.LONGEST_VALUE,
        resource.LONGEST_PATH,
        plans.MOST_BYTES // 1024,
    ]


def test_every_comparison_is_on_the_page() -> None:
    table = (ROOT / PAGE).read_text().partition("| form |")[2].partition("\n\n")[0]
    assert set(re.findall(r'"op": "(\w+)"|`(\w+)`', table)) >= {
        (op, "") for op in ("eq", "ne", "in", "lt", "starts_with", "exists")
    }
    assert all(f'"{op}"' in table or f"`{op}`" in table for op in conditions.COMPARISONS)


@pytest.mark.parametrize("page", ["domain/plute/rules.md", "docs/plute.md"])
def test_the_actions_and_options_shown_in_the_documents_are_of_the_published_form(page):
    text = (ROOT / page).read_text()
    actions = [json.loads(found) for found in re.findall(r'\{"type": "[a-z]+"[^{}]*\}', text)]
    schema = jsonschema_rs.Draft202012Validator(posted_schema(RULESETS["plute"]))
    assert {action["type"] for action in actions} == set(RULESETS["plute"].actions)
    assert all(schema.is_valid(action) for action in actions)
    for options in re.findall(r'^\{"joker_order".*?\}$', text, re.DOTALL | re.MULTILINE):
        assert json.loads(options) == to_plain(RULESETS["plute"].options.complete({}, 6))


def test_the_decisions_named_in_the_rules_and_the_cases_are_those_of_the_document():
    told = re.findall(r"^\| (H\d+) \|", (ROOT / "docs/plute.md").read_text(), re.MULTILINE)
    assert told == [f"H{number}" for number in range(1, 22)]
    for page in ("domain/plute/rules.md", "tests/domain/plute/cases.json"):
        assert {*re.findall(r"\bH\d+\b", (ROOT / page).read_text())} <= {*told}


def test_every_refusal_of_the_documents_is_one_that_the_rules_know():
    codes = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", (ROOT / "docs/plute.md").read_text()))
    source = "".join(path.read_text() for path in (ROOT / "domain").rglob("*.py") if path.parent.name != "le_plateau")
    assert codes
    assert not [code for code in codes if not re.search(rf'"{code}[".]', source)]
