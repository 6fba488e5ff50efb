"""The board as a picture: what the view shows, for the same eyes, at the same versions, kept by the same rules."""

import pytest

from domain.pictures.shown import Shown
from domain.registry import RULESETS
from domain.serialization import from_plain
from service.games.projections import representations
from service.games.projections.naming import nameplates
from tests.support.people import ME, OPEN
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
    names = {sitter.player: name for sitter, name in zip(game.sitters, ("Ada", "<b>" + "e\u0301" * 20), strict=False)}
    picture = representations.drawn(game, None, nameplates(game, lambda _players: names).labels())
    assert "\u2068Ada\u2069" in picture
    assert "\u2068&lt;b&gt;" + "e\u0301" * 10 + "…\u2069" in picture
    assert "Seat 3" in picture


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
    assert "Seat 3" in picture.text


def test_every_version_of_a_game_has_a_picture(server, stranger):
    table = server.table_of_log(played("le-plateau", 2, 0))
    pictures = [stranger.get(f"{table.path}/board.svg?at={at}") for at in range(1, table.version + 1)]
    assert {picture.status_code for picture in pictures} == {200}
    assert "the game is over" in pictures[-1].text
