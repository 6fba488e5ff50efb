"""Tables with other people: created, found in the lobby, entered by a link."""

import random
import re
from typing import Any

import pytest
from plateau_client import Client, Table
from playwright.sync_api import Route, expect

from domain.registry import RULESETS
from service.web.site import site
from tests.browser.conftest import Opened
from tests.browser.pages import WAITING, create, open_panel
from tests.support.server import RunningService

GAME = re.compile(r"#/game/gm_[0-9a-f]{20}$")


def test_a_link_brings_a_friend_to_the_table_with_one_tap(open_page: Opened) -> None:
    ada = open_page()
    create(ada, "plateau", "link")
    expect(ada).to_have_url(WAITING)
    link = ada.get_by_label("Invite link for this seat").input_value()
    assert re.search(r"/#/join/[a-z2-7]{26}$", link)
    ada.get_by_text("QR code for a phone").click()
    drawn = ada.get_by_role("img", name="QR code for a phone")
    drawn.evaluate("(image) => image.decode()")
    assert drawn.evaluate("(image) => image.naturalWidth === image.naturalHeight && image.naturalWidth > 0")
    ben = open_page(link.partition("/")[2].partition("/")[2].partition("/")[2])
    expect(ben.get_by_role("heading", name="invites you to Plateau")).to_be_visible()
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    expect(ben).to_have_url(GAME)
    expect(ada).to_have_url(ben.url)
    late = open_page(f"#/join/{link.rpartition('/')[2]}", quiet=True)
    expect(late.get_by_role("alert")).to_be_visible()


@pytest.mark.long
def test_players_of_a_quick_game_bring_seeds_which_their_pages_open(open_page: Opened, service: RunningService) -> None:
    ada, ben = open_page(), open_page("#/lobby")
    ada.goto("/#/new/plateau")
    ada.get_by_label("Player 2", exact=True).select_option("open")
    ada.get_by_label("Who can see it").select_option("public")
    ada.get_by_label("Time").select_option("quick")
    ada.get_by_role("button", name="Create the game").click()
    expect(ada).to_have_url(WAITING)
    mine = ben.locator("li", has=ben.locator(f"[href='#{ada.url.partition('#')[2]}']"))
    mine.get_by_role("button", name="Sit down").click()
    expect(ben).to_have_url(GAME)
    expect(ada).to_have_url(ben.url)
    game_id = ben.url.rpartition("/")[2]
    with Client(service.url) as spectator:
        events = {event["type"]: event["data"] for event in spectator.table(game_id).events()}
    assert re.fullmatch(r"[0-9a-f]{32}", events["seed_opened"]["client_seed"])
    assert events["seeds_closed"] == {"missing": []}
    ben.goto(f"/#/game/{game_id}?at=1")
    ben.locator(".past").wait_for()
    open_panel(ben)
    ben.get_by_role("button", name="Check this game in my browser").click()
    expect(ben.locator(".proof .ticks")).to_be_visible()
    ben.evaluate(
        """() => {
        const place = Object.keys(localStorage).find((each) => each.includes("seeds."));
        const [kept] = JSON.parse(localStorage.getItem(place));
        localStorage.setItem(place, JSON.stringify([{ ...kept, seeds: ["another"] }]));
    }"""
    )
    ben.reload()
    open_panel(ben)
    ben.get_by_role("button", name="Check this game in my browser").click()
    expect(ben.locator(".proof .trouble")).to_contain_text("seed_commitment")


def table_with_seeds(creator: Client) -> Table:
    """Create a game with two open seats, to which players bring seeds."""
    opening: Any = {"within": "P1D", "unopened": "abort"}
    return creator.create({"ruleset": "plateau", "seats": [{"open": True}, {"open": True}], "opening": opening})


def test_a_page_does_not_open_its_seed_if_the_log_has_another_commitment(
    open_page: Opened, service: RunningService
) -> None:
    with Client.guest(service.url, "Cleo") as cleo:
        made = table_with_seeds(cleo)
        ada = open_page(f"#/waiting/{made.id}")
        ada.get_by_role("button", name="Sit down").click()
        expect(ada.get_by_text("Waiting for 1 more player")).to_be_visible()

        def lie(route: Route) -> None:
            answer = route.fetch()
            log = answer.json()
            log["events"][1]["data"]["seed_commitment"] = "0" * 64
            route.fulfill(response=answer, json=log)

        ada.route("**/export?format=audit", lie)
        sent: list[str] = []
        ada.on("request", lambda request: sent.append(request.url) if request.url.endswith("/seeds") else None)
        with ada.expect_response("**/export?format=audit"):
            made.join(committed=True)
            assert made.open_seeds()
        ada.wait_for_timeout(500)
        assert sent == []


@pytest.mark.long
def test_the_start_page_opens_the_seed_of_a_game_that_waits_for_it(open_page: Opened, service: RunningService) -> None:
    with Client.guest(service.url, "Cleo") as cleo:
        made = table_with_seeds(cleo)
        ada = open_page(f"#/waiting/{made.id}")
        ada.get_by_role("button", name="Sit down").click()
        expect(ada.get_by_text("Waiting for 1 more player")).to_be_visible()
        ada.goto("/#/")
        expect(ada.get_by_role("heading", name="Waiting for players")).to_be_visible()
        made.join(committed=True)
        assert made.open_seeds()
        expect(ada.locator(f"[href='#/game/{made.id}']")).to_be_visible()


