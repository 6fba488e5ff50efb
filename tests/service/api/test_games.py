"""Games: create, show, list.

Finding games and bots: filters, order and pages of the lobby and of one's own games.
"""

import pytest

from domain.sentences.catalogue import languages
from service.bots import BOTS, Bot
from service.store import game_lists
from tests.support.people import ME, OPEN
from tests.support.random_games import played

SANDBOX = {"ruleset": "le-plateau", "seats": [ME] * 4, "sandbox": True}
GAME_KEYS = {
    "id", "ruleset", "rules_version", "status", "options", "seats", "clock", "outcome", "visibility", "sandbox",
    "creator", "creator_name", "creator_tag", "created_at", "speed",
}  # fmt: skip


AT_VERSION = {
    "version",
    "expires_at",
    "aborted_because",
    "head",
    "rematch_of",
    "bot_pace",
    "opening",
    "rematch",
    "forked_from",
    "waiting_for",
    "times",
}


def wish(*seats, **more):
    return {"ruleset": "le-plateau", "seats": list(seats), **more}


def test_a_new_game_is_answered_with_its_place_its_id_and_its_public_data(ada):
    answer = ada.post("/v1/games", wish(ME, OPEN, OPEN))
    assert answer.status_code == 201
    game = answer.json
    assert answer.headers["Location"] == f"/v1/games/{game['id']}"
    assert ada.get(answer.headers["Location"]).json == game
    assert game.keys() == GAME_KEYS | AT_VERSION
    assert game["id"].startswith("gm_")
    assert (game["ruleset"], game["rules_version"]) == ("le-plateau", 1)
    assert game["outcome"] is None
    assert (game["status"], game["version"]) == ("open", 2)
    assert (game["visibility"], game["sandbox"], game["creator"]) == ("public", False, ada.id)
    assert game["seats"] == [
        {"seat": 0, "player": ada.id, "bot": None, "name": "Ada", "tag": None, "portrait": None},
        {"seat": 1, "player": None, "bot": None, "name": None, "tag": None, "portrait": None},
        {"seat": 2, "player": None, "bot": None, "name": None, "tag": None, "portrait": None},
    ]


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_anyone_may_see_a_public_or_an_unlisted_game(stranger, ada, bob, visibility):
    game = ada.post("/v1/games", {**SANDBOX, "visibility": visibility}).json
    assert game["visibility"] == visibility
    for person in (stranger, bob, ada):
        for path in ("", "/view?as=spectator", "/events?as=spectator"):
            assert person.get(f"/v1/games/{game['id']}{path}").status_code == 200


# -- the lobby ----------------------------------------------------------------------------------------------------


@pytest.fixture
def lobby(server, ada):
    """Five public games, oldest first: two open, two active, one finished; and two that are not public."""
    for visibility in ("unlisted", "private"):
        ada.post("/v1/games", {**SANDBOX, "visibility": visibility})
    finished = server.table_of_log(played("le-plateau", 3, 0)).id
    wishes = (wish(ME, OPEN), SANDBOX, wish(OPEN, OPEN), SANDBOX)
    return [finished, *(ada.post("/v1/games", body).json["id"] for body in wishes)]


def listed(person, query=""):
    answer = person.get(f"/v1/games{query}")
    assert answer.status_code == 200
    return [game["id"] for game in answer.json["items"]]


def test_the_lobby_lists_public_games_and_no_others(stranger, ada, lobby):
    assert sorted(listed(stranger)) == sorted(lobby)
    assert listed(ada) == listed(stranger)


def test_a_listed_game_is_the_game_as_it_is_shown(stranger, lobby):
    for game in stranger.get("/v1/games").json["items"]:
        shown = stranger.get(f"/v1/games/{game['id']}").json
        for key in ("aborted_because", "bot_pace", "expires_at", "forked_from", "opening", "rematch"):
            assert shown.pop(key) is None
        at_version = {key: shown.pop(key) for key in ("version", "head", "waiting_for", "times")}
        assert all(value is not None for value in at_version.values())
        assert game == shown


def test_the_lobby_may_be_asked_for_one_status(stranger, lobby):
    finished, open_1, active_1, open_2, active_2 = lobby
    assert set(listed(stranger, "?status=open")) == {open_1, open_2}
    assert set(listed(stranger, "?open=true")) == {open_1, open_2}
    assert set(listed(stranger, "?open=true&status=open")) == {open_1, open_2}
    assert set(listed(stranger, "?status=active")) == {active_1, active_2}
    assert listed(stranger, "?status=finished") == [finished]
    assert listed(stranger, "?status=paused") == listed(stranger, "?status=aborted") == []
    assert set(listed(stranger, "?open=false")) == set(lobby)


def test_the_lobby_may_be_asked_for_one_ruleset(stranger, lobby):
    assert sorted(listed(stranger, "?ruleset=le-plateau")) == sorted(lobby)
    assert stranger.get("/v1/games?ruleset=go").status_code == 400


