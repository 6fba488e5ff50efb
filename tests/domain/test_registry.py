"""Which rulesets are found, in which order, and why one is not."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from domain.field_types import secret
from domain.registry import BUILT_IN, GROUP, RULESETS, UNUSABLE, check, rulesets
from tests.support import tender_ruleset

BUILT_IN_IDS = ["le-plateau", "plateau", "french-tarot", "plute"]


@pytest.fixture
def offered(monkeypatch):
    """Offer objects as rulesets, by the names of modules."""

    def offer(**objects):
        points = []
        for name, ruleset in objects.items():
            module = ModuleType(name)
            module.RULESET = ruleset
            monkeypatch.setitem(sys.modules, name, module)
            points.append(EntryPoint(name, f"{name}:RULESET", GROUP))
        return rulesets(points)

    return offer


def ruleset(id_, **changes):
    return replace(tender_ruleset.RULESET, **{"id": id_, "package": "domain.plute"} | changes)


def test_the_built_in_games_stand_in_the_order_that_clients_see():
    assert [each.id for each in BUILT_IN] == BUILT_IN_IDS
    assert list(rulesets(())[0]) == BUILT_IN_IDS
    assert list(RULESETS)[:4] == BUILT_IN_IDS
    assert UNUSABLE == ()


def test_rulesets_of_packages_follow_sorted_by_id(offered):
    found, unusable = offered(a=ruleset("whist"), b=ruleset("belote"), c=ruleset("liars-dice"))
    assert list(found) == [*BUILT_IN_IDS, "belote", "liars-dice", "whist"]
    assert unusable == ()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (7, "TypeError: a int is not a domain.ruleset.Ruleset"),
        (ruleset("Liar's Dice"), 'ValueError: the id "Liar\'s Dice" must be lower-case words with dashes'),
        (ruleset("dice", seats=range(1, 4)), "ValueError: it must be for 2 to 12 players, not range(1, 4)"),
        (ruleset("dice", seats=range(2, 14)), "ValueError: it must be for 2 to 12 players, not range(2, 14)"),
        (ruleset("dice", seats=range(0)), "ValueError: it must be for 2 to 12 players, not range(0, 0)"),
        (ruleset("dice", package="domain.cardplay"), "ValueError: the package domain.cardplay has no rules.md"),
        (ruleset("plute"), "ValueError: there is already a ruleset plute, from this server"),
    ],
)
def test_a_ruleset_that_cannot_be_used_is_left_out_with_a_line_that_says_why(offered, given, why):
    found, (line,) = offered(good=ruleset("good"), odd=given)
    assert list(found) == [*BUILT_IN_IDS, "good"]
    assert found["plute"] is BUILT_IN[3]
    assert line == f"the module odd offers a ruleset that cannot be used (odd = odd:RULESET): {why}"


@pytest.mark.parametrize(
    ("package", "words", "why"),
    [
        ("cut_off", '{"passed": "Passe."', "Expecting ',' delimiter: line 1 column 20"),
        ("unclosed", '{"passed": "{player passe."}', "'{player passe.': {player passe. is neither a parameter nor a"),
    ],
)
def test_a_ruleset_with_words_that_cannot_be_read_is_left_out(offered, tmp_path, monkeypatch, package, words, why):
    (tmp_path / package).mkdir()
    for name, text in {"__init__.py": "", "rules.md": "", "sentences.fr.json": words}.items():
        (tmp_path / package / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    found, (line,) = offered(theirs=ruleset("theirs", package=package))
    assert "theirs" not in found
    assert f"ValueError: sentences.fr.json of {package}: {why}" in line


def test_of_two_packages_with_the_same_ruleset_the_second_is_named(offered):
    found, (line,) = offered(one=ruleset("dice"), two=ruleset("dice"))
    assert found["dice"] is sys.modules["one"].RULESET
    assert "the module two" in line
    assert "already a ruleset dice, from the module one" in line


def test_ids_whose_types_would_have_the_same_names_are_rejected(offered):
    found, (line,) = offered(one=ruleset("dice1"), two=ruleset("dice-1"))
    assert "dice1" in found
    assert "dice-1" not in found
    assert "its id is too similar to dice1, from the module one" in line


def test_whatever_a_package_raises_it_is_named_on_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "gone", None)
    _, (line,) = rulesets([EntryPoint("gone", "gone:RULESET", GROUP)])
    assert line.startswith("the module gone offers a ruleset that cannot be used (gone = gone:RULESET): Module")


@dataclass(frozen=True)
class Hiding:
    """An event that hides a secret where it cannot be sealed."""

    seat: int
    held: Mapping[str, tender_ruleset.Tendered]


@dataclass(frozen=True)
class Renamed:
    """A view whose field has another name in JSON."""

    from_: int


@dataclass(frozen=True)
class Kept:
    """A record of the state with a field that no repr shows."""

    seat: int
    drawn: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Shared:
    """A view that shares records with the state."""

    kept: Mapping[str, tuple[Kept | None, ...]]


@dataclass(frozen=True)
class PassedOn:
    """An event that shows a secret to another seat than the one that acted."""

    seat: int
    to: int
    amount: int = secret("seat", "to")


@dataclass(frozen=True)
class AllTendered:
    """An event with secrets of several seats."""

    tenders: tuple[tender_ruleset.Tendered, ...]


@dataclass(frozen=True)
class Recalled:
    """A view that holds an event with a secret."""

    last: tender_ruleset.Tendered | None


@pytest.mark.parametrize("built_in", BUILT_IN, ids=repr)
def test_the_built_in_games_pass_the_checks_of_those_from_packages(built_in):
    check(built_in)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"events": {"game_finished": tender_ruleset.Resigned}}, "events or proposals of the name game_finished"),
        ({"agreements": replace(tender_ruleset.RULESET.agreements, kinds={"pause": "Pause."})}, "of the name pause"),
        ({"agreements": replace(tender_ruleset.RULESET.agreements, kinds={"abort": "Abort."})}, "of the name abort"),
        (
            {"agreements": replace(tender_ruleset.RULESET.agreements, kinds={"take_back": "Go back."})},
            "of the name take_back",
        ),
        ({"events": {"hidden": Hiding}}, "secrets can be in dataclasses and lists of them"),
        ({"open_events": frozenset({Kept})}, "Kept is declared as an open event, but is no event of the ruleset"),
        (
            {"events": {"passed_on": PassedOn}, "open_events": frozenset({PassedOn})},
            "PassedOn.amount: an open event can show a hidden part to its seat only",
        ),
        (
            {"events": {"all_tendered": AllTendered}, "open_events": frozenset({AllTendered})},
            "AllTendered.tenders: an open event can show a hidden part to its seat only",
        ),
        ({"view": Renamed}, "Renamed.from_: a view shows each field always, by its own name"),
        ({"view": Shared}, "Kept.drawn: a view cannot have a hidden field, at any depth"),
        ({"view": Recalled}, "Tendered.amount: a view cannot have a hidden field, at any depth"),
    ],
)
def test_a_ruleset_that_would_break_its_logs_or_views_is_rejected(offered, changes, why):
    found, unusable = offered(whist=ruleset("whist", **changes))
    assert "whist" not in found
    assert why in unusable[0]
