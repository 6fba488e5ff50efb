"""The board as a picture: what the view shows, for the same eyes, at the same versions, kept by the same rules.

A link shows a player's own board in a browser, which sends no token: for minutes, and from one seat only.
"""

import logging

import pytest

from domain.game.durations import SECOND, instant, moment
from domain.pictures.shown import Shown
from domain.registry import RULESETS
from domain.serialization import from_plain
from service.accounts.players import Person
from service.accounts.tickets import SECONDS
from service.common import wall_clock
from service.games.projections import representations
from service.games.projections.naming import nameplates
from tests.support.people import ME, OPEN, Server
from tests.support.random_games import played

QUERIES = ("", "?as=spectator", "?as=0&at=7")


@pytest.fixture
def seen(table):
    """A player's answers for the picture and for the view."""

    def ask(query="", seat=0, **headers):
        return [table.people[seat].get(f"{table.path}/{what}{query}", **headers) for what in ("board.svg", "view")]

    return ask


@pytest.mark.parametrize("query", QUERIES)
def test_a_picture_draws_the_state_of_the_view_that_is_asked_for_alike(seen, query):
    picture, view = seen(query)
    assert picture.status_code == 200
    ruleset = RULESETS["le-plateau"]
    legal = view.json.get("legal_actions", {"actions": []})["actions"]
    actions = [from_plain(ruleset.actions[each["type"]], without_type(each)) for each in legal]
    names = {seat["seat"]: seat["name"] for seat in view.json["game"]["seats"]}
    shown = Shown(names, view.json["viewer"]["seat"], actions)
    assert picture.text == ruleset.presentation.svg(from_plain(ruleset.view, view.json["state"]), shown)


def without_type(action):
    return {name: value for name, value in action.items() if name != "type"}


def test_a_picture_marks_the_legal_cards_of_the_player_who_acts_for_no_one_else(server, stranger):
    step = next(
        step for step in played("le-plateau", 3, 0) if step.game.state is not None and step.game.state.phase == "play"
    )
    (acting,) = step.game.pending
    table = server.table_of_log(played("le-plateau", 3, 0))
    for viewer in (0, 1, 2, None):
        asked = table.people[viewer] if viewer is not None else stranger
        picture = asked.get(f"{table.path}/board.svg?at={step.game.version}").text
        assert ('class="legal"' in picture) == (viewer == acting)


def test_a_picture_has_the_beginnings_of_players_names():
    game = next(step.game for step in played("le-plateau", 3, 0) if step.game.state is not None)
    names = {
        sitter.player: Person(name) for sitter, name in zip(game.sitters, ("Ada", "<b>" + "e\u0301" * 20), strict=False)
    }
    picture = representations.drawn(game, None, nameplates(game, lambda _players: names).labels())
    assert "\u2068Ada\u2069" in picture
    assert "\u2068&lt;b&gt;" + "e\u0301" * 10 + "…\u2069" in picture
    assert "Player 3" in picture


def test_each_player_sees_the_picture_of_their_own_seat(table, seen, stranger):
    pictures = {seen(seat=seat)[0].data for seat in table.seats}
    assert len(pictures) == len(table.seats)
    assert stranger.get(f"{table.path}/board.svg").data not in pictures


@pytest.mark.parametrize("query", QUERIES)
def test_a_picture_is_kept_as_its_view_is(seen, query):
    for headers in ({}, {"If_None_Match": '"1"'}):
        picture, view = seen(query, **headers)
        for name in ("ETag", "Cache-Control", "Vary"):
            assert picture.headers[name] == view.headers[name]
    again, _ = seen(query, If_None_Match=picture.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == picture.headers["ETag"]
    assert again.headers["Cache-Control"] == picture.headers["Cache-Control"]


def test_a_picture_opened_in_a_browser_can_do_nothing(seen):
    picture, _ = seen()
    assert picture.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert picture.headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert picture.headers["X-Content-Type-Options"] == "nosniff"


def test_a_picture_ignores_parameters_that_it_does_not_know(seen):
    (picture, _), (other, view) = seen(""), seen("?fbclid=3")
    assert (other.status_code, other.data) == (200, picture.data)
    assert (view.status_code, view.json["errors"][0]["code"]) == (400, "unknown-parameter")


def test_before_the_start_the_picture_is_of_an_empty_table(ada, stranger):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN]}).json
    picture = stranger.get(f"/v1/games/{game['id']}/board.svg")
    assert picture.status_code == 200
    assert "Nothing is dealt yet" in picture.text
    assert "Player 3" in picture.text


