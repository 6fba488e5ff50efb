"""README and docs keep their promises: examples run, links work, tables agree with the code.

The pictures of the guides: a script makes each of them, and a guide shows it.
The logs that are published beside docs/verification.md, and the example of the page.
"""

import json
import os
import re
import subprocess
import sys
from functools import reduce
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import jsonschema
import pytest
from marshmallow import ValidationError

from api_spec import generate
from domain.audit.bundle import read
from domain.french_tarot import RULESET as french_tarot
from domain.game.aggregate import MOST_EVENTS
from domain.registry import BUILT_IN, RULESETS
from domain.texts import document
from service.accounts.limits import LIMITS
from service.api.http.parameters import EVENTS_LIMIT, LIMIT
from service.api.http.request import MOST_BYTES
from service.api.json_schema import action_schemas
from service.api.resources.bodies import NewGameSchema, OpenSeedSchema
from service.common.errors import MOST_FAULTS
from service.config.settings import documented
from service.games.projections.representations import MOST_IN_PAGE
from tests.docs import pictures, sealed_parts
from tests.docs.forged_logs import FOLDER, logs
from tests.pictures import FILE, POSITIONS, SHOWN
from tests.support.documents import examples
from tests.support.server import ROOT, RunningService

RULES = sorted(ROOT.glob("domain/*/rules.md"))
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("api_spec/clients/*/README.md")),
    *RULES,
]
PROBLEM = '"type":"/v1/problems/'


def run(script: str, url: str, folder: Path, data: Path | None = None) -> str:
    """Run an example against a service, as pasted into a shell on its host."""
    script = script.replace("http://127.0.0.1:8000", url)
    words = ["bash", "-euo", "pipefail", "-c", script]
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PLATEAU_DATA": str(data)}
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


SVG = '<svg xmlns="http://www.w3.org/2000/svg"'
PASTED = {
    "webhooks": ("docs/webhooks.md", ['"type":"test"']),
    "first-game": ("README.md", ['"type":"hand_dealt"', '"type":"card_played"']),
    "api": ("docs/api.md", ['"name":"Zoë"']),
    "playing": (
        "docs/playing.md",
        ['{"legal":true}', SVG, "ruleset: le-plateau 1\n", '"taken_back"', '"bid_made"', '"stop_agreed"'],
    ),
    "following": ("docs/following.md", ["event: event\n", '"type":"game_started"', "\n304\n"]),
    "forks": (
        "docs/replay-and-forks.md",
        ['"knowledge":"full"', '"seat":1,"knowledge":"own"', '"visibility":"public"'],
    ),
    "french-tarot": ("docs/french-tarot.md", ['"card_called"', '"slam_declined"', '"card_played"', '"phase":"play"']),
    "plateau": (
        "docs/plateau.md",
        ['"line":"W: d4~*1>c4"', '"line":"B: a1>b1:2>c1"', '"type":"vote_cast"', '"type":"resigned"'],
    ),
    "tournaments": (
        "docs/tournaments.md",
        ['"reserve":false', '"type":"entered"', '"reason":"the hall is closed"'],
    ),
    "plute": (
        "docs/plute.md",
        ['"contract_won"', '"trump_named"', '"phase":"play"', SVG, "seats: 6\noptions: early_stop=auto win_at=2\n"],
    ),
}
"""The examples by name: the page of each, and what it prints."""


@pytest.mark.parametrize("name", PASTED)
def test_the_examples_of_a_page_work_as_pasted(service: RunningService, tmp_path: Path, name: str) -> None:
    page, told = PASTED[name]
    printed = run(examples(page, name), service.url, tmp_path, service.data)
    assert printed.count(PROBLEM) == (name == "api"), "only one example is meant to be refused"
    assert [text for text in told if text not in printed] == []
    if name == "forks":
        assert (tmp_path / "game.html").read_text().startswith('<!doctype html>\n<html lang="fr">')


