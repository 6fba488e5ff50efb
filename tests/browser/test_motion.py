"""A card moves from where it was to where it lies; with reduced motion, nothing moves."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.pages import tap_at_random
from tests.browser.seated import sit_down
from tests.support.server import RunningService

pytestmark = pytest.mark.long

RECORD = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    window.moved.push([this.dataset.motion, frames[0].transform, Object.keys(frames[0])]);
    return animate.call(this, frames, how);
  };
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_that_is_played_moves_to_the_trick(open_page: Opened, service: RunningService, motion: str) -> None:
    page = sit_down(open_page, service, "plute", 6, {}, reduced_motion=motion)
    tap_at_random(page, 1, until='.game:has([data-row="trick"]) .mine .card.lit')
    page.evaluate(RECORD)
    card = page.locator(".mine .card.lit").first
    pick = card.get_attribute("data-pick")
    card.dispatch_event("click")
    page.locator(".deciding .primary[aria-disabled=false]").dispatch_event("click")
    expect(page.locator(f'.mine [data-pick="{pick}"]')).to_have_count(0)
    expect(page.locator(f'.felt [data-motion="{pick}:0"]')).to_have_count(1)
    moved = page.evaluate("moved")
    assert {key for *_, keys in moved for key in keys} <= {"opacity", "transform"}, "the page draws each frame itself"
    moves = [transform for thing, transform, _ in moved if thing == f"{pick}:0"]
    assert [transform.startswith("translate(") for transform in moves[:1]] == [True] * (motion == "no-preference")
    assert motion == "no-preference" or moved == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_trick_slides_to_its_winner(open_page: Opened, service: RunningService, motion: str) -> None:
    page = sit_down(open_page, service, "french-tarot", 4, {}, reduced_motion=motion)
    page.evaluate(RECORD.replace("frames[0].transform", "frames.length"))
    tap_at_random(page, 2, until="[data-to]")
    expect(page.locator("[data-to] .leading")).to_have_count(1)
    through = [thing for thing, frames, _ in page.evaluate("moved") if frames == 3]
    assert bool(through) == (motion == "no-preference")
