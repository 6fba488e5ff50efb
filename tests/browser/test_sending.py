"""What the page sends and remembers: as whom, how often, and what it makes of answers that end badly."""

import pytest
from playwright.sync_api import Route, expect

from service.web.site import site
from tests.browser.conftest import Opened
from tests.browser.pages import WAITING, create, session, tap_at_random
from tests.browser.seated import OPEN, asked, bearer, guests, sit_down
from tests.support.server import RunningService

MODULES = [f"/web/{site().release}/{name}" for name in ("page.js", "sending.js")]
ONLINE = "dispatchEvent(new Event('online'))"


def test_what_a_player_has_not_sent_is_sent_by_nobody_else_and_by_one_loop(
    open_page: Opened, service: RunningService
) -> None:
    ada, ben = guests(service, "Ada", "Ben")
    page = open_page("#/settings", quiet=True)
    tried: list[str] = []

    def refuse(route: Route) -> None:
        tried.append(route.request.headers["authorization"])
        route.fulfill(status=503, json={}, headers={"Retry-After": "60"})

    page.route("**/v1/games", refuse)
    page.evaluate(SEND, [*MODULES, ada])
    page.evaluate("page.enter", ben)
    page.evaluate(f"{ONLINE}; sending.call('GET', '/v1/me')")
    page.evaluate("page.enter", ada)
    page.evaluate("[1, 2, 3].forEach(() => sending.resume('new', { owner: page.now().session.id }))")
    page.evaluate("sending.call('GET', '/v1/me')")
    assert tried == [bearer(ada)["Authorization"]] * 4
    with page.expect_request("**/v1/games"):
        page.evaluate(ONLINE)
    page.evaluate("sending.call('GET', '/v1/me')")
    assert len(tried) == 5
    page.unroute("**/v1/games")
    with page.expect_response("**/v1/games") as made:
        page.evaluate(ONLINE)
    assert made.value.json()["creator"] == ada["id"]
    page.wait_for_function("() => localStorage.getItem('plateau.sending.new') === null")


SEND = """async ([page, sending, ada]) => {
  Object.assign(window, { page: await import(page), sending: await import(sending) });
  window.page.enter(ada);
  const wish = { ruleset: "plateau", seats: [{ player: "me" }, { bot: "random" }] };
  const unsent = new Promise((done) => {
    const shown = ({ state }) => state === "unsent" && done();
    void window.sending.send("new", "/v1/games", wish, { owner: ada.id, shown });
  });
  await unsent;
}"""


def test_responses_without_an_end_are_given_up(open_page: Opened) -> None:
    found = open_page("#/settings", quiet=True).evaluate(BAD_ANSWERS, MODULES)
    assert found == {"hangs": "Unreached", "link": "lost", "after": 1, "forgotten": "nobody", "kept": 2}


BAD_ANSWERS = """async ([page, sending]) => {
  const { now, read, write } = await import(page);
  const { call } = await import(sending);
  const whole = window.fetch;
  window.fetch = async (_, { signal }) => new Response(new ReadableStream({
    start: (body) => signal.addEventListener("abort", () => body.error(signal.reason)),
  }));
  const hangs = await call("GET", "/", { patience: 10 }).catch((error) => error.constructor.name);
  const { link } = now();
  const headers = { "Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT" };
  window.fetch = async () => new Response("{}", { status: 503, headers });
  const { after } = await call("GET", "/").catch((error) => error);
  window.fetch = whole;
  write("who", "Ada");
  localStorage.removeItem("plateau.who"); // as another tab does
  const forgotten = read("who", "nobody");
  write("full", 1);
  Storage.prototype.setItem = () => { throw new Error("full"); };
  write("full", 2);
  return { hangs, link, after, forgotten, kept: read("full", 0) };
}"""


@pytest.mark.long
def test_addresses_that_nobody_has_made_lead_to_the_start_page(open_page: Opened) -> None:
    page = open_page("#/%")
    for address in ("/#/constructor", "/#/%E0%A4%A"):
        expect(page.get_by_role("button", name="Play Plateau")).to_be_visible()
        page.goto(address)
    expect(page.get_by_role("button", name="Play Plateau")).to_be_visible()


def test_two_taps_on_a_free_seat_make_one_guest_who_sits_once(open_page: Opened, service: RunningService) -> None:
    (dan,) = guests(service, "Dan")
    game = asked(service, dan, "/v1/games", {"ruleset": "plateau", "seats": [OPEN] * 2})["id"]
    page = open_page(f"#/waiting/{game}")
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url.rpartition("/")[2]))
    page.get_by_role("button", name="Sit down").evaluate("async (one) => { one.click(); await 0; one.click(); }")
    expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()
    assert sent == ["players", "seats"]


