"""Whole games by roles and names alone, as with a screen reader, and by the keyboard alone."""

import json
import random
import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.browser.seated import sit_down
from tests.domain.laws.facts import short
from tests.support.sampling import SMALLEST
from tests.support.server import RunningService, wait_until

pytestmark = pytest.mark.long

MOST_STEPS = 1500
FOCUS_S = 2
"""Within which a choice that takes the focus away has to put it elsewhere; it does so after the next frame."""
BACK, AGAIN = "Back", "Play again"
DESK = {"has_touch": False, "is_mobile": False, "viewport": {"width": 1280, "height": 800}}

BUTTON = re.compile(r"""- '?button (?P<name>"(?:[^"\\]|\\.)*")(?P<state>(?: \[[^\]]*\])*)""")
"""A button in a snapshot, which is YAML: a line with a colon in a name is within quotes, and doubles those in it."""
FOCUSED = """() => {
  const at = document.activeElement;
  const isOffered = at.matches(".game :is(button, [role=button])")
    && !at.closest(".bar, .beside, .why")
    && !at.disabled && at.ariaDisabled !== "true" && at.ariaPressed !== "true" && at.textContent !== "Back";
  return isOffered ? at.ariaLabel ?? at.textContent : null;
}"""
"""The name of what has the focus, if it is something to choose."""


def wait_for_my_turn(page: Page) -> bool:
    """Wait until there is something to choose, and nothing is sent; return false once the game is over."""
    page.locator(".game:not([aria-busy])").wait_for()
    over = page.get_by_role("button", name=AGAIN)
    page.get_by_role("status").filter(has_text="Your turn").or_(over).first.wait_for()
    return not over.is_visible()


def offered(page: Page) -> list[str]:
    """Return the names of the buttons that can be pressed in the game."""
    found = BUTTON.finditer(page.get_by_role("main").aria_snapshot())
    return [
        json.loads(each["name"].replace("''", "'"))
        for each in found
        if "[disabled]" not in each["state"] and "[pressed]" not in each["state"]
    ]


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_a_whole_game_is_played_by_roles_and_names_alone(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int
) -> None:
    page = sit_down(open_page, service, ruleset_id, seats, short(ruleset_id), **DESK)
    rng = random.Random(seats)
    steps = idle = 0
    while wait_for_my_turn(page):
        every = offered(page)
        names = [name for name in every if name != BACK] or every  # a long list can lead to what is not legal
        steps, idle = (steps + 1, 0) if names else (steps, idle + 1)  # while an action is sent, nothing is offered
        assert steps < MOST_STEPS, f"the game continues after {MOST_STEPS} steps"
        assert idle < MOST_STEPS, "it is my turn, and nothing is offered"
        if names:
            wanted = page.get_by_role("main").get_by_role("button", name=rng.choice(names), exact=True, disabled=False)
            for button in wanted.all()[:1]:  # none, if the turn ended meanwhile
                button.dispatch_event("click")


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_a_whole_game_is_played_by_the_keyboard_alone(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int
) -> None:
    page = sit_down(open_page, service, ruleset_id, seats, short(ruleset_id), **DESK)
    rng = random.Random(seats)
    has_chosen = False
    for _ in range(MOST_STEPS):
        if not wait_for_my_turn(page):
            return
        if has_chosen:
            # Not by Playwright's own wait, which evaluates a text in the page: the policy forbids that.
            wait_until(lambda: page.evaluate("document.activeElement !== document.body"), "the focus", FOCUS_S)
            assert not page.evaluate("document.activeElement.matches('.felt')"), "the whole table is no thing to choose"
        for _ in range(rng.randrange(3)):
            page.keyboard.press(rng.choice(("ArrowLeft", "ArrowRight", "ArrowDown")))
        has_chosen = bool(page.evaluate(FOCUSED))
        if has_chosen:
            page.keyboard.press(rng.choice(("Enter", "Space")))
        else:
            page.keyboard.press("Tab")
    raise AssertionError(f"the game continues after {MOST_STEPS} steps")
