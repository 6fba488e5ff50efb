"""Several people at one device: each sees only their own side, and a curtain stands between two of them."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.test_game import tap_at_random
from tests.browser.test_home import session
from tests.browser.test_secrets import pattern

RECORDING = """
window.drawn = new Set();
new MutationObserver(() => window.drawn.add(document.documentElement.outerHTML))
  .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
SEEN = """([curtain, patterns]) => {
  const states = [...window.drawn].filter((state) => state.includes('class="curtain"') === curtain);
  return patterns.filter((pattern) => states.some((state) => new RegExp(pattern).test(state))).length;
}"""
PASSED = ".curtain"


def test_each_of_several_at_one_device_plays_in_turn_and_a_curtain_hides_all_cards_between_them(
    open_page: Opened,
) -> None:
    page = open_page("#/new/french-tarot", reduced_motion="reduce", quiet=True)
    page.add_init_script(RECORDING)
    page.get_by_label("Players").select_option("3")
    page.get_by_label("Where").select_option("here")
    expect(page.get_by_label("Who can see it")).to_have_count(0)
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("region", name="Pass the device to Player")).to_be_visible()
    (first,) = read(page, "view")["to_act"]
    hands = [held(page, seat) for seat in range(3)]
    assert [len(hand) for hand in hands] == [24] * 3
    page.reload()
    page.get_by_label("Name at this device").fill("Ben")
    page.get_by_role("button", name="I am Ben").click()
    expect(page.locator(".game.sandbox")).to_be_visible()
    expect(page.get_by_role("row", name="Ben (you)")).to_be_visible()
    assert seen(page, hands, curtain=True) == [0, 0, 0]
    assert seen(page, hands, curtain=False) == [24 * (seat == first) for seat in range(3)]
    tap_at_random(page, 1, until=PASSED)
    (second,) = read(page, "view")["to_act"]
    expect(page.get_by_role("heading", name=f"Pass the device to Player {second + 1}")).to_be_visible()
    assert seen(page, hands, curtain=True) == [0, 0, 0]
    page.evaluate("window.drawn.clear()")
    page.get_by_role("button", name=f"I am Player {second + 1}").click()
    expect(page.locator(".game")).to_be_visible()
    assert seen(page, hands, curtain=False) == [24 * (seat == second) for seat in range(3)]


def test_one_person_and_a_bot_at_one_device_need_no_curtain(open_page: Opened) -> None:
    page = open_page("#/new/plateau", locale="fr-FR")
    page.get_by_label("Où", exact=True).select_option("here")
    page.get_by_label("Place 2").select_option("bot")
    page.get_by_role("button", name="Créer la partie").click()
    expect(page.locator(".game.sandbox")).to_be_visible()
    expect(page.locator(".curtain")).to_have_count(0)


def held(page: Page, seat: int) -> list[str]:
    """Return what a seat's cards look like, as things and in words."""
    rows = read(page, f"scene?as={seat}")["rows"]
    return [pattern(each["pick"], each["name"]) for row in rows if row["mine"] for each in row["things"]]


def seen(page: Page, hands: list[list[str]], *, curtain: bool) -> list[int]:
    """Return how many cards of each hand have been on the page, with the curtain drawn or lifted."""
    return [page.evaluate(SEEN, [curtain, hand]) for hand in hands]


def read(page: Page, what: str):
    (game,) = re.findall(r"gm_\w+", page.url)
    headers = {"Authorization": f"Bearer {session(page)['token']}"}
    return page.request.get(f"/v1/games/{game}/{what}", headers=headers).json()
