"""Finding games and bots: filters, order and pages of the lobby and of one's own games."""

import pytest

from domain.sentences.catalogue import languages
from service.bots import BOTS, Bot
from service.store import game_lists
from tests.support.people import ME, OPEN
from tests.support.random_games import played

BOT = {"bot": "random"}
CLOCKS = {
    "none": None,
    "live": {"bank": "PT1H", "increment": "PT10S"},
    "daily": {"per_move": "P1D"},
    "slow": {"per_move": "P3D"},
}


def games(person, path):
    """Return the ids on a page."""
    answer = person.get(path)
    assert answer.status_code == 200
    return [game["id"] for game in answer.json["items"]]


def all_pages(person, path, limit):
    """Follow a list to its end; return the ids of each page."""
    pages, cursor = [], ""
    while cursor is not None:
        page = person.get(f"{path}limit={limit}{cursor and '&cursor='}{cursor}").json
        pages.append([game["id"] for game in page["items"]])
        cursor = page["next_cursor"]
    return pages


def make(person, *seats, **wish):
    """Create a game; return its id."""
    return person.post("/v1/games", {"ruleset": "le-plateau", "seats": [*seats], **wish}).json["id"]


@pytest.fixture
def lobby(ada):
    """Open games by speed and number of open seats, in two rulesets."""
    made = {}
    for speed, clock in CLOCKS.items():
        for seats in (2, 3, 4):
            made[speed, "le-plateau", seats - 1] = make(ada, ME, *[OPEN] * (seats - 1), clock=clock)
        made[speed, "plute", 5] = make(ada, ME, *[OPEN] * 5, clock=clock, ruleset="plute")
    return made


@pytest.mark.parametrize("speed", CLOCKS)
def test_games_are_found_by_the_speed_that_they_show(ada, stranger, lobby, speed):
    wanted = {game for key, game in lobby.items() if key[0] == speed}
    for path in ("/v1/games", "/v1/me/games"):
        answer = ada.get(f"{path}?speed={speed}").json
        assert {game["id"] for game in answer["items"]} == wanted
        assert {game["speed"] for game in answer["items"]} == {speed}
    assert {stranger.get(f"/v1/games/{game}").json["speed"] for game in wanted} == {speed}


@pytest.mark.parametrize("least", [1, 2, 3, 5, 6])
def test_games_are_found_by_the_number_of_open_seats(ada, bob, stranger, lobby, least):
    make(ada, ME, ME, sandbox=True)
    assert set(games(stranger, f"/v1/games?open_seats={least}")) == {
        game for key, game in lobby.items() if key[2] >= least
    }
    taken = lobby["slow", "le-plateau", 2]
    bob.post(f"/v1/games/{taken}/seats")
    assert (taken in games(stranger, f"/v1/games?open_seats={least}&status=open")) == (least == 1)


def test_filters_add_up(ada, stranger, lobby):
    assert games(stranger, "/v1/games?ruleset=le-plateau&speed=live&open_seats=2&status=open") == [
        lobby["live", "le-plateau", 3], lobby["live", "le-plateau", 2],
    ]  # fmt: skip
    assert games(ada, "/v1/me/games?ruleset=plute&speed=daily&status=open") == [lobby["daily", "plute", 5]]
    assert games(ada, "/v1/me/games?ruleset=plute&speed=daily&status=active") == []


def test_the_oldest_games_come_first_on_request(stranger, lobby):
    newest = games(stranger, "/v1/games")
    assert games(stranger, "/v1/games?sort=newest") == newest
    assert games(stranger, "/v1/games?sort=oldest") == newest[::-1]
    assert all_pages(stranger, "/v1/games?sort=oldest&open=true&", 5) == [
        newest[::-1][:5], newest[::-1][5:10], newest[::-1][10:15], newest[::-1][15:],
    ]  # fmt: skip


