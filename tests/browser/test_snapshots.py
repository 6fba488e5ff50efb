"""What a screen reader finds in each state of the client, kept as text; in some states, in every language.

``make snapshots`` writes the texts of ``snapshots/`` again; read what has changed as somebody who only hears it.
"""

import os
from pathlib import Path

import pytest

from tests.browser.conftest import Opened
from tests.browser.settling import Requests, settled
from tests.browser.states import LANGUAGES, STATES, reached
from tests.support.server import RunningService

FOLDER = Path(__file__).parent / "snapshots"
SAMPLE = [("home", "en"), ("plateau-chosen", "ja"), ("plute-why-not", "fr")]
TRANSLATED = {
    "home",
    "new-game",
    "plute-why-not",
    "french-tarot-discard",
    "le-plateau-over",
    "plateau-chosen",
    "replay",
}
KEPT = [(name, language) for name in STATES for language in LANGUAGES if language == "en" or name in TRANSLATED]


@pytest.mark.parametrize(
    ("name", "language"), [pytest.param(*each, marks=() if each in SAMPLE else pytest.mark.long) for each in KEPT]
)
def test_a_state_reads_as_it_did(open_page: Opened, service: RunningService, name: str, language: str) -> None:
    path, requests = FOLDER / language / f"{name}.yaml", Requests()
    look = {"viewport": {"width": 1280, "height": 800}, "watch": requests.watch}
    page = reached(open_page, service, STATES[name], language, lambda page: settled(page, requests), **look)
    wanted = path.read_text() if path.exists() else None
    found = settled(page, requests, wanted)
    if os.environ.get("SNAPSHOTS") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found)
    else:
        assert found == wanted, f"{language}/{name}: read the difference, then run make snapshots if it is right"


def test_every_text_belongs_to_a_state() -> None:
    kept = {(path.parent.name, path.stem) for path in FOLDER.glob("*/*.yaml")}
    assert kept == {(language, name) for name, language in KEPT}
