"""The logs that are published beside docs/verification.md, and the example of the page."""

from pathlib import Path
from typing import Any

import pytest
from marshmallow import ValidationError

from domain.audit.bundle import read
from domain.game.aggregate import MOST_EVENTS
from domain.registry import BUILT_IN
from service.api.resources.bodies import OpenSeedSchema
from tests.docs.forged_logs import FOLDER, logs
from tests.support.documents import examples
from tests.support.server import ROOT

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
    assert OpenSeedSchema().load({"seed": "ünïcode 漢字 ☺"})
    with pytest.raises(ValidationError):
        OpenSeedSchema().load({"seed": f"a{chr(code_point)}b"})


def test_the_page_names_the_folders_of_the_logs() -> None:
    page = (ROOT / "docs/verification.md").read_text()
    assert all(f"`{path.parent}/`" in page for path in FORGED if path.parent.name)
