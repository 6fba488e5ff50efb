"""Lost connections: what is sent acts once, and what happens arrives all the same."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from service.web.site import site
from tests.browser.conftest import Opened
from tests.browser.pages import GAME, create, sent, session, settled_guest
from tests.browser.seated import BOT, OPEN, asked, created, guests, remembered
from tests.support.server import RunningService


def games(page: Page, ruleset: str) -> int:
    headers = {"Authorization": f"Bearer {session(page)['token']}"}
    return len(page.request.get(f"/v1/me/games?ruleset={ruleset}", headers=headers).json()["items"])


@pytest.mark.long
@pytest.mark.parametrize("closed", [False, True])
def test_what_is_done_without_a_connection_is_sent_once_it_is_back(open_page: Opened, closed: bool) -> None:
    page = open_page()
    context = page.context
    settled_guest(page)
    context.set_offline(True)
    page.get_by_role("button", name="Play Plateau").click()
    expect(page.get_by_text("What you do is kept")).to_be_visible()
    if closed:
        page.close()
    context.set_offline(False)
    if closed:
        page = context.new_page()
        page.goto("/")
    expect(page).to_have_url(GAME)
    expect(page.get_by_text("What you do is kept")).to_be_hidden()
    assert games(page, "plateau") == 1


def test_a_response_that_is_lost_leads_to_no_second_game(open_page: Opened) -> None:
    page = open_page(quiet=True)
    settled_guest(page)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and len(lost) < 2:
            lost.append(route.fetch().json()["id"])
            route.abort()
        else:
            route.continue_()

    page.route("**/v1/games", lose)
    page.get_by_role("button", name="Play Plateau").click()
    expect(page).to_have_url(GAME)
    assert len(set(lost)) == 1
    assert page.url.endswith(lost[0])
    assert games(page, "plateau") == 1


def test_a_link_shared_by_a_messenger_leads_where_the_link_did(open_page: Opened, service: RunningService) -> None:
    (ada,) = guests(service, "Ada")
    game = created(service, ada, "plateau", OPEN)["id"]
    link = asked(service, ada, f"/v1/games/{game}/invitations", {"link": True})["secret"]
    page = open_page(f"?fbclid=a&utm_source=b#/join/{link}?fbclid=c")
    page.get_by_role("button", name="Sit down").click()
    expect(page).to_have_url(re.compile(f"#/game/{game}$"))
    shared = open_page(f"?fbclid=a#/game/{game}?fbclid=b", storage_state=remembered(service, ada))
    expect(shared.locator(".game")).to_be_visible()
    expect(shared.get_by_role("link", name="Replay")).to_be_visible()


UNAVAILABLE = {"status": 503, "json": {"code": "unavailable", "detail": "no"}, "headers": {"Retry-After": "0"}}
FULL = {
    "status": 429,
    "json": {"code": "too-many-requests", "detail": "full", "bucket": "streams"},
    "headers": {"Retry-After": "15"},
}


@pytest.mark.parametrize(
    ("works", "otherwise"),
    [
        pytest.param("streams", UNAVAILABLE, marks=pytest.mark.long),
        ("waiting", UNAVAILABLE),
        ("polling", UNAVAILABLE),
        pytest.param("polling", FULL, marks=pytest.mark.long),
    ],
    ids=["streams", "waiting", "polling", "no room for streams"],
)
def test_what_happens_arrives_by_whatever_way_is_open(
    open_page: Opened, works: str, otherwise: dict[str, object]
) -> None:
    page = open_page(quiet=True, alone=True)
    used: set[str] = set()

    def through(route: Route) -> None:
        kind = way(route)
        if kind == "streams" != works or (kind == "waiting" and works == "polling"):
            route.fulfill(**otherwise)
        else:
            used.add(kind)
            route.continue_()

    page.route(re.compile("/events"), through)
    create(page, "plute", "open", "bot", "bot", "bot", "bot")
    expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()
    game = page.url.rpartition("/")[2]
    headers = {"Authorization": f"Bearer {session(page)['token']}"}
    page.request.put(f"/v1/games/{game}/seats/1", data={"bot": "random"}, headers=headers)
    expect(page).to_have_url(GAME)
    assert works in used


def way(route: Route) -> str:
    if "ndjson" in route.request.headers.get("accept", ""):
        return "streams"
    return "waiting" if "wait=" in route.request.url else "polling"


@pytest.mark.long
def test_nothing_is_lost_or_doubled_over_cut_streams(open_page: Opened) -> None:
    """The module that follows, on its own: each stream is cut after one more line."""
    page = open_page(alone=True)
    settled_guest(page)
    body = {"ruleset": "plute", "seats": [{"player": "me"}] + 5 * [{"bot": "random"}]}
    game = sent(page, "/v1/games", body)["id"]
    headers = {"Authorization": f"Bearer {session(page)['token']}"}
    wanted = [
        each["version"] for each in page.request.get(f"/v1/games/{game}/events", headers=headers).json()["events"]
    ]
    page.evaluate(CUT)
    seen = page.evaluate(FOLLOW, [f"/web/{site().release}/events.js", game, wanted[-1]])
    assert seen == wanted


CUT = """() => {
  const whole = window.fetch;
  window.fetch = async (url, options) => {
    const answer = await whole(url, options);
    if (!options.headers.Accept.includes("ndjson") || !answer.ok) return answer;
    const reader = answer.body.getReader();
    const cut = new ReadableStream({ async pull(controller) {
      const { value } = await reader.read();
      controller.enqueue(value.slice(0, value.indexOf(10) + 40));
      controller.error(new TypeError("cut"));
      reader.cancel();
    } });
    return new Response(cut, answer);
  };
}"""
FOLLOW = """async ([module, game, last]) => {
  const { follow } = await import(module);
  const seen = [];
  const ended = new AbortController();
  await follow({
    path: `/v1/games/${game}/events`, query: { limit: 1 }, cursor: "version", after: 0, signal: ended.signal,
    happened: (events) => { seen.push(...events.map((each) => each.version)); if (seen.at(-1) >= last) ended.abort(); },
  });
  return seen;
}"""


@pytest.mark.long
def test_a_page_of_an_older_release_begins_again_and_not_all_the_time(open_page: Opened) -> None:
    page = open_page(quiet=True)
    begun: list[str] = []
    page.on("load", lambda: begun.append(page.url))
    page.route("**/views/lobby.js", lambda route: route.fulfill(status=404, body=""), times=2)
    page.get_by_role("link", name="Lobby").click()
    with page.expect_response("**/views/lobby.js"):
        page.wait_for_event("load")
    expect(page.locator("p.lost")).to_be_visible()
    assert len(begun) == 1
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()


def test_a_table_that_comes_late_is_announced_and_then_shown(open_page: Opened, service: RunningService) -> None:
    (ada,) = guests(service, "Ada")
    game = created(service, ada, "plateau", BOT)["id"]
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    kept = remembered(service, ada)
    page = open_page(f"#/game/{game}", storage_state=kept, watch=lambda page: page.route("**/view?*", hold))
    expect(page.locator("main .loading")).to_be_visible()
    expect(page.locator(".game")).to_have_count(0)
    for each in held:
        each.continue_()
    expect(page.locator(".game")).to_be_visible()
