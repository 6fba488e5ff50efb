"""Every refusal in the code has words for exactly its parameters, and every text of a refusal is used."""

import ast
from pathlib import Path

import pytest

from domain.errors import IllegalAction, Refusals
from domain.registry import BUILT_IN
from domain.sentences.catalogue import SHARED, catalogue, languages
from domain.sentences.message import Card
from domain.sentences.pattern import parameters

DOMAIN = Path(__file__).parents[3] / "domain"
MAKERS = ("_refuse", "Refusals")


def refusals_in(folder):
    """List the refusals in the modules of a folder: their ids, and the names of their parameters where these stand."""
    for module in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Call) and maker_of(node.func) in MAKERS and is_literal(node.args):
                names = {keyword.arg for keyword in node.keywords}
                yield ast.literal_eval(node.args[0]), None if None in names else names, module.name


def is_literal(args):
    return len(args) == 2 and isinstance(args[0], ast.Constant)


def maker_of(function):
    inner = function.func if isinstance(function, ast.Call) else function
    return getattr(inner, "id", None)


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=repr)
def test_every_refusal_has_words_for_exactly_its_parameters(ruleset):
    patterns = catalogue(ruleset.package).patterns
    for message_id, names, module in refusals_in(DOMAIN / ruleset.package.removeprefix("domain.")):
        assert f"refused.{message_id}" in patterns, f"no words for {message_id} in {module}"
        if names is not None:
            assert names == parameters(patterns[f"refused.{message_id}"]), f"{message_id} in {module}"


@pytest.mark.parametrize("package", [SHARED, *(ruleset.package for ruleset in BUILT_IN)])
def test_every_text_of_a_refusal_is_used(package):
    shared = set(catalogue(SHARED).patterns)
    folder = DOMAIN if package == SHARED else DOMAIN / package.removeprefix("domain.")
    worded = {each for each in catalogue(package).patterns if each.startswith("refused.")}
    code = "".join(module.read_text("utf-8") for module in folder.glob("*.py"))
    own = worded - (set() if package == SHARED else shared)
    assert not {each for each in own if f'"{each.removeprefix("refused.")}"' not in code}


def test_a_refusal_is_said_in_each_language():
    refusal = Refusals("domain.plute")("card-not-held", "5. Play", card=Card("KS"))
    assert (refusal.code, str(refusal)) == ("card-not-held", "you do not hold the king of spades")
    assert [refusal.in_words(language) for language in languages()] == [
        "you do not hold the king of spades",
        "vous n’avez pas le roi de pique",
        "スペードのキングは手札にありません",
    ]


def test_an_outside_ruleset_can_refuse_in_a_text_of_its_own():
    refusal = IllegalAction("bid-too-low", "a bid must name more dice", "2")
    assert {refusal.in_words(language) for language in languages()} == {str(refusal)} == {"a bid must name more dice"}
