"""Golden games in the replay: whatever has happened in a game is shown in words, to everyone, in every language."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.browser.states import LANGUAGES
from tests.browser.stored import stored
from tests.golden.logs import GAMES, game_name
from tests.support.sampling import part
from tests.support.server import RunningService

pytestmark = pytest.mark.long

SHOWN = """async (versions) => {
  const table = () => document.querySelector(".past");
  const settled = (version) => table()?.dataset.version === String(version) || document.querySelector(".trouble");
  const named = [".row h2", ".seat-name", ".lines li", ".happened", ".bar h1 small", "[role=img]", ".card", ".piece"];
  const raw = /\\b(gm|pl|rq|bot)_\\w+|\\b[a-z]+_[a-z]+\\b|[{}]|undefined|\\[object|\\bNaN\\b|\\bnull\\b/;
  const wordless = (each) => !(each.getAttribute("aria-label") ?? each.textContent).trim();
  const faults = [];
  const last = Math.max(...document.querySelector(".steps output").textContent.match(/\\d+/g));
  for (const wanted of versions) {
    const slider = document.querySelector("input[type=range]");
    slider.value = Math.round(((wanted - 1) / (last - 1)) * slider.max);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const numbers = document.querySelector(".steps output").textContent.match(/\\d+/g).map(Number);
    const version = numbers.find((each) => each !== last) ?? last;
    for (const end = Date.now() + 30_000; !settled(version); await new Promise((resolve) => setTimeout(resolve, 2))) {
      if (Date.now() > end) throw new Error(`version ${version} does not come`);
    }
    const trouble = document.querySelector(".trouble");
    if (trouble) faults.push([version, "trouble", trouble.textContent]);
    const title = document.querySelector(".bar h1").lastChild;
    if (!title?.textContent.trim() || title.nodeName === "SMALL") faults.push([version, "no title", ""]);
    for (const each of document.querySelectorAll(named.join())) {
      if (wordless(each)) faults.push([version, "no words", each.outerHTML.slice(0, 120)]);
    }
    const labels = [...document.querySelectorAll(".game [aria-label]")].map((each) => each.ariaLabel);
    const said = [...document.querySelectorAll(".bar h1, .felt, .dock, .seats")].map((each) => each.textContent);
    for (const text of [...labels, ...said]) {
      if (raw.test(text)) faults.push([version, "raw", raw.exec(text)[0], text.slice(0, 200)]);
    }
  }
  return faults;
}"""
"""Go to the stops nearest to some versions; return what has no words, and whatever looks like an identifier."""


@pytest.fixture
def page(open_page: Opened) -> Page:
    return open_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")


def faults(page: Page, game: str, viewers: Sequence[str], versions: Sequence[int], language: str) -> list[Any]:
    """Look at versions of a game through the eyes of everyone; return what is wrong with them."""
    page.evaluate("(it) => localStorage.setItem('plateau.settings', it)", json.dumps({"language": language}))
    found = []
    for viewer in viewers:
        page.goto("about:blank")
        page.goto(f"/#/game/{game}?at=1&as={viewer}")
        page.locator(".past[data-version]").wait_for()
        if not page.get_by_role("slider").count():
            page.locator(".length").click()
        found += [[viewer, *fault] for fault in page.evaluate(SHOWN, versions)]
    return found


def spread(last: int, count: int) -> list[int]:
    """Take so many versions, from the first to the last."""
    return sorted({round(1 + place * (last - 1) / max(1, count - 1)) for place in range(min(last, count))})


def everyone(seats: int) -> list[str]:
    return ["spectator", *map(str, range(seats)), "all"]


@pytest.mark.parametrize("path", GAMES, ids=game_name)
def test_a_golden_game_is_shown_in_words_to_everyone(page: Page, service: RunningService, path: Path) -> None:
    game = stored(service, path)
    is_chosen = path.with_suffix(".views").exists()
    versions = spread(game.version, part(40 if is_chosen else 6))
    language = [*LANGUAGES][GAMES.index(path) % len(LANGUAGES)]
    assert faults(page, game.id, everyone(len(game.sitters)), versions, language) == []
