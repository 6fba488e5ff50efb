"""The first page: a stranger plays at once, and anyone who comes back finds their games."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opened, icon
from tests.browser.pages import GAME, sent, session
from tests.support.server import wait_until


def test_a_stranger_plays_after_one_tap_and_finds_the_game_again(open_page: Opened) -> None:
    page = open_page()
    expect(page).to_have_title("Plateau")
    calm = icon(page)
    page.get_by_role("button", name="Play Plateau").click()
    expect(page).to_have_url(GAME)
    game = page.url
    page.get_by_role("link", name="Back to the start page").click()
    mine = page.locator(".next-game a")
    expect(mine).to_have_attribute("href", f"#/{game.partition('#/')[2]}")
    expect(page.get_by_text("Your turn")).to_be_visible()
    expect(page).to_have_title("● Your turn · Plateau")
    wait_until(lambda: icon(page) != calm, "the icon of a turn")


@pytest.mark.long
def test_the_number_of_players_can_be_chosen(open_page: Opened) -> None:
    page = open_page()
    tile = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="French Tarot"))
    tile.get_by_label("Players").select_option("5")
    tile.get_by_role("button", name="Play French Tarot").click()
    expect(page).to_have_url(GAME)
    page.get_by_role("link", name="Back to the start page").click()
    expect(page.locator(".next-game .likeness svg")).to_have_count(5)


def test_two_taps_make_a_table_and_its_link_and_a_friend_sits_down_there(open_page: Opened) -> None:
    page, friend = open_page(), open_page()
    page.get_by_role("button", name="Play with friends: Plateau").click()
    link = page.get_by_label("Invite by link").input_value()
    friend.goto(link)
    friend.get_by_role("button", name="Sit down").click()
    for each in (page, friend):
        expect(each).to_have_url(GAME)


@pytest.mark.long
def test_an_invited_player_sees_the_invitation_as_it_comes_and_accepts_it(open_page: Opened) -> None:
    ada, ben = open_page(), open_page()
    for page in (ada, ben):
        page.get_by_role("button", name="Play Plute").click()
        expect(page).to_have_url(GAME)
        page.get_by_role("link", name="Back to the start page").click()
    body = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]}
    game = sent(ada, "/v1/games", body)["id"]
    sent(ada, f"/v1/games/{game}/invitations", {"player": session(ben)["id"]})
    ben.get_by_role("listitem").filter(has_text="invites you").get_by_role("button", name="Sit down").click()
    expect(ben).to_have_url(re.compile(f"#/game/{game}$"))
    expect(ada.get_by_role("link").filter(has_text=session(ben)["name"])).to_be_visible()


@pytest.mark.long
def test_a_token_that_has_been_revoked_makes_a_stranger(open_page: Opened) -> None:
    page = open_page("#/settings", quiet=True)
    token, nobody = f"plt_{'0' * 16}_{'A' * 32}", f"pl_{'0' * 16}"
    kept = json.dumps({"token": token, "id": nobody, "name": "Nobody"})
    page.evaluate('(kept) => localStorage.setItem("plateau.session", kept)', kept)
    page.goto("/")
    page.reload()
    expect(page.get_by_text("No account:")).to_be_visible()
    assert session(page) is None
