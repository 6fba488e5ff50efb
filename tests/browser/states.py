"""The states of the client whose accessibility trees are kept: what they need, and how a visitor reaches them."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.pages import open_panel
from tests.browser.seated import OPEN, asked, created, guests, remembered
from tests.browser.stored import stored
from tests.support.server import RunningService

GOLDEN = Path(__file__).parents[1] / "golden"
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")

Player = dict[str, str]


def nothing(page: Page) -> None:
    """The page is what is wanted as it opens."""


@dataclass(frozen=True, slots=True)
class Visit:
    """An address of the client, and who opens it: somebody new, if nobody is named."""

    address: str
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What a state needs in the service, and what a visitor does on the page until it is reached."""

    prepare: Callable[[RunningService], Visit]
    do: Callable[[Page], None] = nothing

    @property
    def needs_all(self) -> bool:
        """Whether the page must have everything first: what it has not asked for yet would never come."""
        return self.do is without_connection


def page_at(address: str) -> State:
    """A page that needs nothing."""
    return State(lambda service: Visit(address))


def golden(
    name: str, until: int | None = None, do: Callable[[Page], None] = nothing, address: str = "/#/game/{}"
) -> State:
    """A golden game at one of its versions, seen by the player to act, or by its first player."""

    def prepare(service: RunningService) -> Visit:
        players = guests(service, *NAMES)
        ids = [player["id"] for player in players]
        game = stored(service, GOLDEN / f"{name}.txt", f"gm_{secrets.token_hex(10)}", ids, until)
        (acting, *_) = [*game.waiting_for, 0]
        return Visit(address.format(game.id), players[acting])

    return State(prepare, do)


def proof(page: Page) -> None:
    """Let the browser verify the log."""
    open_panel(page)
    page.locator(".proof button").first.click()
    page.locator(".ticks").wait_for()


def why_not(page: Page) -> None:
    """Ask why a card cannot be played, and read the rule."""
    page.locator('.mine:has(.lit) [aria-disabled="true"]').first.dispatch_event("click")
    page.get_by_role("alert").locator("summary").click()


def crib(page: Page) -> None:
    """Look up a word of the table."""
    page.locator(".plaque").click()
    page.locator(".crib .about").first.wait_for()


def without_connection(page: Page) -> None:
    """Act while the connection is lost."""
    page.context.set_offline(True)
    page.locator(".choices .buttons button").first.click()
    page.locator(".progress.unsent").wait_for()


def first_lit(page: Page) -> None:
    page.locator(".board .lit, .mine .lit").first.dispatch_event("click")


def unfolded(selector: str) -> Callable[[Page], None]:
    """Unfold what is folded."""

    def unfold(page: Page) -> None:
        page.locator(selector).first.wait_for(state="attached")
        page.evaluate("(all) => document.querySelectorAll(all).forEach((each) => { each.open = true; })", selector)

    return unfold


def sheet(page: Page) -> None:
    """Unfold the score sheet, and how its last line was calculated; at the end of a game, after the curtain call."""
    if page.locator(".game[data-status=finished]").count():
        page.locator(".ending").wait_for()
        page.keyboard.press("Escape")
    open_panel(page)
    unfolded(".sheet")(page)
    page.locator(".sheet button").last.click()


def table(ruleset: str, others: int, visibility: str, address: str, do: Callable[[Page], None] = nothing) -> State:
    """A table that waits for other players."""

    def prepare(service: RunningService) -> Visit:
        (ada,) = guests(service, "Ada")
        game = created(service, ada, ruleset, *[OPEN] * others, visibility=visibility)
        return Visit(address.format(game["id"]), ada)

    return State(prepare, do)


def invitation(service: RunningService) -> Visit:
    """Invite somebody by a link."""
    waiting = table("plateau", 1, "private", "{}").prepare(service)
    assert waiting.player
    made = asked(service, waiting.player, f"/v1/games/{waiting.address}/invitations", {"link": True, "seat": 1})
    return Visit(f"/#/join/{made['secret']}")


def named(page: Page) -> None:
    """Write a name over the one that was made up."""
    page.locator("main input").first.fill("Ben")
    page.get_by_role("radio").nth(4).check()


def only_french_tarot(page: Page) -> None:
    """Leave out what other tests have in the lobby."""
    page.locator("select:has([value=french-tarot])").select_option("french-tarot")
    expect(page.locator("main li")).to_have_count(1)


