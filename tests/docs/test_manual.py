"""The manual: it builds without a warning, has every page, needs no other server, and its search finds pages."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Literal

import click
import httpx
import pytest
from playwright.sync_api import Error, Page, sync_playwright
from werkzeug.serving import make_server

from docs import manual
from domain import tutorials
from domain.registry import BUILT_IN
from domain.texts import form
from service.api.http.errors import KINDS
from service.cli.main import main as plateau
from service.config.settings import Settings
from service.runtime.wiring import wire
from service.web import manual_pages
from tests.browser.axe import RUN
from tests.browser.conftest import chromium
from tests.support import node
from tests.support.server import ROOT

_OTHERS = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//(?!127\.)[^>]*>""")
_MOST_BYTES = 200_000
_FIRST_SCREEN = 5
_THEMES = {"light": "default", "dark": "slate"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manual") / "site"
    manual.build(folder)
    return folder


def test_every_page_is_in_the_menu_and_small_and_asks_no_other_server(site: Path) -> None:
    menu = (ROOT / "docs/mkdocs.yml").read_text()
    for place in manual.pages().values():
        html = (site / place).with_suffix(".html").read_text()
        assert place in menu or place.startswith("examples/"), place
        assert len(html.encode()) <= _MOST_BYTES, place
        assert _OTHERS.findall(html) == [], place


def test_the_reference_has_every_command_and_problem_and_operation(site: Path) -> None:
    commands, problems, operations = (
        (site / f"reference/{name}.html").read_text() for name in ("commands", "problems", "operations")
    )
    names = plateau.list_commands(click.Context(plateau))
    assert [name for name in names if f"plateau {name}" not in commands] == []
    assert [name for name in KINDS if f'id="{name}"' not in problems] == []
    spec = (ROOT / "api_spec/openapi.yaml").read_text()
    assert len(re.findall(r"<h3 id=", operations)) == len(re.findall(r"^      operationId:", spec, re.MULTILINE))


@pytest.mark.parametrize(("page", "language"), [("play", "en"), ("fr/play", "fr"), ("ja/play", "ja")])
def test_the_first_page_names_buttons_as_the_web_client_does(page: str, language: str) -> None:
    text = (ROOT / f"docs/{page}.md").read_text().replace("**", "")
    words = json.loads((ROOT / f"service/web/static/words/{language}.json").read_text())
    buttons = re.findall(r"\*([^*\n]+)\*", text)
    assert len(buttons) == 4
    assert [button for button in buttons if button not in words.values()] == []


@pytest.mark.parametrize("language", manual.GAMES)
def test_games_are_presented_in_each_language(site: Path, language: str) -> None:
    page = (site / language / "games.html").read_text()
    assert f'<div lang="{language}">' in page
    for ruleset in BUILT_IN:
        assert form.summary(ruleset, language) in page
        assert [
            entry.term for entry in form.crib(ruleset, language) if f"<strong>{entry.term}</strong>" not in page
        ] == []
        assert len(form.crib(ruleset, language)) == len(ruleset.crib) > 5
        assert not tutorials.lacking(ruleset, language)
    assert len(re.findall(r"<h2 id=", page)) == len(BUILT_IN)


QUESTIONS = {
    "play with friends": "play.html",
    "play in a terminal": "playing.html",
    "oudlers": "rules/french_tarot.html",
    "objective": "rules/le_plateau.html",
    "joker trump": "rules/plute.html",
    "prisoners": "rules/plateau.html",
    "run it": "readme.html",
    "change the port": "readme.html",
    "https proxy": "operations/internet.html",
    "restore a backup": "operations/backups.html",
    "upgrade": "operations/upgrading.html",
    "redis cluster": "operations/cluster.html",
    "sentinel": "operations/fail-over.html",
    "prometheus alerts": "monitoring.html",
    "mail smtp": "operations/internet.html",
    "webhook signature": "webhooks.html",
    "legal actions": "playing.html",
    "idempotency key": "api.html",
    "rate limit": "api.html",
    "stream events": "following.html",
    "conditional moves": "plans.html",
    "write a bot": "bots.html",
    "add a game": "add-a-ruleset.html",
    "verify the shuffle": "verification.html",
    "receipt": "verification.html",
    "fork": "replay-and-forks.html",
    "how strong are bots": "bots.html",
    "parquet": "research-openspiel.html",
    "exit codes": "operations/settings.html",
    "what an operator can see": "threat-model.html",
}
"""What new users look for, and the page that must be among the first results."""


@pytest.fixture
def served(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a service that has the manual."""
    monkeypatch.setattr(manual_pages, "MANUAL", site)
    manual_pages.names.cache_clear()
    manual_pages.page.cache_clear()
    server = make_server("127.0.0.1", 0, wire(Settings(memory=True)), threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/manual"
    server.shutdown()
    server.server_close()
    manual_pages.names.cache_clear()
    manual_pages.page.cache_clear()


@contextmanager
def reading(served: str, scheme: Literal["light", "dark"] = "light") -> Iterator[Page]:
    """A page in which nothing is tried that its policy forbids, and no other server is asked."""
    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_context(color_scheme=scheme).new_page()
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("request", lambda sent: None if sent.url.startswith((served, "blob:")) else faults.append(sent.url))
        yield page
    assert faults == []


def open_search(page: Page) -> None:
    """Press the keys until the search is there: its script can be late on a busy machine."""
    box = page.get_by_role("combobox").or_(page.get_by_role("textbox")).first
    for _ in range(20):
        page.keyboard.press("Control+k")
        with suppress(Error):
            box.wait_for(timeout=3000)
            return


@pytest.mark.long
def test_the_search_finds_what_new_users_look_for(served: str) -> None:
    missed = []
    with reading(served) as page:
        for question, expected in QUESTIONS.items():
            page.goto(f"{served}/index.html", wait_until="networkidle")
            open_search(page)
            page.keyboard.type(question)
            results = page.locator("a[href*='?h=']")
            results.first.wait_for()
            page.wait_for_timeout(300)  # the list is complete soon after its first row
            links = [link.get_attribute("href") or "" for link in results.all()[:_FIRST_SCREEN]]
            if not any(expected in link for link in links):
                missed.append(question)
    assert missed == []


EXPLAINED = {
    "empty-table-header": "the first column names the rows",
    "landmark-unique": "the theme makes a landmark of each button that copies an example",
    "scrollable-region-focusable": "the browsers of today let the keyboard scroll a wide table",
}
"""The rules of axe that the manual does not keep, and why that is no fault."""


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_without_fault_by_the_rules_of_axe(
    served: str, site: Path, scheme: Literal["light", "dark"]
) -> None:
    node.needed()
    found = {}
    with reading(served, scheme) as page:
        for path in sorted(site.rglob("*.html")):
            page.goto(f"{served}/{path.relative_to(site)}", wait_until="networkidle")
            page.evaluate(node.asset("axe-core/axe.min.js"))
            found[path.name] = [fault for fault in page.evaluate(RUN)["violations"] if fault[0] not in EXPLAINED]
            assert page.locator("body").get_attribute("data-md-color-scheme") == _THEMES[scheme]
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_a_service_without_the_manual_says_so_at_every_address(
    tmp_path: Path, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual_pages, "MANUAL", tmp_path)
    manual_pages.names.cache_clear()
    for path in ("", "/", "/index.html"):
        refused = httpx.get(f"{served}{path}")
        assert refused.status_code == 404
        assert "make manual" in refused.json()["detail"]


def test_a_service_with_the_manual_serves_no_other_file(site: Path, served: str) -> None:
    assert httpx.get(served).headers["Location"] == "/manual/index.html"
    page = httpx.get(f"{served}/operations.html")
    assert page.content == (site / "operations.html").read_bytes()
    assert "script-src 'self' 'sha256-" in page.headers["Content-Security-Policy"]
    for path in ("gone.html", "..%2Fmanual_pages.py", "%2Fetc%2Fpasswd"):
        assert httpx.get(f"{served}/{path}").status_code == 404


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("[the rules](../domain/plute/rules.md#1-table-and-deal)", "[the rules](rules/plute.md#1-table-and-deal)"),
        ("[`walks`](../bench/walks.py)", "`walks`"),
        ("[a policy](../workers/bots/policy.py)", "a policy (`workers/bots/policy.py`)"),
        ("![seats](plute.svg)", "![seats](plute.svg)"),
        ('<img src="../docs/plute.svg" alt="seats">', '<img src="plute.svg" alt="seats">'),
        ("[elsewhere](https://example.com/a)", "[elsewhere](https://example.com/a)"),
    ],
)
def test_links_lead_to_pages_of_the_manual_or_name_the_file(text: str, linked: str) -> None:
    assert manual.linked(text, "docs/plute.md", manual.pages()) == linked


def test_a_link_to_a_page_that_does_not_exist_ends_the_build() -> None:
    with pytest.raises(SystemExit, match=r"docs/plute.md: there is no gone.md"):
        manual.linked("[gone](gone.md)", "docs/plute.md", manual.pages())
