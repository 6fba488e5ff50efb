"""Ten thousand taps anywhere on a table, single and double: nothing is sent that the player has not seen as chosen."""

import random

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.browser.seated import sit_down
from tests.support.sampling import SMALLEST, part
from tests.support.server import RunningService

pytestmark = pytest.mark.long

TAPS = part(2500)
SETTLED_MS = 350
FRAME_MS = 50
"""By how much a frame can be late that shows what is chosen."""

WATCHED = """() => {
  window.early = [];
  let shown = { text: "", since: 0 };
  const look = () => {
    const text = document.querySelector(".choices .deciding .primary")?.textContent ?? "";
    if (text !== shown.text) shown = { text, since: performance.now() };
    requestAnimationFrame(look);
  };
  look();
  const send = window.fetch;
  window.fetch = (path, options) => {
    const waited = performance.now() - shown.since;
    if (options?.method === "POST" && /\\/actions(\\?(?!.*dry_run)|$)/.test(path))
      if (!shown.text || waited < LEAST) window.early.push([options.body, shown.text, waited]);
    return send(path, options);
  };
}"""
"""Note what is sent though the button that sends it has not stood there for long enough."""

SPOT = """([x, y, lit]) => {
  const all = [...document.querySelectorAll(".game :is(.lit, .acts button, .panel button, .ending .primary)")];
  const box = lit && all.length ? all[Math.floor(x * all.length)].getBoundingClientRect() : null;
  const at = box ? [box.x + box.width * (0.1 + y * 0.3), box.y + box.height * 0.3] : [x * innerWidth, y * innerHeight];
  const leads = document.elementFromPoint(...at)?.closest("a, .bar, .beside, .again");
  return leads || document.querySelector(".game[data-status=finished]") ? null : at;
}"""
"""Where to tap: on what is offered, or anywhere; null where that leads away, and once the game is over."""


def tap(page: Page, rng: random.Random) -> None:
    spot = page.evaluate(SPOT, [rng.random(), rng.random(), rng.random() < 0.8])
    if spot:
        for _ in range(rng.choice((1, 1, 2))):
            page.touchscreen.tap(*spot)
    # Now and then, a player looks before the next tap.
    page.wait_for_timeout(rng.choice((0, 0, 0, 0, SETTLED_MS + FRAME_MS)))


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_nothing_is_sent_that_was_not_shown_as_chosen(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int
) -> None:
    rng = random.Random(seats)
    page = sit_down(open_page, service, ruleset_id, seats, {})
    page.evaluate(WATCHED.replace("LEAST", str(SETTLED_MS - FRAME_MS)))
    before = page.locator(".game").get_attribute("data-version")
    for _ in range(TAPS):
        tap(page, rng)
    assert page.evaluate("window.early") == []
    assert page.locator(".game").get_attribute("data-version") != before
