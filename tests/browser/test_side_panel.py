"""What stands around a table: the log, the clocks, and why nothing can be chosen while one waits."""

import re

import httpx
from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.seated import PHONE, bearer, guests, remembered, two_at_a_table
from tests.support.server import RunningService

LOG = """async () => {
  const app = document.querySelector("script[type=module]").src;
  const from = (name) => import(app.replace("app.js", name));
  const names = ["views/side_panel.js", "page.js", "vendor/preact.mjs"];
  const [{ Log }, { part, styled }, { render }] = await Promise.all(names.map(from));
  await styled('beside.css');
  const place = document.body.appendChild(document.createElement("div"));
  const tell = (last) => {
    const versions = Array.from({ length: 100 }, (_, at) => last - 99 + at);
    const log = versions.map((version) => ({ version, sentence: { text: `event ${version}` } }));
    render(part(Log, { log }), place);
    return place.querySelector(".told");
  };
  const end = (box) => box.scrollHeight - box.scrollTop - box.clientHeight;
  const scrolled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const box = tell(100);
  const found = [end(box)];
  tell(101);
  found.push(end(box));
  box.scrollTop = 500;
  await scrolled();
  tell(102);
  found.push(box.scrollTop);
  box.scrollTop = box.scrollHeight;
  await scrolled();
  tell(103);
  found.push(end(box), box.innerText.includes("event 103"));
  return found;
}"""


def test_a_log_of_a_hundred_events_continues_and_stays_where_its_reader_has_scrolled(open_page: Opened) -> None:
    first, next_, read, last, told = open_page("#/game/gm_00000000000000000000", quiet=True).evaluate(LOG)
    assert max(first, next_, last) <= 1
    assert abs(read - 500) < 60
    assert told


SLOW = "const now = Date.now; Date.now = () => now() - 600_000;"
"""A device whose clock is ten minutes slow."""


def test_anyone_who_waits_sees_the_time_of_the_service_and_why_nothing_can_be_chosen(
    open_page: Opened, service: RunningService
) -> None:
    with httpx.Client(base_url=service.url) as client:
        ada, ben = guests(service, "Ada", "Ben")
        game = two_at_a_table(service, ada, ben, "plateau", clock={"per_move": "PT15S", "bank": "PT5M"})
        (acting,) = client.get(f"/v1/games/{game}/view", headers=bearer(ada)).json()["to_act"]
    waits = [ben, ada][acting]
    look = {"storage_state": remembered(service, waits), **PHONE}
    page = open_page(f"#/game/{game}", watch=lambda page: page.add_init_script(SLOW), **look)
    expect(page.locator(".clock")).to_have_text(re.compile("05:[01]."))
    assert page.locator(".bank").all_inner_texts() == ["bank 05:00"] * 2
    expect(page.locator(".whose")).to_have_attribute("aria-live", "polite")
    page.locator(".dock .piece").first.dispatch_event("click")
    expect(page.get_by_role("alert")).to_contain_text("This cannot be chosen now.")