def once(state: State) -> State:
    """A state of which a service has one, however many tests look at it."""
    visits: dict[str, Visit] = {}

    def prepare(service: RunningService) -> Visit:
        if service.url not in visits:
            visits[service.url] = state.prepare(service)
        return visits[service.url]

    return State(prepare, state.do)


def proved(service: RunningService) -> Visit:
    """A game that has ended, under its own id, of which its log is a proof."""
    players = [player["id"] for player in guests(service, *NAMES)]
    game = stored(service, GOLDEN / "plute/show-points.txt", "gm_plute_6_1", players)
    return Visit(f"/#/game/{game.id}?at=20")


def curtain(page: Page) -> None:
    """Begin a game of two at one device."""
    page.locator("form.creation select").nth(0).select_option("here")
    page.locator("form.creation button.primary").click()
    page.locator(".curtain").wait_for()


LANGUAGES = {"en": "en-GB", "fr": "fr-FR", "ja": "ja-JP"}


def reached(
    open_page: Opened,
    service: RunningService,
    state: State,
    language: str = "en",
    settle: Callable[[Page], object] = nothing,
    **look: Any,
) -> Page:
    """Reach a state in a language; ``settle`` waits until a page has everything, where it must."""
    visit = state.prepare(service)
    kept = {"storage_state": remembered(service, visit.player)} if visit.player else {}
    address = visit.address.removeprefix("/")
    page = open_page(address, quiet=True, locale=LANGUAGES[language], reduced_motion="reduce", **kept, **look)
    page.locator("main h1, main h2, [role=alert], .curtain").first.wait_for()
    if state.needs_all:
        settle(page)
    state.do(page)
    return page


STATES = {
    "home": page_at("/#/"),
    "settings": page_at("/#/settings"),
    "new-game": State(lambda service: Visit("/#/new/french-tarot"), unfolded("form.creation details")),
    "unknown-game": page_at("/#/game/gm_00000000000000000000"),
    "waiting": table("plateau", 1, "unlisted", "/#/waiting/{}"),
    "invitation": State(invitation, named),
    "lobby": once(table("french-tarot", 2, "public", "/#/lobby", only_french_tarot)),
    "curtain": State(lambda service: Visit("/#/new/plateau"), curtain),
    "my-games": golden("plute/early-stop-off", 24, address="/#/"),
    "plute-bid": golden("plute/low-taker", 12),
    "plute-play": golden("plute/hand-claimed-made", 28),
    "plute-why-not": golden("plute/hand-claimed-made", 28, why_not),
    "plute-second-hand": golden("plute/ends-three-made", 69, unfolded(".sheet")),
    "plute-over": golden("plute/hand-claimed-set"),
    "french-tarot-bid": golden("french-tarot/4-garde", 10),
    "french-tarot-no-connection": golden("french-tarot/3-ends-made", 8, without_connection),
    "french-tarot-call": golden("french-tarot/5-calls", 16),
    "french-tarot-discard": golden("french-tarot/3-petite", 13, first_lit),
    "french-tarot-play": golden("french-tarot/4-poignee", 44),
    "french-tarot-crib": golden("french-tarot/4-poignee", 44, crib),
    "french-tarot-over": golden("french-tarot/4-petit-au-bout", do=sheet),
    "le-plateau-bid": golden("le-plateau/3-ends-made-in-play", 10),
    "le-plateau-talon": golden("le-plateau/4-deck-full", 17),
    "le-plateau-exchange": golden("le-plateau/3-stop-agreed", 97),
    "le-plateau-announce": golden("le-plateau/6-excuse-french", 106),
    "le-plateau-play": golden("le-plateau/5-stop-agreed", 60),
    "le-plateau-second-hand": golden("le-plateau/2-ends-made-in-play", 88, sheet),
    "le-plateau-over": golden("le-plateau/2-scoring-positive"),
    "plateau-opening": golden("plateau/ends-unit", 4),
    "plateau-play": golden("plateau/ends-resign", 60),
    "plateau-chosen": golden("plateau/ends-prisoners", 30, first_lit),
    "plateau-tender": golden("plateau/refused-tender-keeps-turn", 105),
    "plateau-over": golden("plateau/forfeit"),
    "replay": golden("french-tarot/4-ends-lost", address="/#/game/{}?at=60&as=1"),
    "proof": State(proved, proof),
    "embed": golden("plute/dealer-may-steal", 30, address="/embed/{}"),
    "tutorial": page_at("/#/learn/le-plateau"),
}
"""Every page, and every game in its main phases."""
