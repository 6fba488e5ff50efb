"""Several people at one device: each sees only their own side, and a curtain stands between two of them."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Opened
from tests.browser.pages import pattern, session, tap_at_random

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


def test_a_curtain_hides_all_cards_between_players_at_one_device(open_page: Opened) -> None:
    page = open_page("#/new/french-tarot", reduced_motion="reduce", quiet=True)
    page.add_init_script(RECORDING)
    page.get_by_label("Players").select_option("3")
    page.get_by_label("Devices").select_option("here")
    expect(page.get_by_label("Who can see it")).to_have_count(0)
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("region", name="Pass the device to Player")).to_be_visible()
    (first,) = read(page, "view")["to_act"]
    hands = [held(page, seat) for seat in range(3)]
    assert [len(hand) for hand in hands] == [24] * 3
    page.reload()
    page.get_by_label("Name on this device").fill("Ben")
    page.get_by_role("button", name="I am Ben").click()
    expect(page.locator(".game.sandbox")).to_be_visible()
    expect(page.get_by_role("row", name="Ben (you)")).to_have_count(1)
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


@pytest.mark.long
def test_one_person_and_a_bot_at_one_device_need_no_curtain(open_page: Opened) -> None:
    page = open_page("#/new/plateau", locale="fr-FR")
    page.get_by_label("Appareils").select_option("here")
    page.get_by_label("Joueur 2").select_option("bot")
    page.get_by_role("button", name="Créer la partie").click()
    expect(page.locator(".game.sandbox")).to_be_visible()
    expect(page.locator(".curtain")).to_have_count(0)
    assert page.evaluate(COVERED) is False
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator(".seat:not(.viewer) .seat-name > span").evaluate("(name) => name.textContent = 'Marten '.repeat(9)")
    assert page.evaluate(WHOLE)


COVERED = """() => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector(".bar h1"));
  const pill = document.querySelector(".whose").getBoundingClientRect();
  return [...text.getClientRects()].some((line) => line.right > pill.left && line.left < pill.right
    && line.bottom > pill.top && line.top < pill.bottom);
}"""
"""Whether the name of the game runs under the pill that says whose turn it is."""
WHOLE = """() => {
  const [name, bot] = ["", " > small"].map((each) =>
    document.querySelector(`.seat:not(.viewer) .seat-name${each}`).getBoundingClientRect());
  return bot.width > 20 && bot.right <= name.right + 1;
}"""
"""Whether a long name leaves room for what stands behind it."""


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


@pytest.mark.long
def test_what_one_player_has_sent_is_not_sent_again_before_the_next(open_page: Opened) -> None:
    page = open_page("#/new/french-tarot", reduced_motion="reduce", quiet=True)
    page.add_init_script(RECORDING)
    page.get_by_label("Players").select_option("3")
    page.get_by_label("Devices").select_option("here")
    page.get_by_role("button", name="Create the game").click()
    page.locator(PASSED).wait_for()
    (first,) = read(page, "view")["to_act"]
    hand = held(page, first)
    sent: list[str] = []

    def lose(route: Route) -> None:
        """Let the service act, and lose its response."""
        sent.append(route.request.url)
        route.fetch()
        route.abort()

    page.route("**/actions?*lang=*", lose)
    page.locator(".curtain button").click()
    tap_at_random(page, 1, until=PASSED)
    (second,) = read(page, "view")["to_act"]
    page.reload()
    del sent[:]
    lift(page, second)
    assert sent == [], "the action of another seat waits for that seat"
    assert seen(page, [hand], curtain=False) == [0]

    def ahead(route: Route) -> None:
        """Let a real response come before the page has heard of what is in it."""
        answer = route.fetch().json()
        answer["version"] = answer["view"]["version"] = answer["version"] + 1
        route.fulfill(json=answer)

    page.unroute_all()
    page.route("**/actions?*lang=*", ahead)
    page.evaluate(MIXED_UP, [first, second])
    page.reload()
    with page.expect_response(re.compile("/actions.*lang=")) as answer:
        lift(page, second)
    assert answer.value.json()["view"]["viewer"]["seat"] == first
    page.evaluate(SETTLED)
    assert seen(page, [hand], curtain=False) == [0]


MIXED_UP = """([from, to]) => {
  const [name] = Object.keys(localStorage).filter((each) => each.startsWith("plateau.sending."));
  localStorage.setItem(name.replace(RegExp(`${from}$`), to), localStorage.getItem(name));
}"""
"""Put what one seat has sent into the place of another."""
SETTLED = "() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 100))"


def lift(page: Page, seat: int) -> None:
    page.get_by_role("button", name=f"I am Player {seat + 1}").click()
    page.locator(".game").wait_for()
    page.evaluate(SETTLED)
