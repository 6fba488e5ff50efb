"""What the page on adding a ruleset promises of new versions, and of what packages cannot have and can import."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from domain.game import aggregate, history
from domain.laws.play import log_of, random_game
from domain.log.record import Record
from domain.plute import RULESET as PLUTE
from domain.registry import BUILT_IN, RULESETS
from service.bots import BOTS
from tests.support.server import ROOT
from workers.research.actions import numbering
from workers.research.observations import blocks
from workers.research.tables import NoSuchTable

PAGE = (ROOT / "docs/add-a-ruleset.md").read_text()
OURS = {ruleset.id for ruleset in BUILT_IN}
EXAMPLES = [*(ROOT / "examples/liars-dice").rglob("*.py"), *(ROOT / "examples/hearts").rglob("*.py")]


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def modules() -> list[str]:
    return re.findall(
        r"`((?:domain|workers)[a-z_.]*)`", section("What a package can import").partition("Names that")[0]
    )


# -- a new version ------------------------------------------------------------------------------------------------


@pytest.fixture
def log() -> Sequence[Record]:
    """A game of Plute, up to the middle of its play."""
    steps = [*random_game(PLUTE, 6, 1, {"win_at": 1, "lose_at": 1})]
    return log_of(steps[: len(steps) // 2])


@pytest.fixture
def newer(log: Sequence[Record], monkeypatch: pytest.MonkeyPatch) -> int:
    """The rules in a later version, installed since."""
    version = PLUTE.version + 1
    monkeypatch.setitem(RULESETS, "plute", replace(PLUTE, version=version))  # type: ignore[arg-type]
    return version


def test_a_game_under_way_continues_by_the_code_that_is_installed(log: Sequence[Record], newer: int) -> None:
    game = history.fold(log)
    assert (game.rules_version, game.ruleset.version) == (PLUTE.version, newer)
    seat = min(game.pending)
    decided = aggregate.act(game, seat, game.ruleset.legal_actions(game.state, seat)[0])
    assert history.record(game, decided, game.at, "rq")[1].rules_version == PLUTE.version


# -- what a package cannot have -------------------------------------------------------------------------------------


def test_what_only_the_games_of_this_project_have_is_as_the_page_says() -> None:
    static = ROOT / "service/web/static"
    refined = re.findall(r'^  "([a-z-]+)": \(\) => import', (static / "refine/known.js").read_text(), re.MULTILINE)
    verified = re.search(r"^const RULES = \{(.*)\};$", (static / "verify_bundle.mjs").read_text(), re.MULTILINE)
    assert verified
    known = set(re.findall(r'"?([a-z-]+)"?: \d', verified[1]))
    assert {*refined} == known == BOTS["greedy"].rulesets == BOTS["searcher"].rulesets == OURS
    for foreign in ("liars-dice", "hearts"):
        for made in (numbering, blocks):
            with pytest.raises(NoSuchTable):
                made(foreign)


# -- what a package can import ----------------------------------------------------------------------------------------


def imported() -> Iterator[tuple[Path, str, str]]:
    """List what the examples import from this project: the file, the module, the name."""
    for path in EXAMPLES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("domain", "workers"):
                yield from ((path, node.module, each.name) for each in node.names)


def test_the_examples_import_only_what_packages_can() -> None:
    listed = modules()
    assert len(listed) > 20
    assert all(find_spec(module) for module in listed)
    for path, module, name in imported():
        whole = f"{module}.{name}"
        assert any(each in (module, whole) or module.startswith(f"{each}.") for each in listed), f"{path}: {whole}"
        assert not name.startswith("_")
        assert module != "domain.log.record" or name == "Shown" or "tests" in path.parts, path