def test_the_actions_of_french_tarot_are_written_as_its_schemas_say() -> None:
    schemas = action_schemas(RULESETS["french-tarot"])
    written = [json.loads(line) for line in examples("docs/french-tarot.md", "actions", "json").splitlines()]
    for action in written:
        jsonschema.Draft202012Validator(schemas[action["type"]]).validate(action)
    assert {action["type"] for action in written} == schemas.keys()


def test_the_steps_of_french_tarot_are_those_of_a_deal_that_was_played() -> None:
    steps = json.loads(examples("docs/french-tarot.md", "steps", "json"))
    reading = document.read((ROOT / "tests/golden/french-tarot/4-ends-lost.txt").read_text())
    state = reduce(french_tarot.evolve, reading.events, french_tarot.setup(reading.header.options, 4))
    results = french_tarot.project(state, None).deal_results
    assert [list(result.calculation.steps) for result in results] == [steps]


@pytest.mark.parametrize(
    "options",
    ["", *(pytest.param(each, marks=pytest.mark.long) for each in ("board=random_deal deck=full", "edition=2022"))],
)
def test_the_example_of_verification_verifies_a_finished_game(service: RunningService, options: str) -> None:
    play = [sys.executable, "examples/random_game.py", "--url", service.url, "--seats", "3"]
    play += [f"--option={option}" for option in options.split()]
    printed = subprocess.run(play, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout
    game_id = printed.split("Game ")[1].split()[0]
    names: dict[str, Any] = {}
    exec(examples("docs/verification.md", "verification", "python"), names)
    assert re.fullmatch("[0-9a-f]{64}", names["verified"](service.url, game_id))


def test_the_tables_of_events_and_of_what_is_sealed_are_as_the_code_says() -> None:
    page = (ROOT / "docs/verification.md").read_text()
    for head, lines in (
        (sealed_parts.HEAD, sealed_parts.lines()),
        (sealed_parts.TYPES_HEAD, sealed_parts.type_lines()),
    ):
        assert "\n".join(["", *lines, ""]) in page
        assert page.count(head[0]) == 1


def test_the_table_of_settings_is_as_the_code_says() -> None:
    table = (ROOT / "docs/operations/settings.md").read_text()
    for variable, meaning in documented():
        assert f"| `{variable}` | {meaning} |" in table
    assert len(re.findall(r"^\| `[A-Z_]+` \|", table, re.MULTILINE)) == len(list(documented()))


def test_the_table_of_limits_is_as_the_code_says() -> None:
    page = (ROOT / "docs/threat-model.md").read_text()
    words = json.loads((ROOT / "service/sentences.en.json").read_text())
    rows = [
        f"| `{bucket}` | {words[f'limit.{bucket}']} | {words[f'limit.period.{seconds}']} | {limit.default:,} |"
        for bucket, limit in LIMITS.items()
        for seconds in [limit.seconds or "none"]
    ]
    assert re.findall(r"^\| `[a-z-]+` \|.*$", page, re.MULTILINE) == rows


def test_the_table_of_bounds_is_as_the_code_says() -> None:
    page = (ROOT / "docs/threat-model.md").read_text()
    bounds = {
        "the body of a request": f"{MOST_BYTES // 1024} KiB",
        "items of a list": f"{LIMIT.field.validate.max} a page",
        "events": f"{EVENTS_LIMIT.field.validate.max:,} a page",
        "legal actions": f"{MOST_IN_PAGE:,} a page",
        "seats of a game": str(NewGameSchema().fields["seats"].validate.max),
        "faults in one refusal": str(MOST_FAULTS),
    }
    for what, most in bounds.items():
        assert f"| {what} | {most} |" in page


@pytest.mark.parametrize("name", ["architecture.md", "decisions.md"])
def test_every_file_and_folder_that_the_architecture_names_is_there(name: str) -> None:
    named = re.findall(r"`((?:api_spec|domain|service|tests|workers)/[\w./-]*)`", (ROOT / "docs" / name).read_text())
    assert [path for path in named if not (ROOT / path).exists()] == []
    assert len(named) > 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, section in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)[^)]*\)", page.read_text()):
        if not target.startswith("http"):
            linked = page.parent / target
            assert linked.exists(), f"{page.name} links to {target}"
            if section:
                assert section in sections(linked if target else page), f"{page.name} links to {target}#{section}"


