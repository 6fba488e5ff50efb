"""A link shows a player's own board in a browser, which sends no token: for minutes, and from one seat only."""

import logging

import pytest

from domain.game.durations import SECOND, instant, moment
from service.common import wall_clock
from service.config.settings import Settings
from tests.support.people import ME, Server

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
    assert instant(answer["expires_at"]) == clock["ms"] + Settings().link_seconds * SECOND
    clock["ms"] += Settings().link_seconds * SECOND - 1
    assert stranger.get(answer["url"]).status_code == 200
    clock["ms"] += 1
    assert refused(stranger.get(answer["url"])) == NO_SUCH_LINK


def test_a_link_to_a_private_game_works_and_says_nothing_once_it_does_not(server, ada, bob, stranger, clock):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, *[{"bot": "random"}] * 2],
                                  "visibility": "private"}).json["id"]  # fmt: skip
    url = ada.post(f"/v1/games/{game}/board-links").json["url"]
    assert stranger.get(url).status_code == 200
    assert bob.post(f"/v1/games/{game}/board-links").json["code"] == "no-such-game"
    clock["ms"] += Settings().link_seconds * SECOND
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
