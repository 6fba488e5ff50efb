"""The first page: a stranger plays at once."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opened


def test_a_stranger_plays_after_one_tap(open_page: Opened) -> None:
    page = open_page()
    page.get_by_role("button", name="Play Plute now").click()
    expect(page).to_have_url(re.compile("#/game/gm_[0-9a-f]{20}$"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.get_by_role("listitem").filter(has_text="5 bots")).to_be_visible()