def test_a_game_moves_in_the_lobby_when_it_starts_and_shows_who_sits_where(server, stranger, ada, bob):
    game = ada.post("/v1/games", wish(ME, OPEN, OPEN)).json
    assert listed(stranger, "?open=true") == [game["id"]]
    bob.post(f"/v1/games/{game['id']}/seats")
    (shown,) = stranger.get("/v1/games?open=true").json["items"]
    assert [seat["player"] for seat in shown["seats"]] == [ada.id, bob.id, None]
    bob.delete(f"/v1/games/{game['id']}/seats/1")
    (shown,) = stranger.get("/v1/games?open=true").json["items"]
    assert [seat["player"] for seat in shown["seats"]] == [ada.id, None, None]
    bob.post(f"/v1/games/{game['id']}/seats")
    server.newcomer("Cleo").post(f"/v1/games/{game['id']}/seats")
    assert listed(stranger, "?open=true") == []
    assert listed(stranger, "?status=active") == [game["id"]]


@pytest.mark.parametrize("limit", [1, 2, 5])
@pytest.mark.parametrize("query", ["", "&status=open"])
def test_the_pages_of_the_lobby_make_up_the_whole_of_it(stranger, lobby, limit, query):
    whole = listed(stranger, f"?limit=100{query}")
    found, path = [], f"/v1/games?limit={limit}{query}"
    while path:
        page = stranger.get(path)
        assert len(page.json["items"]) <= limit
        found += [game["id"] for game in page.json["items"]]
        link = page.headers.get("Link")
        assert (link is None) == (page.json["next_cursor"] is None)
        if link:
            assert len(page.json["items"]) == limit
            assert link.endswith('>; rel="next"')
            path = link.removeprefix("<").partition(">")[0]
            assert page.json["next_cursor"].rstrip("=") in path
        else:
            path = None
    assert found == whole


def test_a_page_of_the_lobby_stands_where_it_stood_when_a_newer_game_comes(stranger, ada, lobby):
    whole = listed(stranger)
    first = stranger.get("/v1/games?limit=2").json
    ada.post("/v1/games", SANDBOX)
    assert listed(stranger, f"?limit=2&cursor={first['next_cursor']}") == whole[2:4]


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
def hall(ada):
    """Open games by speed and number of open seats, in two rulesets."""
    made = {}
    for speed, clock in CLOCKS.items():
        for seats in (2, 3, 4):
            made[speed, "le-plateau", seats - 1] = make(ada, ME, *[OPEN] * (seats - 1), clock=clock)
        made[speed, "plute", 5] = make(ada, ME, *[OPEN] * 5, clock=clock, ruleset="plute")
    return made


@pytest.mark.parametrize("speed", CLOCKS)
def test_games_are_found_by_the_speed_that_they_show(ada, stranger, hall, speed):
    wanted = {game for key, game in hall.items() if key[0] == speed}
    for path in ("/v1/games", "/v1/me/games"):
        answer = ada.get(f"{path}?speed={speed}").json
        assert {game["id"] for game in answer["items"]} == wanted
        assert {game["speed"] for game in answer["items"]} == {speed}
    assert {stranger.get(f"/v1/games/{game}").json["speed"] for game in wanted} == {speed}


@pytest.mark.parametrize("least", [1, 2, 3, 5, 6])
def test_games_are_found_by_the_number_of_open_seats(ada, bob, stranger, hall, least):
    make(ada, ME, ME, sandbox=True)
    assert set(games(stranger, f"/v1/games?open_seats={least}")) == {
        game for key, game in hall.items() if key[2] >= least
    }
    taken = hall["slow", "le-plateau", 2]
    bob.post(f"/v1/games/{taken}/seats")
    assert (taken in games(stranger, f"/v1/games?open_seats={least}&status=open")) == (least == 1)


def test_filters_add_up(ada, stranger, hall):
    assert games(stranger, "/v1/games?ruleset=le-plateau&speed=live&open_seats=2&status=open") == [
        hall["live", "le-plateau", 3], hall["live", "le-plateau", 2],
    ]  # fmt: skip
    assert games(ada, "/v1/me/games?ruleset=plute&speed=daily&status=open") == [hall["daily", "plute", 5]]
    assert games(ada, "/v1/me/games?ruleset=plute&speed=daily&status=active") == []


def test_the_oldest_games_come_first_on_request(stranger, hall):
    newest = games(stranger, "/v1/games")
    assert games(stranger, "/v1/games?sort=newest") == newest
    assert games(stranger, "/v1/games?sort=oldest") == newest[::-1]
    assert all_pages(stranger, "/v1/games?sort=oldest&open=true&", 5) == [
        newest[::-1][:5], newest[::-1][5:10], newest[::-1][10:15], newest[::-1][15:],
    ]  # fmt: skip


def test_a_page_may_be_short_and_still_lead_on(stranger, hall, monkeypatch):
    monkeypatch.setattr(game_lists, "MOST_SCANNED", 4)
    whole = {game for key, game in hall.items() if key[0] == "none"}
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
