"""Two browsers at one table: what one seat must not know is nowhere in the other's browser."""

import re
from functools import reduce

import httpx
import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.browser.pages import pattern, tap_at_random
from tests.browser.seated import bearer, guests, show_game, two_at_a_table
from tests.support.server import RunningService, wait_until

EVENTS = 18
NOT_MY_TURN = ".game:not(:has(.whose.turn))"
RECORDING = """
window.received = [];
window.drawn = new Set();
const whole = window.fetch;
window.fetch = async (url, options) => {
  const answer = await whole(url, options);
  if (!answer.body || String(url).startsWith("/v1/rulesets")) return answer; // rules name every card there is
  const [mine, theirs] = answer.body.tee();
  const at = window.received.push("") - 1;
  const write = (text) => { window.received[at] += text; };
  mine.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write })).catch(() => undefined);
  return new Response(theirs, answer);
};
new MutationObserver(() => window.drawn.add(document.documentElement.outerHTML))
  .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
"""Keep everything that arrives, by streams too, and every state of the page."""

KNOWN = """(patterns) => {
  const asked = performance.getEntries().map((entry) => entry.name);
  const kept = [localStorage, sessionStorage].map((storage) => JSON.stringify({ ...storage }));
  const all = [...window.received, ...window.drawn, ...asked, ...kept, location.href, JSON.stringify(history.state)];
  return patterns.filter((pattern) => all.some((text) => new RegExp(pattern).test(text)));
}"""


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "holder"),
    [
        ("french-tarot", 4, 0),
        pytest.param("plute", 6, 0, marks=pytest.mark.long),
        pytest.param("le-plateau", 4, 0, marks=pytest.mark.long),
        pytest.param("le-plateau", 4, 1, marks=pytest.mark.long),
    ],
)
def test_the_cards_of_one_player_are_nowhere_in_the_browser_of_another(
    open_page: Opened, service: RunningService, ruleset_id: str, seats: int, holder: int
) -> None:
    said: list[str] = []
    other = 1 - holder
    with httpx.Client(base_url=service.url) as client:
        ada, ben = guests(service, "Ada", "Ben")
        game = two_at_a_table(service, ada, ben, ruleset_id, seats - 2)
        pages = [show_game(open_page, service, player, game, alone=True) for player in (ada, ben)]
        pages[other].on("console", lambda message: said.append(message.text))
        for page in pages:
            page.context.add_init_script(RECORDING)
            page.reload()
            page.locator(".game").wait_for()
        version = play(client, game, ada, pages)
        hidden = [
            pattern(pick, name) for pick, name in sorted(held_throughout(client, game, [ada, ben][holder], version))
        ]
    for page in pages:
        wait_until(
            lambda page=page: int(page.locator(".game").get_attribute("data-version")) >= version, "the last event"
        )
    assert hidden
    assert pages[holder].evaluate(KNOWN, hidden) == hidden
    assert pages[other].evaluate(KNOWN, hidden) == []
    assert [text for text in said if any(re.search(each, text) for each in hidden)] == []


def play(client: httpx.Client, game: str, ada: dict[str, str], pages: list[Page]) -> int:
    """Let both players tap at random when it is their turn, until so much has happened; return the version."""
    for seed in range(1, 10 * EVENTS):
        view = client.get(f"/v1/games/{game}/view", headers=bearer(ada)).raise_for_status().json()
        if view["version"] >= EVENTS:
            break
        for seat in view["to_act"]:
            if seat < len(pages):
                tap_at_random(pages[seat], seed, until=NOT_MY_TURN)
    assert view["version"] >= EVENTS
    return int(view["version"])


def held_throughout(client: httpx.Client, game: str, player: dict[str, str], last: int) -> set[tuple[str, str]]:
    """Return the cards that a player has had in hand since the deal: nobody else can have seen them.

    Cards for which there is a space on the board are left out, for everyone reads their names there.
    """
    hands = []
    for version in range(1, last + 1):
        scene = client.get(f"/v1/games/{game}/scene?at={version}", headers=bearer(player)).raise_for_status().json()
        mine = [row for row in scene["rows"] if row["mine"] and row["id"].startswith("hand:")]
        board = {*re.findall(r'data-pick="space:([^"]+)"', (scene["stage"] or {"svg": ""})["svg"])}
        things = [thing for row in mine for thing in row["things"] if thing["face"] not in board]
        hands.append({(thing["pick"], thing["name"]) for thing in things})
    return reduce(set.intersection, filter(None, hands))
