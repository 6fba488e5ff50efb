"""The TypeScript package does what its README says: installed by path, compiled by strict users, and playing."""

import json
import re
import shutil
from pathlib import Path

import pytest
from standardwebhooks import Webhook as Verifier

from domain.registry import BUILT_IN
from service.common.version import VERSION
from tests.clients.conftest import made_once
from tests.support import node
from tests.support.proxies import CuttingProxy
from tests.support.server import ROOT, RunningService
from tests.support.webhook_receiver import Receiver

EXAMPLE = ROOT / "examples/player.ts"
USER = ROOT / "tests/clients/typescript/user.ts"
FOLLOWER = ROOT / "tests/clients/typescript/follower.ts"


@pytest.fixture(scope="module")
def installed(shared: Path) -> Path:
    """A folder in which the package is installed, with programs that use it, compiled."""
    node.needed()
    return made_once(shared / "typescript-user", install)


def install(folder: Path) -> None:
    node.begin(folder)
    node.run("npm", "install", "--offline", "--no-audit", "--no-fund", node.PACKAGE, cwd=folder)
    blocks = re.findall(r"<!-- test: readme -->\n```ts\n(.*?)```", (node.PACKAGE / "README.md").read_text(), re.DOTALL)
    (folder / "readme.ts").write_text("".join(blocks).replace('"http://127.0.0.1:8000"', 'process.argv[2] ?? ""'))
    for program in (USER, FOLLOWER, EXAMPLE):
        shutil.copy(program, folder)
    node.compile_strictly(folder, ["readme.ts", USER.name, FOLLOWER.name, EXAMPLE.name])


@pytest.mark.long
def test_a_strict_user_of_the_package_plays_whole_games(service: RunningService, installed: Path) -> None:
    *games, refusal, lossy = node.run("node", "out/user.js", service.url, cwd=installed).splitlines()
    assert sorted(games) == sorted(f"{ruleset.id} game_finished true" for ruleset in BUILT_IN)
    assert refusal == "400 malformed /options/max_plies true"
    assert lossy == "lost true finished"


@pytest.mark.long
def test_it_follows_games_through_cuts_and_proxies_that_hold_streams_back(
    service: RunningService, installed: Path
) -> None:
    with (
        CuttingProxy(service.url, after_bytes=1500) as cutting,
        CuttingProxy(service.url, holds_streams=True) as holding,
        Receiver() as receiver,
    ):
        places = (service.url, cutting.url, holding.url, receiver.url)
        printed = node.run("node", "out/follower.js", *places, cwd=installed)
    secret = printed.partition("hooked true ")[2].partition("\n")[0]
    (sent,) = receiver.received
    assert Verifier(secret).verify(sent.body, dict(sent.headers))["type"] == "game_started"
    assert printed.splitlines() == [
        "whole true 1 true",
        "cut true true",
        "held true 1",
        "views true true true",
        "missing no-such-game",
        "stopped TimeoutError",
        f"hooked true {secret}",
        "heard game_started your_turn true true",
        "turns 1 true",
        "unhooked 0",
        "planned true false",
        "forced true false",
        "said true こんにちは！",
    ]
    assert cutting.cuts > 0


def test_the_readme_of_the_package_works_as_pasted(service: RunningService, installed: Path) -> None:
    printed = node.run("node", "out/readme.js", service.url, cwd=installed)
    assert printed.startswith("max_plies\n")
    assert "\nactive plt_" in printed
    assert "\n0 random\n1 you\n" in printed
    assert "\n404 no-such-game null we can't find " in printed
    assert printed.endswith("\n1\ntrue\n")


def test_the_example_plays_in_40_lines_with_the_package_alone(service: RunningService, installed: Path) -> None:
    written = EXAMPLE.read_text()
    assert len(written.splitlines()) <= 40
    assert re.findall(r"\bfrom (\S+);", written) == ['"@plateau/client"']
    assert not re.search(r"\brequire\(|\bimport\(|\bfetch\(", written)
    printed = node.run("node", "out/player.js", service.url, cwd=installed).splitlines()
    assert len(printed) == 5
    assert re.fullmatch(r"Over \(\w+\), scores( -?\d+){3}", printed[-1])


def test_the_unit_tests_of_the_package_pass() -> None:
    node.needed()
    node.run("node", "--test", *sorted((node.PACKAGE / "test").glob("*.test.js")))


def test_the_types_of_the_package_are_those_of_the_document_and_of_the_code(tmp_path: Path) -> None:
    node.needed()
    copy = tmp_path / "clients/typescript"
    shutil.copytree(node.PACKAGE, copy, ignore=shutil.ignore_patterns("node_modules", "types"))
    (copy / "types").mkdir()
    (copy / "node_modules").symlink_to(node.PACKAGE / "node_modules")
    shutil.copy(ROOT / "api_spec/openapi.yaml", tmp_path)
    node.run("npm", "run", "generate", cwd=copy)
    made, kept = (
        {path.name: path.read_text() for path in (folder / "types").iterdir()} for folder in (copy, node.PACKAGE)
    )
    stale = [name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name)]
    assert not stale, f"these types of the TypeScript client differ from the code: {', '.join(stale)}; run 'make spec'"


def test_the_package_has_its_version_its_licence_and_no_dependencies() -> None:
    for name in ("package.json", "package-lock.json"):
        assert json.loads((node.PACKAGE / name).read_text())["version"] == VERSION
    assert "dependencies" not in json.loads((node.PACKAGE / "package.json").read_text())
    assert (node.PACKAGE / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_the_code_of_the_package_imports_nothing_but_itself() -> None:
    for module in (node.PACKAGE / "src").glob("*.js"):
        code = re.sub(r"/\*.*?\*/", "", module.read_text(), flags=re.DOTALL)
        assert all(re.fullmatch(r'"\./\w+\.js"', name) for name in re.findall(r"\bfrom (\S+);", code))
        assert not re.search(r"\bprocess\b|\bBuffer\b|\brequire\b|\bimport\(", code)
