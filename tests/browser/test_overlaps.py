"""At no size of the screen do the things of a table cover each other, leave it, or lose a part of their text."""

from collections.abc import Mapping

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.browser.states import STATES, State, golden, reached
from tests.support.server import RunningService

SCREENS = [(360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (2560, 1440)]
HANDHELD = 1000
"""A screen that is narrower than this has no mouse."""

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
  const called = (each) => `${each.getAttribute("class") ?? each.localName} ${(each.getAttribute("aria-label") ?? each.textContent).slice(0, 24)}`;
  const items = groups.flatMap(([group, ...all]) =>
    all.filter(isSeen).map((each) => ({ group, each, ...box(each), text: `${group}: ${called(each)}` })),
  );
  const faults = new Map();
  const fault = (kind, one, other) => faults.set(`${kind} ${one.group} ${other?.group ?? ""}`, `${kind} ${one.text}${other ? ` / ${other.text}` : ""}`);
  items.forEach((one, place) => {
    if (one.left < -1 || one.top < -1 || one.right > innerWidth + 1 || one.bottom > innerHeight + 1) fault("out", one);
    for (const other of items.slice(place + 1)) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.group !== other.group && Math.min(wide, high) > 3) fault("over", one, other);
    }
  });
  const texts = document.querySelectorAll(
    ".seat-name, .seat-pick, .seat-note, .bar h1 > *, .lines li, .says, .row h2, .whose span, .acts button, .panel button, .panel legend",
  );
  for (const each of texts) {
    if (!isSeen(each) || getComputedStyle(each).display === "inline") continue;
    if (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 3)
      faults.set(`cut ${called(each)}`, `cut ${called(each)}`);
  }
  return [...faults.values()];
}"""
"""What covers something else, is not within the screen, or has text that is cut."""

TABLES: Mapping[str, State] = {
    **{name: state for name, state in STATES.items() if name.partition("-")[0] in ("plute", "french", "le", "plateau")
       and name not in ("french-tarot-no-connection", "plute-why-not")},
}