def test_a_page_may_be_short_and_still_lead_on(stranger, lobby, monkeypatch):
    monkeypatch.setattr(game_lists, "MOST_SCANNED", 4)
    whole = {game for key, game in lobby.items() if key[0] == "none"}
    pages = all_pages(stranger, "/v1/games?speed=none&", 3)
    assert [] in pages
    found = [game for page in pages for game in page]
    assert len(found) == len(whole)
    assert set(found) == whole


def test_turns_are_filtered_and_stay_in_order(ada, server):
    urgent = make(ada, ME, ME, sandbox=True, clock={"per_move": "PT1H"})
    fast = make(ada, ME, ME, sandbox=True, clock={"per_move": "PT5M"})
    plateau = make(ada, ME, ME, sandbox=True, ruleset="plateau")
    assert games(ada, "/v1/me/games?to_act=true") == [fast, urgent, plateau]
    assert games(ada, "/v1/me/games?to_act=true&speed=daily") == [urgent]
    assert games(ada, "/v1/me/games?to_act=true&ruleset=plateau&status=active") == [plateau]
    assert games(ada, "/v1/me/games?to_act=true&status=finished") == []
    assert all_pages(ada, "/v1/me/games?to_act=true&ruleset=le-plateau&", 1) == [[fast], [urgent], []]


def test_finished_games_of_mine_are_found(server):
    table = server.table_of_log(played("le-plateau", 3, 0))
    player = table.people[0]
    mine = server.store.shard(table.id).games_of(player.id)
    server.redis.zadd(mine, {f"2026-01-01T00:00:00.000Z {table.id}": 0})
    assert games(player, "/v1/me/games?status=finished") == [table.id]
    assert games(player, "/v1/me/games?status=active") == []


# -- bots ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def plateau_bot(monkeypatch):
    """A bot that plays one ruleset only; the forms of requests were made before it came."""
    monkeypatch.setitem(BOTS, "random", Bot("One game only.", BOTS["random"].policy, frozenset({"plateau"})))


@pytest.mark.parametrize("language", languages())
def test_the_bots_are_described_in_the_language_of_the_reader(stranger, language):
    listed = stranger.get(f"/v1/bots?lang={language}").json["items"]
    assert {bot["name"]: bot["summary"] for bot in listed} == {name: bot.about(language) for name, bot in BOTS.items()}
    assert len({bot.about(language) for bot in BOTS.values()}) == len(BOTS)
    of_ruleset = stranger.get(f"/v1/rulesets/plateau?lang={language}").json["bots"]
    assert of_ruleset == [bot for bot in listed if "plateau" in bot["rulesets"]]
    assert (language == "en") == (BOTS["random"].about(language) == BOTS["random"].about("en"))


def test_a_bot_is_listed_with_its_version_and_its_playouts(stranger):
    listed = stranger.get("/v1/bots").json["items"]
    assert [(bot["version"], bot["playouts"]) for bot in listed] == [
        (bot.version, bot.playouts) for bot in BOTS.values()
    ]


def test_a_bot_that_does_not_play_the_ruleset_is_listed_without_it_and_refused(ada, stranger, plateau_bot):
    assert {bot["name"]: bot["rulesets"] for bot in stranger.get("/v1/bots").json["items"]}["random"] == ["plateau"]
    for wish in ({"seats": [ME, BOT]}, {"seats": [ME, OPEN], "clock": {"per_move": "P1D"}}):
        refused = ada.post("/v1/games", {"ruleset": "le-plateau", **wish})
        assert (refused.status_code, refused.json["code"]) == (422, "bot-does-not-play")
    assert ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, BOT]}).status_code == 201
    game = make(ada, ME, OPEN, clock=None)
    refused = ada.ask("PUT", f"/v1/games/{game}/seats/1", BOT)
    assert (refused.status_code, refused.json["code"]) == (422, "bot-does-not-play")
    started = make(ada, ME, ME, sandbox=True)
    assert ada.ask("PUT", f"/v1/games/{started}/seats/0", BOT).json["code"] == "bot-does-not-play"
