"""The page on Plute and its rules name actions, options, decisions and refusals that there are."""

import json
import re

import jsonschema_rs
import pytest

from domain.registry import RULESETS
from domain.serialization import to_plain
from service.api.json_schema import posted_schema
from tests.support.server import ROOT


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