@pytest.mark.long
def test_every_version_of_a_game_has_a_picture(server, stranger):
    table = server.table_of_log(played("le-plateau", 2, 0))
    pictures = [stranger.get(f"{table.path}/board.svg?at={at}") for at in range(1, table.version + 1)]
    assert {picture.status_code for picture in pictures} == {200}
    assert "game over" in pictures[-1].text


BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}


@pytest.fixture
def clock():
    """The time in ms, which the test moves."""
    return {"ms": instant(wall_clock.now())}


@pytest.fixture
def server(server, contract, clock):
    """A service whose time the test moves."""
    return Server(server.redis, contract, now=lambda: moment(clock["ms"]))


def link(table, seat=0, query=""):
    answer = table.people[seat].post(f"{table.path}/board-links{query}")
    assert answer.status_code == 201
    return answer.json["url"]


def refused(answer):
    return answer.status_code, answer.json["code"]


NO_SUCH_LINK = (404, "no-such-link")


def test_a_link_shows_without_a_token_what_its_player_sees(table, stranger):
    for seat, person in enumerate(table.people):
        url, own = link(table, seat), person.get(f"{table.path}/board.svg")
        shown = stranger.get(url, **BROWSER)
        assert (shown.status_code, shown.data) == (200, own.data)
        assert shown.data != stranger.get(f"{table.path}/board.svg").data
        assert shown.headers["Content-Type"] == own.headers["Content-Type"]


def test_a_link_shows_earlier_versions_and_what_a_spectator_sees(table, stranger):
    url, path = link(table), f"{table.path}/board.svg"
    assert stranger.get(f"{url}&at=7").data == table.people[0].get(f"{path}?at=7").data
    assert stranger.get(f"{url}&as=spectator").data == stranger.get(path).data


def test_a_picture_behind_a_link_is_kept_by_nobody(table, stranger):
    for query in ("", "&as=0&at=7"):
        headers = stranger.get(link(table) + query).headers
        assert (headers["Cache-Control"], headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert table.people[0].post(f"{table.path}/board-links").headers["Cache-Control"] == "no-store"


def test_a_link_says_when_it_expires_and_does(table, stranger, clock):
    answer = table.people[0].post(f"{table.path}/board-links").json
    assert instant(answer["expires_at"]) == clock["ms"] + SECONDS["board"] * SECOND
    clock["ms"] += SECONDS["board"] * SECOND - 1
    assert stranger.get(answer["url"]).status_code == 200
    clock["ms"] += 1
    assert refused(stranger.get(answer["url"])) == NO_SUCH_LINK


def test_a_link_to_a_private_game_works_and_says_nothing_once_it_does_not(server, ada, bob, stranger, clock):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, *[{"bot": "random"}] * 2],
                                  "visibility": "private"}).json["id"]  # fmt: skip
    url = ada.post(f"/v1/games/{game}/board-links").json["url"]
    assert stranger.get(url).status_code == 200
    assert bob.post(f"/v1/games/{game}/board-links").json["code"] == "no-such-game"
    clock["ms"] += SECONDS["board"] * SECOND
    gone = stranger.get(url).json
    never = stranger.get(f"/v1/games/gm_{'0' * 20}/board.svg?ticket=a-guess").json
    assert {**gone, "instance": ""} == {**never, "instance": ""}


def test_a_changed_link_or_one_to_another_game_shows_nothing(server, table, stranger):
    url, other = link(table), server.table(table.people)
    for wrong in (url[:-1], url[:-2] + "AA", url.replace(table.path, other.path), f"{table.path}/board.svg?ticket="):
        assert refused(stranger.get(wrong)) == NO_SUCH_LINK
    assert refused(stranger.get(f"{table.path}/board.svg?ticket={'x' * 301}")) == (400, "malformed")


def test_a_link_shows_no_other_seat(table, stranger):
    assert refused(stranger.get(f"{link(table)}&as=1")) == (403, "not-your-seat")


def test_a_link_ends_when_its_player_gives_up_the_seat(table, stranger):
    url = link(table)
    table.people[0].ask("PUT", f"{table.path}/seats/0", {"bot": "random"})
    assert refused(stranger.get(url)) == NO_SUCH_LINK


def test_a_link_opens_nothing_but_the_picture(table, stranger):
    ticket = link(table).partition("?")[2]
    for path in ("view", "events", "legal-actions"):
        assert stranger.get(f"{table.path}/{path}?{ticket}").status_code in (400, 401)


def test_no_link_is_logged(table, stranger, caplog):
    caplog.set_level(logging.DEBUG)
    url = link(table)
    assert stranger.get(url).status_code == 200
    assert caplog.records
    assert all(url.partition("=")[2] not in str(vars(record)) for record in caplog.records)
