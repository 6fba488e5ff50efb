"""A game in one file: it opens from a disk without a network, replays, verifies, prints, and finds changes."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from service.games.projections import representations
from tests.browser.pages import open_panel
from tests.golden.logs import golden_log
from tests.support.one_file import blocks_in, scenes_in, written

SHORT = "french-tarot/3-petite"
LONGEST = ["le-plateau/6-void-hands-redeal", "plateau/ends-unit", "french-tarot/4-three-deals", "plute/ends-three-made"]
MOST_BYTES = 260_000

Opened = Callable[[bytes], Page]


@pytest.fixture
def open_file(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Open a file from the disk, without a network; whatever it asks for or complains of fails the test."""
    complaints: list[str] = []
    context = browser.new_context(offline=True, reduced_motion="reduce", viewport={"width": 360, "height": 740})
    context.set_default_timeout(10_000)

    def opened(content: bytes) -> Page:
        path = tmp_path / "game.html"
        path.write_bytes(content)
        page = context.new_page()
        page.on("request", lambda asked: asked.url.startswith(("data:", path.as_uri())) or complaints.append(asked.url))
        page.on("pageerror", lambda error: complaints.append(error.message))
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.goto(path.as_uri())
        return page

    yield opened
    context.close()
    assert complaints == []


def replays_and_verifies(page: Page, name: str) -> None:
    """Step through a whole game by moves, then look through all eyes at its end."""
    game, _ = golden_log(name)
    table = page.locator("main .past")
    expect(table).to_be_visible()
    expect(page.locator(".proof .ticks li")).to_have_count(3)
    expect(page.locator(".proof .ticks .open, .proof .trouble")).to_have_count(0)
    page.get_by_role("button", name="Show the timeline").click()
    page.get_by_role("slider").press("Home")
    expect(table).to_have_attribute("data-version", "1")
    page.get_by_role("slider").press("End")
    expect(table).to_have_attribute("data-version", str(game.version))
    eyes = page.locator(".eyes select")
    assert eyes.locator("option").evaluate_all("all => all.map((each) => each.value)") == [
        *map(str, range(len(game.sitters))),
        "spectator",
        "all",
    ]
    shown = representations.scene(game, None, "en")
    for viewer in ("spectator", "all", "0"):
        eyes.select_option(viewer)
        expect(page.locator("main .past h1")).to_contain_text(shown["title"])


@pytest.mark.long
def test_it_replays_as_any_viewer_and_verifies_itself(open_file: Opened) -> None:
    page = open_file(written(SHORT))
    replays_and_verifies(page, SHORT)
    page.get_by_role("button", name="To the beginning").click()
    page.get_by_role("button", name="Next deal").click()
    page.locator(".eyes select").select_option("1")
    expect(page.locator('main [data-row="hand:1"] .card')).to_have_count(24)
    expect(page.locator('main .past [data-row="hand:0"]')).to_have_count(0)
    page.locator(".eyes select").select_option("all")
    expect(page.locator('main .past [data-row="hand:0"] .card')).to_have_count(24)
    open_panel(page)
    page.get_by_role("button", name="Try to cheat").click()
    expect(page.locator(".proof .trouble")).to_contain_text("does not match its seal")
    page.emulate_media(media="print")
    expect(page.locator("main .past")).to_be_hidden()
    expect(page.locator(".paper .game")).to_be_visible()
    expect(page.locator(".paper > ol > li")).to_have_count(golden_log(SHORT)[0].version)


@pytest.mark.long
def test_it_shows_the_score_sheet_and_hands_in_the_order_of_their_game(open_file: Opened) -> None:
    page = open_file(written(SHORT))
    expect(page.locator("main .sheet")).to_have_count(0)  # nothing is won yet
    page.locator(".eyes select").select_option("0")
    hand = page.locator('main [data-row="hand:0"] .card')
    expect(page.locator('main [data-row="hand:0"] .thing:last-child .card')).to_have_accessible_name(
        re.compile("trump|Excuse")
    )
    before = hand.evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))")
    open_panel(page)
    page.get_by_role("button", name="by suit").click()
    page.keyboard.press("Escape")
    expect(page.locator('main [data-row="hand:0"] .thing:first-child .card')).to_have_accessible_name(
        re.compile("trump|Excuse")
    )
    assert sorted(hand.evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))")) == sorted(before)
    page.get_by_role("button", name="Show the timeline").click()
    page.get_by_role("slider").press("End")
    open_panel(page)
    page.locator("main .sheet tbody").get_by_role("button").click()
    *_, last = (scene for _, viewer, scene in scenes_in(blocks_in(written(SHORT).decode())["game"]) if viewer == "0")
    expect(page.locator("main .sheet .steps-of li")).to_have_text(last["sheet"][0]["steps"])
    expect(page.locator("main .sheet tfoot td")).to_have_text(last["totals"])


@pytest.mark.long
def test_a_touch_shows_on_the_board_what_it_shows_on_the_page(open_file: Opened) -> None:
    page = open_file(written("le-plateau/4-stop-agreed"))
    page.get_by_role("button", name="Show the timeline").click()
    page.get_by_role("slider").press("End")
    for _ in range(4):  # back to where a trick is played
        page.get_by_role("button", name="One move back").click()
    expect(page.locator('main [data-row="last-trick"]')).to_be_visible()
    page.locator('main [data-row="hand:0"] .card').first.hover()
    expect(page.locator("main .board .shown").first).to_be_attached()


def changed(content: bytes, block: str, part: float) -> bytes:
    """Change one byte of a block of data."""
    found = re.search(rb'id="' + block.encode() + rb'">([^<]+)<', content)
    assert found
    place = found.start(1) + int(part * (len(found[1]) - 1))
    return content[:place] + (b"A" if content[place : place + 1] != b"A" else b"B") + content[place + 1 :]


@pytest.mark.parametrize(
    ("block", "part"),
    [("game", 0.5), *(pytest.param(*each, marks=pytest.mark.long) for each in (("audit", 1.0), ("words", 0.0)))],
)
def test_a_changed_byte_in_its_data_is_said(open_file: Opened, block: str, part: float) -> None:
    page = open_file(changed(written(SHORT), block, part))
    expect(page.get_by_role("alert")).to_contain_text("This file is damaged")
    expect(page.locator(".game")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("name", LONGEST)
def test_the_longest_golden_games_replay_and_verify(open_file: Opened, name: str) -> None:
    replays_and_verifies(open_file(written(name)), name)


@pytest.mark.parametrize(
    ("name", "lang"),
    [(SHORT, "ja"), *(pytest.param(name, lang, marks=pytest.mark.long) for name in LONGEST for lang in ("en", "ja"))],
)
def test_a_golden_game_is_a_small_file(name: str, lang: str) -> None:
    assert len(written(name, lang)) <= MOST_BYTES * (0.5 if name == SHORT else 1)
