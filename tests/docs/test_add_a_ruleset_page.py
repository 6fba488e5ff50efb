"""What the page on adding a ruleset promises of new versions, and of what packages cannot have and can import."""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import pytest

from domain.audit import bundle
from domain.audit.verifying import verify
from domain.errors import WrongMoment
from domain.field_types import Omittable
from domain.game import aggregate, history
from domain.game.forks import decision_at, position
from domain.laws.play import log_of, random_game
from domain.log.record import Record, visible
from domain.notation.lexer import NotationError
from domain.plute import RULESET as PLUTE
from domain.registry import BUILT_IN, RULESETS
from domain.serialization import from_plain
from domain.texts import document
from service.bots import BOTS
from tests.support.server import ROOT
from workers.research.actions import SPELLINGS
from workers.research.observations import FEATURES

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


def test_a_game_under_way_goes_on_by_the_code_that_is_installed(log: Sequence[Record], newer: int) -> None:
    game = history.fold(log)
    assert (game.rules_version, game.ruleset.version) == (PLUTE.version, newer)
    seat = min(game.pending)
    decided = aggregate.act(game, seat, game.ruleset.legal_actions(game.state, seat)[0])
    assert history.record(game, decided, game.at, "rq")[1].rules_version == PLUTE.version


def test_it_is_neither_forked_nor_read_as_text_nor_judged(log: Sequence[Record], newer: int) -> None:
    game = history.fold(log)
    with pytest.raises(WrongMoment) as refused:
        position(log, decision_at(log, len(log)), 0)
    assert refused.value.code == "rules-version-gone"
    text = document.write([visible(record, game.secrets, None, everything=True) for record in log])
    with pytest.raises(NotationError, match=f"the only known version of the rules of Plute is {newer}"):
        document.read(text)
    assert any("seals, draws and legality were not checked" in each for each in unchecked(game, log))


def unchecked(game: aggregate.Game, log: Sequence[Record]) -> Sequence[str]:
    events = [visible(record, game.secrets, None, everything=False) for record in log]
    audit = {
        "ruleset": "plute",
        "game_id": game.id,
        "version": game.version,
        "head": game.head,
        "events": events,
        "draws": [],
    }
    lines = "".join(json.dumps(line) + "\n" for line in bundle.lines(audit, game.rules_version))
    return verify(bundle.read(lines.encode())).unchecked


@dataclass(frozen=True)
class _Grown:
    old: int
    event_field: Annotated[int | None, Omittable()]
    option: str = "as it was"


def test_a_new_field_of_an_old_event_is_none_and_a_new_option_of_an_old_game_its_default() -> None:
    assert from_plain(_Grown, {"old": 1}) == _Grown(1, None, "as it was")


# -- what a package cannot have -------------------------------------------------------------------------------------


def test_what_only_the_games_of_this_project_have_is_as_the_page_says() -> None:
    static = ROOT / "service/web/static"
    refined = re.findall(r'^  "([a-z-]+)": \(\) => import', (static / "refine/known.js").read_text(), re.MULTILINE)
    verified = re.search(r"^const RULES = \{(.*)\};$", (static / "verify_bundle.mjs").read_text(), re.MULTILINE)
    assert verified
    known = set(re.findall(r'"?([a-z-]+)"?: \d', verified[1]))
    assert (
        {*refined}
        == known
        == BOTS["greedy"].rulesets
        == BOTS["searcher"].rulesets
        == {*FEATURES}
        == {*SPELLINGS}
        == OURS
    )


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
