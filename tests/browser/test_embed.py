"""A game within a page of another site: what it tells, what it does when asked, and what it never does."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.support.server import RunningService

pytestmark = pytest.mark.long

HOST = """<!doctype html><title>A club</title><iframe src="{src}" width="340" height="600"></iframe>
<script>
  window.heard = [];
  addEventListener("message", ({{ data }}) => window.heard.push(data));
  window.ask = (message) => document.querySelector("iframe").contentWindow.postMessage(message, "*");
</script>"""


@contextmanager
def other_site(body: str) -> Iterator[str]:
    """A site with one page; it has another origin than the service."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


def test_a_public_game_is_shown_within_another_site_to_a_spectator(open_page: Opened, service: RunningService) -> None:
    page = open_page(quiet=True)
    me = page.request.post("/v1/players", data={"name": "Ada"}).json()
    table = {"ruleset": "plute", "seats": [{"player": "me"}, *[{"bot": "random"}] * 5], "visibility": "public"}
    key = {"Authorization": f"Bearer {me['token']}"}
    game = page.request.post("/v1/games", data=table, headers=key).json()["id"]
    page.evaluate("session => localStorage.setItem('plateau.session', session)", json.dumps(me))
    with other_site(HOST.format(src=f"{service.url}/embed/{game}")) as site:
        page.goto(site)
        frame = page.frame_locator("iframe")
        expect(frame.get_by_role("heading", level=1)).to_contain_text("Plute")
        assert frame.locator("nav, .mine, .lit, .choices button").count() == 0
        page.wait_for_function("heard.some(({ type }) => type === 'plateau:shown')")
        heard = page.evaluate("heard")
        assert heard[0] == {"type": "plateau:ready"}
        assert {each["type"] for each in heard} == {"plateau:ready", "plateau:version", "plateau:shown"}
        assert all(each["game"] == game for each in heard[1:])
        page.evaluate("ask({ type: 'plateau:theme', theme: 'dark' })")
        expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
        page.evaluate("ask({ type: 'plateau:show', version: 8 })")
        expect(frame.locator(".game")).to_have_attribute("data-version", "8")
        page.evaluate("ask({ type: 'plateau:show', version: null })")
        expect(frame.locator(".game")).not_to_have_attribute("data-version", "8")
        assert not re.search("token|Bearer", json.dumps(page.evaluate("heard")))
