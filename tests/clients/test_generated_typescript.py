"""Types that a tool writes from the document alone pass the strictest compiler, and play whole games."""

import re
import shutil
from pathlib import Path

import pytest

from domain.registry import BUILT_IN
from tests.support import node
from tests.support.server import ROOT, RunningService, fetch

pytestmark = pytest.mark.long

PLAYER, REJECTED = (ROOT / "tests/clients/typescript" / name for name in ("player.ts", "rejected.ts"))


@pytest.fixture(scope="module")
def compiled(service: RunningService, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A player, compiled with the types of the document that the service hands out, and what must not compile."""
    node.needed()
    folder = tmp_path_factory.mktemp("player")
    node.begin(folder)
    (folder / "openapi.json").write_bytes(fetch(f"{service.url}/openapi.json")[1])
    printed = node.tool("openapi-typescript", "openapi.json", "--output", "schema.ts", cwd=folder)
    assert "warn" not in printed.lower()
    for written in (PLAYER, REJECTED):
        shutil.copy(written, folder)
    node.borrow(folder, "openapi-fetch")
    node.compile_strictly(folder, [PLAYER.name, REJECTED.name])
    return folder


def test_a_player_compiled_with_generated_types_plays_whole_games(service: RunningService, compiled: Path) -> None:
    printed = node.run("node", "out/player.js", service.url, cwd=compiled).splitlines()
    assert sorted(line.split()[0] for line in printed) == sorted(ruleset.id for ruleset in BUILT_IN)
    facts = {line.split()[0]: " ".join(line.split()[2:]) for line in printed}
    assert facts["french-tarot"] == "deals 1"
    assert re.fullmatch(r"scores( -?\d+){4}", facts["le-plateau"])


def test_the_player_uses_generated_types_alone() -> None:
    written = PLAYER.read_text()
    assert len(written.splitlines()) <= 70
    code = re.sub(r"//.*|/\*.*?\*/", "", written)
    assert not re.search(r"\bas\b|\bany\b|\bunknown\b|@ts-|\w!(?!=)", code)
