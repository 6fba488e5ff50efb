"""Tutorials in the browser: the learner makes the moves by taps, and a hint follows another move."""

import re

import pytest
from playwright.sync_api import expect

from domain.registry import BUILT_IN
from tests.browser.conftest import Opened

pytestmark = pytest.mark.long


def test_a_learner_makes_the_moves_of_a_lesson_and_is_helped(open_page: Opened) -> None:
    page = open_page()
    page.get_by_role("link", name="Learn Le Plateau").click()
    expect(page.get_by_text("Step 1 of 10")).to_be_visible()
    assert page.title() == "Learn Le Plateau · Plateau"
    page.get_by_role("button", name="Show me").click()
    for card in ("10 of spades", "jack of spades", "10 of hearts"):
        page.locator(".mine").get_by_role("button", name=card).last.click()
    expect(page.get_by_text("Step 3 of 10")).to_be_visible()
    page.get_by_role("button", name="Keep the objective").press("Enter")
    expect(page.locator("body")).not_to_be_focused()
    page.get_by_role("button", name="trump 3", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("try this instead: Play the Excuse")
    page.locator(".mine").get_by_role("button", name=re.compile("excuse", re.IGNORECASE)).click()
    expect(page.get_by_text("Step 5 of 10")).to_be_visible()
    expect(page.locator(".log")).to_contain_text("Ben passes.")


TAKING = """async ({ action, step }) => {
  let seed = step;
  const any = (all) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return all[Math.floor((seed / 2 ** 32) * all.length)];
  };
  const values = (part) => (typeof part === "object" && part ? Object.values(part).flatMap(values) : [`${part}`]);
  const wanted = new Set(values(action));
  const place = () => document.querySelector(".lesson-place").textContent;
  const before = place();
  for (let taps = 0; taps < 3000 && place() === before; taps += 1) {
    const lit = [...document.querySelectorAll(".game .lit:not(.chosen)")];
    const fits = lit.filter((each) => wanted.has(each.dataset.pick.split(":")[1]));
    const back = [...document.querySelectorAll(".deciding button")];
    const offered = [...fits, ...document.querySelectorAll(".choices .buttons button")];
    any([...offered, ...back])?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  return place() !== before;
}"""
"""A learner who knows which things belong to a move, and tries buttons until the lesson continues."""


@pytest.mark.parametrize("ruleset", [each.id for each in BUILT_IN])
def test_every_lesson_is_learnt_by_taps_of_the_learner(open_page: Opened, ruleset: str) -> None:
    page = open_page(f"#/learn/{ruleset}", has_touch=True, is_mobile=True, reduced_motion="reduce")
    *steps, _ = page.request.get(f"/v1/rulesets/{ruleset}/tutorial").json()["steps"]
    for number, step in enumerate(steps, 1):
        expect(page.get_by_text(f"Step {number} of {len(steps) + 1}")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert page.evaluate(TAKING, {"action": step["move"]["action"], "step": number}), step["move"]["says"]
    expect(page.get_by_role("button", name="Play against easy bots")).to_be_visible()
