"""Plute through HTTP: its options, a joker that names trump, and claims by seats whose turn it is not."""

import json
import re

import jsonschema_rs
import pytest

from domain.registry import RULESETS
from service.api.json_schema import posted_schema
from tests.support.people import ME
from tests.support.server import ROOT

SANDBOX = {"ruleset": "plute", "seats": [ME] * 6, "sandbox": True}
DEFAULTS = {
    "joker_order": "first_played_high",
    "early_stop": "claim",
    "stuck_dealer_may_raise": False,
    "dealer_may_steal": False,
    "declare_off_jack_lead": False,
    "win_at": 3,
    "lose_at": 3,
    "low": "holder",
    "show_points": False,
    "chat_in_hand": False,
}


@pytest.mark.rule(
    "plute", "Options", "`joker_order` / `first", "`early_stop` / `claim`", "`stuck_dealer_may_raise` / false",
    "`dealer_may_steal` / false", "`declare_off_jack_lead` / false", "`low` / `holder`",
)  # fmt: skip
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"joker_order": "marked"},
        {"early_stop": "auto"},
        {"early_stop": "off"},
        {"stuck_dealer_may_raise": True},
        {"dealer_may_steal": True},
        {"declare_off_jack_lead": True},
        {"win_at": 1, "lose_at": 9},
        {"low": "taker"},
        {"show_points": True},
        {"chat_in_hand": True},
    ],
)
def test_every_option_is_taken_and_shown_in_full(ada, asked):
    made = ada.post("/v1/games", {**SANDBOX, "options": asked})
    assert made.status_code == 201
    assert made.json["options"] == DEFAULTS | asked
    jokers = ada.get(f"/v1/games/{made.json['id']}/view").json["state"]["jokers"]
    assert jokers == ({"high": "X1", "low": "X2"} if "joker_order" in asked else {"high": None, "low": None})


def claimable(ada):
    """Play sandboxes until a hand can be claimed; about one game in ten ends before. Return its path and its view."""
    while True:
        game = f"/v1/games/{ada.post('/v1/games', SANDBOX).json['id']}"
        view = ada.get(f"{game}/view").json
        while len(view["to_act"]) == 1:
            *_, action = view["legal_actions"]["actions"]
            assert ada.post(f"{game}/actions", action).status_code == 201
            view = ada.get(f"{game}/view").json
        if view["to_act"]:
            return game, view


def test_where_every_seat_can_claim_a_sandbox_is_seen_from_the_seat_in_turn(ada):
    game, view = claimable(ada)
    assert view["to_act"] == [0, 1, 2, 3, 4, 5]
    assert view["viewer"]["seat"] == view["state"]["trick"]["leader"]
    assert ada.post(f"{game}/actions", view["legal_actions"]["actions"][0]).json["seat"] == view["viewer"]["seat"]


@pytest.mark.parametrize("page", ["domain/plute/rules.md", "docs/plute.md"])
def test_the_actions_and_options_shown_in_the_documents_are_of_the_published_form(ada, page):
    text = (ROOT / page).read_text()
    actions = [json.loads(found) for found in re.findall(r'\{"type": "[a-z]+"[^{}]*\}', text)]
    schema = jsonschema_rs.Draft202012Validator(posted_schema(RULESETS["plute"]))
    assert {action["type"] for action in actions} == set(RULESETS["plute"].actions)
    assert all(schema.is_valid(action) for action in actions)
    for options in re.findall(r'^\{"joker_order".*?\}$', text, re.DOTALL | re.MULTILINE):
        assert json.loads(options) == DEFAULTS


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