@pytest.mark.long
def test_a_link_that_cannot_be_made_leaves_one_game_whose_table_says_why(open_page: Opened) -> None:
    page = open_page(quiet=True)
    problem = {"code": "internal", "detail": "no link today"}
    page.route("**/invitations", lambda route: route.fulfill(status=500, json=problem), times=1)
    create(page, "plateau", "link")
    expect(page).to_have_url(WAITING)
    expect(page.get_by_role("alert")).to_contain_text("No link today.")
    page.reload()
    expect(page.get_by_label("Invite link for this seat")).to_be_visible()
    page.get_by_role("button", name="Put a bot here").click()
    page.locator(".game").wait_for()
    assert page.evaluate("JSON.parse(localStorage.getItem('plateau.links'))") == []


@pytest.mark.long
def test_a_game_that_comes_late_leaves_the_reader_where_they_are(open_page: Opened) -> None:
    page = open_page()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/v1/games", hold)
    with page.expect_request("**/v1/games"):
        page.get_by_role("button", name="Play Plateau").click()
    page.get_by_role("link", name="Settings", exact=True).click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    held[0].continue_()
    page.wait_for_function("() => localStorage.getItem('plateau.sending.new') === null")
    assert page.url.endswith("#/settings")
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Continue")).to_be_visible()
    assert session(page)


@pytest.mark.long
def test_a_table_is_read_again_until_it_has_what_was_told_and_not_all_the_time(
    open_page: Opened, service: RunningService
) -> None:
    page = sit_down(open_page, service, "plateau", 2, {})
    page.locator(".whose.turn").wait_for()
    path = f"/v1/games/{page.url.rpartition('/')[2]}"
    mine = {"headers": {"Authorization": f"Bearer {session(page)['token']}"}}
    old = page.request.get(f"{path}/view?with=scene", **mine).json()
    page.route("**/view?*", lambda route: route.fulfill(json=old), times=1)
    page.route("**/view?*", lambda route: route.abort(), times=1)
    page.evaluate(NOTED)
    action = {**old["legal_actions"]["actions"][0], "decision_id": old["decision"]["id"]}
    done = page.request.post(f"{path}/actions", data=action, **mine).json()
    page.wait_for_function("(last) => document.querySelector('.game').dataset.version >= last", arg=done["version"])
    first, second, third = page.evaluate("asked.slice(0, 3)")
    assert second - first > FIRST_PAUSE_MS / 2
    assert third - second > FIRST_PAUSE_MS
    expect(page.get_by_role("alert")).to_have_count(0)


FIRST_PAUSE_MS = 300
NOTED = """() => {
  const whole = window.fetch;
  window.asked = [];
  window.fetch = (...asked) => (asked[0].includes("/view?") && window.asked.push(performance.now()), whole(...asked));
}"""


@pytest.mark.long
def test_a_game_that_is_followed_no_more_says_why(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plateau", 2, {}, alone=True)
    problem = {"code": "game-went-back", "detail": "The game lost events."}
    page.route("**/events?*", lambda route: route.fulfill(status=412, json=problem))
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("The game lost events.")
    page.unroute("**/events?*")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("p.lost")).to_be_hidden()


@pytest.mark.long
def test_a_page_whose_table_lacks_a_part_begins_again_to_have_it(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "plateau", 2, {})
    page.route("**/views/side_panel.js", lambda route: route.fulfill(status=404, body=""), times=1)
    page.reload()
    expect(page.get_by_text("Pause, undo, leave")).to_be_visible()


def test_until_an_action_is_answered_taps_do_nothing(open_page: Opened, service: RunningService) -> None:
    page = sit_down(open_page, service, "french-tarot", 3, {}, **DESK)
    tap_at_random(page, 1, until=OFFERED)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/actions?*", hold)
    assert page.evaluate(TAPS, OFFERED) == {"busy": "true", "said": "", "offered": True}
    expect(page.get_by_text("Sending…")).to_be_visible()
    expect(page.locator(".game")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator(OFFERED)).to_have_count(0)
    (route,) = held
    route.continue_()
    expect(page.locator(".progress")).to_be_empty()
    assert len(held) == 1


DESK = {"has_touch": False, "is_mobile": False, "viewport": {"width": 1280, "height": 800}}
OFFERED = ".choices .buttons button:not([aria-disabled=true])"
TAPS = """async (offered) => {
  const game = document.querySelector(".game");
  document.querySelector(offered).click();
  const busy = game.ariaBusy;
  await new Promise((done) => setTimeout(done, 20)); // a timer that ends before that of the page
  [...document.querySelectorAll(offered)].at(-1)?.click();
  await 0;
  const said = document.querySelector(".progress")?.textContent ?? "";
  return { busy, said, offered: document.querySelector(offered) !== null };
}"""
"""Tap twice, and tell what the page shows between."""
