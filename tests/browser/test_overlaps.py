"""At no size of the screen do the things of a table cover each other, leave it, or lose a part of their text."""

from collections.abc import Mapping

import pytest

from tests.browser.conftest import Opened
from tests.browser.settling import Requests, settled
from tests.browser.states import STATES, State, golden, reached
from tests.support.server import RunningService

HANDHELD = [(360, 640), (390, 844), (844, 390), (768, 1024)]
DESKS = [(1280, 800), (1440, 900), (2560, 1440)]

OVERLAPS = """() => {
  // Things of one group can lie on each other: the cards of a trick, of a hand, of a row in a corner.
  const groups = [
    ...[...document.querySelectorAll(".seat:not(.viewer)")].map((each) => [
      `seat ${each.dataset.seat}`,
      ...each.querySelectorAll(".portrait, .seat-name, .seat-pick, .seat-note, .held, .score, .clocks"),
    ]),
    ["trick", ...document.querySelectorAll(".laid .card")],
    ["hand", ...document.querySelectorAll(".hands .card, .hands .piece")],
    ["plaque", ...document.querySelectorAll(".plaque")],
    ["board", ...document.querySelectorAll(".board [data-pick]")],
    ["panel", ...document.querySelectorAll(".panel :is(button, legend)")],
    ["whose", ...document.querySelectorAll(".whose")],
    ["acts", ...document.querySelectorAll(".acts :is(button, p, input, select)")],
    ["bar", ...document.querySelectorAll(".bar > *")],
    ["beside", ...document.querySelectorAll(".game.opened .beside")],
    ...[...document.querySelectorAll(".corner .row, .middle .row, .owned .row")].map((each) => [
      `row ${each.dataset.row}`,
      ...each.querySelectorAll("h2, .card, .piece, .note"),
    ]),
  ];
  const isSeen = (each) =>
    each.checkVisibility() && !each.closest(".hearsay") && each.getClientRects().length > 0 && !isClipped(each);
  const isClipped = (each) =>
    each && !each.matches(".game") && (getComputedStyle(each).clipPath !== "none" || isClipped(each.parentElement));
  const words = (each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  };
  const box = (each) => {
    const isText = each.matches(".seat-name, .held, .score, h2, legend, .note");
    const { x, y, width, height } = isText ? words(each) : each.getBoundingClientRect();
    // A card that is turned is as large as before, about its middle.
    const [wide, high] = each.matches(".card") ? [each.offsetWidth, each.offsetHeight] : [width, height];
    const [left, top] = [x + (width - wide) / 2, y + (height - high) / 2];
    return { left, top, right: left + wide, bottom: top + high };
  };
  const called = (each) =>
    `${each.getAttribute("class") ?? each.localName} ${(each.ariaLabel ?? each.textContent).slice(0, 24)}`;
  const items = groups.flatMap(([group, ...all]) =>
    all.filter(isSeen).map((each) => ({ group, each, ...box(each), text: `${group}: ${called(each)}` })),
  );
  const faults = new Map();
  const fault = (kind, one, other = { group: "", text: "" }) =>
    faults.set([kind, one.group, other.group].join(" "), `${kind} ${one.text} / ${other.text}`);
  items.forEach((one, place) => {
    if (one.left < -1 || one.top < -1 || one.right > innerWidth + 1 || one.bottom > innerHeight + 1) fault("out", one);
    for (const other of items.slice(place + 1)) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.group !== other.group && Math.min(wide, high) > 3) fault("over", one, other);
    }
  });
  const texts = document.querySelectorAll(
    ":is(.seat-name, .seat-name > span, .seat-pick, .seat-note, .bar h1 > *, .lines li, .says, .row h2)," +
      ":is(.whose span, .panel legend, .acts button, .panel button)",
  );
  for (const each of texts) {
    if (!isSeen(each) || getComputedStyle(each).display === "inline") continue;
    if (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 3)
      faults.set(`cut ${called(each)}`, `cut ${called(each)}`);
  }
  return [...faults.values()];
}"""
"""What covers something else, is not within the screen, or has text that is cut."""

GAMES = ("plute-", "french-tarot-", "le-plateau-", "plateau-")
TABLES: Mapping[str, State] = {
    **{name: state for name, state in STATES.items() if name.startswith(GAMES)},
    "french-tarot-bid-higher": golden("french-tarot/4-garde", 11),
    "french-tarot-play-3": golden("french-tarot/3-ends-made", 60),
    "french-tarot-play-4": golden("french-tarot/4-ends-made", 70),
    "french-tarot-play-5": golden("french-tarot/5-partner", 60),
    "le-plateau-last-of-four": golden("le-plateau/4-deck-full", 10),
    "le-plateau-last-bid": golden("le-plateau/6-board-custom", 17),
    "le-plateau-play-2": golden("le-plateau/2-stop-agreed", 60),
    "le-plateau-play-3": golden("le-plateau/3-ends-made-in-play", 60),
    "le-plateau-play-4": golden("le-plateau/4-stop-agreed", 70),
    "le-plateau-play-6": golden("le-plateau/6-stop-agreed", 140),
    "all-open-french-tarot": golden("french-tarot/5-calls", address="/#/game/{}?at=60&as=all"),
    "all-open-french-tarot-4": golden("french-tarot/4-ends-made", address="/#/game/{}?at=50&as=all"),
    "all-open-le-plateau": golden("le-plateau/6-void-hands-redeal", address="/#/game/{}?at=120&as=all"),
    "all-open-plute": golden("plute/ends-plute", address="/#/game/{}?at=40&as=all"),
    "all-open-plateau": golden("plateau/ends-unit", address="/#/game/{}?at=100&as=all"),
    "watched-plute": golden("plute/ends-plute", address="/#/game/{}?at=40&as=spectator"),
    "watched-le-plateau": golden("le-plateau/4-stop-agreed", address="/#/game/{}?at=70&as=spectator"),
}
OVERLAID = ("french-tarot-crib", "french-tarot-no-connection", "plute-why-not")
"""A refusal and the crib lie over the table until they are read, and a page without a connection has other words."""
USUAL = ("french-tarot-bid", "le-plateau-last-bid")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in USUAL else pytest.mark.long) for name in TABLES if name not in OVERLAID],
)
def test_on_no_screen_does_a_thing_of_a_table_cover_another_one(
    open_page: Opened, service: RunningService, name: str
) -> None:
    faults = {}
    for screens in (HANDHELD, DESKS):
        look = {"viewport": dict(zip(("width", "height"), screens[0], strict=True)), "has_touch": screens is HANDHELD}
        requests = Requests()
        page = reached(open_page, service, TABLES[name], watch=requests.watch, **look)
        settled(page, requests)
        if page.locator(".ending").count():
            page.keyboard.press("Escape")
        if screens is HANDHELD and page.locator(".game.opened").count():
            page.locator(".bar [aria-expanded]").click()
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            faults[width, height] = page.evaluate(OVERLAPS)
    assert {screen: found for screen, found in faults.items() if found} == {}
