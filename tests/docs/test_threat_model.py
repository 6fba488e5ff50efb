"""The threat model covers every operation, and no other."""

import re

import yaml

from api_spec import generate
from tests.support.server import ROOT

MODEL = (ROOT / "docs/threat-model.md").read_text()
SECURITY = (ROOT / "SECURITY.md").read_text()


def test_what_each_answer_discloses_is_said_of_every_operation_once() -> None:
    told = re.findall(r"^\| `([A-Z]+ /\S*)` \| [^|]+ \| [^|]+ \|$", MODEL, re.MULTILINE)
    document = yaml.load((generate.HERE / "openapi.yaml").read_text(), yaml.CSafeLoader)
    operations = [f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods]
    assert len(operations) > 30
    assert sorted(told) == sorted(operations)


def test_the_four_who_attack_are_told_apart() -> None:
    may = MODEL.partition("## Who can do what")[2].partition("\n## ")[0]
    for who in ("Stranger", "Spectator", "Player", "Operator"):
        assert f"| **{who}**" in may


def test_every_promise_is_tried_by_a_test() -> None:
    table = SECURITY.partition("## What is promised")[2].partition("\n## ")[0]
    promises = [row for row in table.splitlines() if row.startswith("| ")][1:]
    assert len(promises) >= 7
    for promise in promises:
        assert re.search(r"\]\((tests|domain/laws)/", promise), promise