@pytest.mark.long
def test_a_table_says_whose_seeds_it_waits_for_and_until_when(open_page: Opened, service: RunningService) -> None:
    with Client.guest(service.url, "Cleo") as cleo, Client.guest(service.url, "Dov") as dov:
        made = table_with_seeds(cleo)
        table = dov.table(made.id)
        made.join(committed=True)
        table.join(committed=True)
        page = open_page(f"#/waiting/{made.id}")
        expect(page.get_by_text("Waiting for the seeds of Cleo, Dov until")).to_be_visible()
        expect(page.get_by_role("button", name="Sit down")).to_have_count(0)
        made.open_seeds()
        expect(page.get_by_text("Waiting for the seeds of Dov until")).to_be_visible()
        table.open_seeds()
        expect(page).to_have_url(GAME)


@pytest.mark.long
def test_a_public_table_is_found_in_the_lobby_taken_and_watched(open_page: Opened) -> None:
    ada, ben = open_page(), open_page("#/lobby")
    ben.get_by_label("Game").select_option("le-plateau")
    expect(ben.get_by_text("Nothing here right now.")).to_be_visible()
    create(ada, "le-plateau", "open", "bot", "open")
    expect(ada.get_by_text("Waiting for 2 more players")).to_be_visible()
    ben.get_by_role("button", name="Sit down").click()  # the lobby reads on by itself
    expect(ben).to_have_url(WAITING)
    expect(ada.get_by_text("Waiting for 1 more player")).to_be_visible()
    ada.get_by_role("button", name="Put a bot here").click()
    expect(ada).to_have_url(GAME)
    expect(ben).to_have_url(ada.url)
    cleo = open_page("#/lobby")
    cleo.get_by_label("Game").select_option("le-plateau")
    cleo.get_by_label("Show").select_option("active")
    watched = cleo.locator(f"[href='#{ada.url.partition('#')[2]}']")
    cleo.get_by_role("link", name="Watch").and_(watched).click()
    expect(cleo).to_have_url(ada.url)
    expect(cleo.locator(".game")).to_be_visible()
    expect(cleo.get_by_text("What happened")).to_be_visible()
    expect(cleo.get_by_text("Pause, undo, leave")).to_have_count(0)
    assert cleo.evaluate('localStorage.getItem("plateau.session")') is None


@pytest.mark.long
def test_a_table_is_left_and_cancelled(open_page: Opened) -> None:
    page = open_page()
    create(page, "plateau", "open")
    page.get_by_role("button", name="Leave the table").click()
    expect(page.get_by_text("Waiting for 2 more players")).to_be_visible()
    page.get_by_role("button", name="Cancel the game").click()
    expect(page.get_by_text("This game was cancelled.")).to_be_visible()


@pytest.mark.long
def test_the_address_of_a_game_that_waits_for_players_leads_to_its_table(open_page: Opened) -> None:
    page = open_page()
    create(page, "plateau", "open")
    expect(page).to_have_url(WAITING)
    page.goto(page.url.replace("/waiting/", "/game/"))
    expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()


@pytest.mark.long
def test_a_form_names_options_in_the_language_of_the_reader(open_page: Opened) -> None:
    page = open_page("#/new/le-plateau", locale="fr-FR")
    page.get_by_text("Règles maison").click()
    offered = page.get_by_label("Plateau", exact=True).and_(page.locator("select")).locator("option").all_inner_texts()
    assert offered == ["Comme imprimé", "Mélangé une fois pour la partie", "Mélangé à chaque donne"]
    expect(page.get_by_label("Nombre de donnes")).to_have_accessible_description(
        re.compile("tout le monde distribue aussi souvent")
    )


@pytest.mark.long
def test_the_rules_of_a_table_are_those_that_were_chosen(open_page: Opened) -> None:
    page = open_page("#/new/french-tarot")
    page.get_by_label("Players").select_option("5")
    page.get_by_text("House rules").click()
    page.get_by_label("With five players").select_option("dead_dealer")
    expect(page.get_by_label("A taker can call")).to_have_value("null")
    page.get_by_label("Deals to play").select_option("10")
    page.get_by_label("Time", exact=True).select_option("quick")
    page.get_by_label("When time is up").select_option("wait")
    with page.expect_response(lambda answer: answer.url.endswith("/v1/games")) as created:
        page.get_by_role("button", name="Create the game").click()
    options, clock = (created.value.json()[part] for part in ("options", "clock"))
    assert (clock["bank"], clock["on_timeout"]) == ("PT5M", "wait")
    assert (options["five_player_mode"], options["call_self"], options["deals"]) == ("dead_dealer", None, 10)


def test_whatever_is_chosen_in_the_form_fits_together(open_page: Opened) -> None:
    page = open_page()
    rng = random.Random(15)
    for name in RULESETS:
        described = page.request.get(f"/v1/rulesets/{name}").json()
        for seats, choices in described["choices"].items():
            wishes = [wished(choices, rng) for _ in range(25)]
            settled = page.evaluate(SETTLE, [f"/web/{site().release}/views/new.js", choices, wishes])
            for values in settled:
                given = {option: value for option, value in values.items() if value != choices[option]["default"]}
                RULESETS[name].options.complete(given, int(seats))


SETTLE = """async ([module, choices, wishes]) => {
  const { settled } = await import(module);
  return wishes.map((wish) => settled(choices, wish));
}"""


def wished(choices, rng):
    """Draw values for some options. A board of one's own takes more than a choice, and is left out."""
    drawn = {option: rng.choice(each["values"]) for option, each in choices.items() if each["values"] is not None}
    return {option: value for option, value in drawn.items() if rng.random() < 0.6 and value != "custom"}
