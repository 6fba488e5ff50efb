"""Another engine: a stock Firefox plays a few tricks, looks back, and opens a game in one file."""

import json
import os
import shutil
from pathlib import Path

import httpx
import pytest

from tests.browser.seated import BOT, bearer, created, guest
from tests.support import node
from tests.support.one_file import written
from tests.support.server import RunningService

TOOLS = Path(__file__).parent / "firefox"
TAPS = 40


def firefox() -> str:
    """Return the path of Firefox; skip the test without it or its driver, unless PLATEAU_NEEDS_FIREFOX demands it."""
    found = shutil.which("firefox") or shutil.which("firefox-esr")
    if not found or not (TOOLS / "node_modules").is_dir() or not shutil.which("node"):
        message = "Firefox or its driver is not installed: apt-get install firefox-esr, and make firefox"
        pytest.fail(message) if os.environ.get("PLATEAU_NEEDS_FIREFOX") == "1" else pytest.skip(message)
    return str(found)


@pytest.mark.long
def test_firefox_plays_looks_back_and_verifies_without_an_error(service: RunningService, tmp_path: Path) -> None:
    program = firefox()
    file = tmp_path / "game.html"
    file.write_bytes(written("french-tarot/3-petite"))
    with httpx.Client(base_url=service.url) as client:
        ada = guest(client, "Ada")
        game = created(service, ada, "le-plateau", BOT)["id"]
        given = {"firefox": program, "service": service.url, "session": ada, "game": game, "file": file.as_uri()}
        found = json.loads(node.run("node", "smoke.mjs", json.dumps({**given, "most": TAPS}), cwd=TOOLS))
        events = client.get(f"/v1/games/{game}/events", headers=bearer(ada), params={"limit": 200}).json()["events"]
    assert found["version"].startswith("firefox")
    assert sum(event["type"] == "trick_won" for event in events) >= 2
    assert found["past"]
    assert (found["doubts"], found["complaints"]) == ([], [])