def test_the_page_for_operators_leads_to_each_of_its_pages() -> None:
    page = (ROOT / "docs/operations.md").read_text()
    for part in sorted((ROOT / "docs/operations").glob("*.md")):
        assert f"](operations/{part.name}) |" in page


def sections(page: Path) -> set[str]:
    """Return the names that headings of a page have in links, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_rule_that_a_refusal_cites_is_a_section_of_the_rulesets_page() -> None:
    for ruleset in RULESETS.values():
        package = import_module(f"domain.{ruleset.id.replace('-', '_')}")
        page = (Path(package.__path__[0]) / "rules.md").read_text()
        modules = [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]
        cited = {module.RULE for module in modules if hasattr(module, "RULE")}
        assert cited
        for rule in cited:
            assert f"\n## {rule}\n" in page


def test_every_command_of_make_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        for named in re.findall(
            r"make ([a-z-]+)\b", "\n".join(re.findall(r"`make [^`]+`|```sh.*?```", page.read_text(), re.DOTALL))
        ):
            assert named in targets, f"{page.name}: make {named}"


def test_the_pictures_are_as_they_are_drawn() -> None:
    for name, drawn in pictures.documents().items():
        assert (ROOT / "docs" / name).read_text() == drawn, f"{name} is stale: run 'python -m tests.docs.pictures'"


@pytest.mark.long
def test_the_published_interface_is_as_the_code_says() -> None:
    """As ``make check`` compares it, which every change must pass."""
    made = generate.documents()
    for path, text in made.items():
        assert (generate.HERE / path).read_text() == text, f"{path} is stale: run 'make spec'"
    assert not generate.left_over(made)


def test_every_picture_is_made_by_the_script_and_shown_by_a_guide() -> None:
    kept = {path.name for path in (ROOT / "docs/pictures").iterdir()}
    guides = (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    shown = {name for guide in guides for name in re.findall(r"pictures/([\w-]+\.jpg)", guide.read_text())}
    assert kept == {FILE, *(f"{ruleset}-{device}-{theme}.jpg" for ruleset in POSITIONS for device, theme in SHOWN)}
    assert shown == kept


HONEST = Path("honest.jsonl")
FORGED = [path for path in logs() if path != HONEST]


def test_the_published_logs_are_as_they_are_made() -> None:
    found = {path.relative_to(FOLDER): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()}
    assert found == logs()


def test_the_example_accepts_the_honest_log_and_no_other() -> None:
    names: dict[str, Any] = {}
    exec(examples("docs/verification.md", "verification", "python"), names)
    honest = (FOLDER / HONEST).read_bytes()
    assert names["checked"](honest) == read(honest).header["head"]
    for path in FORGED:
        with pytest.raises(AssertionError, match=": expected "):
            names["checked"]((FOLDER / path).read_bytes())


def test_the_page_describes_the_rules_that_are_installed_and_where_a_log_is_full() -> None:
    page = " ".join((ROOT / "docs/verification.md").read_text().split())
    *others, last = (f"{ruleset.version} of {ruleset.name}" for ruleset in BUILT_IN)
    assert f"names: {', '.join([*others, last])}. Rules of another version" in page
    assert f"`endless` only behind version {MOST_EVENTS:,}" in page


@pytest.mark.parametrize(
    "code_point", [0x07, 0x7F, 0x85, 0x200B, 0x202E, 0xE000, 0xD800, 0x0378, 0x115F, 0x3164, 0xFE0F, 0x2800], ids=hex
)
def test_the_service_takes_no_seed_with_a_code_point_that_the_page_says_it_refuses(code_point: int) -> None:
    assert OpenSeedSchema().load({"client_seed": "ünïcode 漢字 ☺"})
    with pytest.raises(ValidationError):
        OpenSeedSchema().load({"client_seed": f"a{chr(code_point)}b"})


def test_the_page_names_the_folders_of_the_logs() -> None:
    page = (ROOT / "docs/verification.md").read_text()
    assert all(f"`{path.parent}/`" in page for path in FORGED if path.parent.name)
