"""The view: its viewer, its version, and how it can be cached."""

import re

import pytest

from tests.support.people import ME, OPEN
from tests.support.random_games import played


def seen(person, path):
    answer = person.get(path)
    assert answer.status_code == 200
    return answer.json


def own_cards(view):
    return [hand["seat"] for hand in view["state"]["hands"] if hand["cards"] is not None]


# -- through whose eyes -------------------------------------------------------------------------------------------


def test_a_player_looks_from_their_own_seat_and_sees_their_own_cards_only(table):
    for seat, person in enumerate(table.people):
        view = seen(person, f"{table.path}/view")
        assert view["viewer"] == {"seat": seat}
        assert own_cards(view) == [seat]
        assert view == seen(person, f"{table.path}/view?as={seat}")


def test_every_seat_is_open_to_everyone_once_the_game_is_over(finished, stranger):
    for seat in finished.seats:
        view = seen(stranger, f"{finished.path}/view?as={seat}")
        assert view["viewer"] == {"seat": seat}
        half_way = seen(stranger, f"{finished.path}/view?as={seat}&at=20")
        assert own_cards(half_way) == [seat]


def test_in_a_sandbox_the_player_looks_from_the_seat_to_act_or_from_any_other(sandbox, ada):
    assert seen(ada, f"{sandbox.path}/view")["viewer"] == {"seat": sandbox.to_act}
    for seat in sandbox.seats:
        assert own_cards(seen(ada, f"{sandbox.path}/view?as={seat}")) == [seat]


# -- at which version ---------------------------------------------------------------------------------------------


def test_nobody_is_to_act_at_a_version_in_the_middle_of_what_one_request_caused(finished, stranger):
    to_act = {step.game.version: [*step.game.pending] for step in played("le-plateau", 3, 0)}
    for version in range(1, finished.version + 1, 2):
        view = seen(stranger, f"{finished.path}/view?at={version}")
        assert view["to_act"] == to_act.get(version, [])


def test_before_they_sat_down_a_player_looks_back_as_a_spectator(server, ada, bob):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN]}).json
    bob.post(f"/v1/games/{game['id']}/seats")
    path = f"/v1/games/{game['id']}/view"
    assert seen(bob, path)["viewer"] == {"seat": 1}
    assert seen(bob, f"{path}?at=2")["viewer"] == {"seat": None}


# -- caching ------------------------------------------------------------------------------------------------------


def test_the_etag_begins_with_the_version_and_whoever_has_it_is_told_so(table, ada):
    answer = ada.get(f"{table.path}/view")
    etag = answer.headers["ETag"]
    assert re.fullmatch(f'"{table.version}-0[0-9a-f]{{8}}"', etag)
    for known in (etag, f"W/{etag}", f'"1", {etag}', "*"):
        again = ada.get(f"{table.path}/view", If_None_Match=known)
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == etag
        assert again.headers["Vary"] == answer.headers["Vary"]
        assert again.headers["Cache-Control"] == answer.headers["Cache-Control"]


@pytest.mark.parametrize("query", ["as=0&at=5", "as=spectator&at=5", "as=0", "at=5", ""])
def test_no_view_may_be_kept_for_good_since_names_change(table, ada, query):
    assert ada.get(f"{table.path}/view?{query}").headers["Cache-Control"] == "private, no-cache"


def test_a_refusal_is_kept_nowhere(table, ada):
    assert ada.get(f"{table.path}/view?as=1&at=5").headers["Cache-Control"] == "no-store"
