"""The view: its viewer, its version, and how it can be cached."""

import random
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


def test_anyone_else_looks_as_a_spectator_and_sees_nobodys_cards(table, stranger, server):
    for person in (stranger, server.newcomer("Eve")):
        view = seen(person, f"{table.path}/view")
        assert view["viewer"] == {"seat": None}
        assert own_cards(view) == []
        assert view["state"]["talon"]["cards"] is None


def test_a_player_may_look_as_a_spectator(table, stranger):
    assert seen(table.people[0], f"{table.path}/view?as=spectator") == seen(stranger, f"{table.path}/view")


def test_another_seat_is_closed_to_players_and_strangers_while_the_game_goes_on(table, stranger, server):
    for person in (table.people[0], stranger, server.newcomer("Eve")):
        for path in (f"view?as={1}", "view?as=1&at=7", "events?as=1"):
            answer = person.get(f"{table.path}/{path}")
            assert (answer.status_code, answer.json["code"]) == (403, "not-your-seat")


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


def test_a_spectator_of_a_sandbox_sees_nobodys_cards(sandbox, ada, bob):
    for person, path in ((bob, "view"), (ada, "view?as=spectator")):
        assert own_cards(seen(person, f"{sandbox.path}/{path}")) == []
    assert bob.get(f"{sandbox.path}/view?as=0").status_code == 403


def test_only_the_seat_to_act_is_told_a_decision_and_its_actions(table):
    for seat, person in enumerate(table.people):
        view = seen(person, f"{table.path}/view")
        assert view["to_act"] == [table.to_act]
        assert ("decision" in view) == ("legal_actions" in view) == (seat == table.to_act)


def test_a_view_has_the_names_of_players_beside_their_ids(table):
    for viewer in (*table.seats, None):
        seats = table.view(viewer)["game"]["seats"]
        assert [seat["name"] for seat in seats] == ["Ada", "Bob", "Cleo", "Dan"]
        assert [seat["player"] for seat in seats] == [person.id for person in table.people]


@pytest.mark.parametrize("seat", ["4", "11"])
def test_a_seat_that_the_game_does_not_have_is_refused(table, ada, seat):
    answer = ada.get(f"{table.path}/view?as={seat}")
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (400, "no-such-seat")


@pytest.mark.parametrize("query", ["as=", "as=-1", "as=12", "as=me", "as=0x1", "as=1.0", "as=٣", "as=Spectator", "at=0",
                                   "at=-1", "at=x", "at=1e1", "at=9999999999"])  # fmt: skip
def test_a_parameter_that_is_not_as_documented_is_refused(table, ada, query):
    answer = ada.get(f"{table.path}/view?{query}")
    assert answer.status_code == 400
    assert answer.json["errors"][0]["pointer"] == f"?{query[:2]}"


# -- at which version ---------------------------------------------------------------------------------------------


def test_looking_back_shows_what_was_seen_then(table):
    rng = random.Random(1)
    then = {}
    for _ in range(12):
        then |= {(table.version, seat): table.view(seat) for seat in (*table.seats, None)}
        table.act(table.to_act, rng.choice(table.legal(table.to_act)))
    for (version, seat), view in then.items():
        assert table.view(seat, at=version) == view


def test_every_version_may_be_looked_back_to_and_shows_itself(finished, stranger):
    last = finished.version
    for version in range(1, last + 1):
        view = seen(stranger, f"{finished.path}/view?at={version}")
        assert view["version"] == version
        assert view["game"]["status"] == ("open" if version < 5 else "active" if version < last else "finished")


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


@pytest.mark.parametrize("known", ['"1"', '"x"', "", "1"])
def test_whoever_knows_another_version_is_told_the_new_one(table, ada, known):
    assert ada.get(f"{table.path}/view", If_None_Match=known).status_code == 200


def test_the_etag_moves_with_every_action_for_every_viewer(table):
    before = table.people[0].get(f"{table.path}/view").headers["ETag"]
    table.act(table.to_act, {"type": "pass"})
    for person in table.people:
        assert person.get(f"{table.path}/view", If_None_Match=before).status_code == 200


def test_a_viewer_who_may_not_look_is_refused_whatever_they_know(table, ada):
    assert ada.get(f"{table.path}/view?as=1", If_None_Match=f'"{table.version}"').status_code == 403


@pytest.mark.parametrize("query", ["as=0&at=5", "as=spectator&at=5", "as=0", "at=5", ""])
def test_no_view_may_be_kept_for_good_since_names_change(table, ada, query):
    assert ada.get(f"{table.path}/view?{query}").headers["Cache-Control"] == "private, no-cache"


def test_an_earlier_view_stays_as_it_is_while_the_game_goes_on(server):
    steps = played("le-plateau", 3, 1)
    middle = len(steps) // 2
    table = server.table_of_log(steps[:middle])
    version = table.version
    paths = [f"{table.path}/view?as={seat}&at={version}" for seat in (0, "spectator")]
    kept = [table.people[0].get(path) for path in paths]
    rng = random.Random(1)
    table.play(rng)
    assert table.view()["game"]["status"] == "finished"
    for before, path in zip(kept, paths, strict=True):
        assert table.people[0].get(path).data == before.data
        assert table.people[0].get(path, If_None_Match=before.headers["ETag"]).status_code == 304


def test_a_refusal_is_kept_nowhere(table, ada):
    assert ada.get(f"{table.path}/view?as=1&at=5").headers["Cache-Control"] == "no-store"
