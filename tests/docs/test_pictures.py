"""The pictures of the guides: a script makes each of them, and a guide shows it."""

import re

from tests.pictures import FILE, POSITIONS, SHOWN
from tests.support.server import ROOT


def test_every_picture_is_made_by_the_script_and_shown_by_a_guide() -> None:
    kept = {path.name for path in (ROOT / "docs/pictures").iterdir()}
    guides = (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    shown = {name for guide in guides for name in re.findall(r"pictures/([\w-]+\.png)", guide.read_text())}
    assert kept == {FILE, *(f"{ruleset}-{device}-{theme}.png" for ruleset in POSITIONS for device, theme in SHOWN)}
    assert shown == kept
