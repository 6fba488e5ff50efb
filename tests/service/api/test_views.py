"""The view: its viewer, its version, and how it can be cached.

Replay: every version can be seen as it was seen then, and once the game is over with all that was hidden.
"""

import json
import random
import re

import pytest

from domain.laws.law import some
from domain.registry import RULESETS
from domain.serialization import to_plain
from domain.table import EVERYTHING
from service.store.event_store import Append, Appended
from tests.support.people import ME, OPEN
from tests.support.random_games import played
from tests.support.sampling import FULL, GAMES


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


def test_the_etag_begins_with_the_version_and_anyone_who_has_it_is_told_so(table, ada):
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


# -- going back ---------------------------------------------------------------------------------------------------


def test_a_view_lists_the_versions_to_go_back_to_for_seats_only(table):
    start = table.version
    assert "take_back" not in table.view(0)
    seats = []
    for _ in range(2):
        seats.append(table.to_act)
        assert table.act(seats[-1], {"type": "pass"}).status_code == 201
    for seat, own in ((seats[0], start), (seats[1], start + 1), (table.to_act, None)):
        assert table.view(seat)["take_back"] == {"versions": [start, start + 1], "own": own}
    assert "take_back" not in table.view(None)
    body = {"kind": "take_back", "to_version": start}
    assert table.people[table.to_act].post(f"{table.path}/proposals?as={table.to_act}", body).status_code == 201
    assert [made["to_version"] for made in table.view()["proposals"]] == [start]


MOMENTS = 12 if GAMES >= 1 else 4


def viewers(seats):
    return [*range(seats), "spectator"]


def asked(server, seats, game_id, viewer, more):
    """Ask as the holder of a seat, or as a stranger."""
    person = server.stranger() if viewer == "spectator" else server.known(f"pl_{viewer}")
    answers = [person.get(f"/v1/games/{game_id}/{what}?as={viewer}{more}") for what in ("view", "board.svg")]
    assert [answer.status_code for answer in answers] == [200, 200]
    return [(answer.text, answer.headers["ETag"]) for answer in answers]


@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_a_past_version_is_seen_as_it_was_seen_then(server, ruleset_id, seats):
    steps = played(ruleset_id, seats, 4)
    game_id = steps[0].game.id
    begun = [number for number, step in enumerate(steps) if step.game.state is not None]
    chosen = some(random.Random(f"replay {ruleset_id} {seats}"), begun, MOMENTS)
    served = {}
    for number, step in enumerate(steps):
        before = step.before
        outcome = server.store.append(
            Append(game_id, before.version if before else 0, step.records, head=before.head if before else "")
        )
        assert isinstance(outcome, Appended)
        if number in chosen:
            for viewer in viewers(seats):
                served[step.game.version, viewer] = asked(server, seats, game_id, viewer, "")
    assert len(served) == len(chosen) * (seats + 1)
    for (version, viewer), shown in served.items():
        assert asked(server, seats, game_id, viewer, f"&at={version}") == shown


@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_once_a_game_is_over_everything_that_was_hidden_is_shown(server, ruleset_id, seats):
    steps = played(ruleset_id, seats, 4)
    table = server.table_of_log(steps)
    begun = [step for step in steps if step.game.state is not None]
    for step in some(random.Random(f"full {ruleset_id} {seats}"), begun, MOMENTS):
        path = f"{table.path}/view?at={step.game.version}&as=spectator&knowledge="
        own, full = (server.stranger().get(path + knowledge).json for knowledge in ("own", "full"))
        everything = RULESETS[ruleset_id].project(step.game.state, EVERYTHING)
        assert full["state"] == json.loads(json.dumps(to_plain(everything)))
        assert full["viewer"] == {"seat": None, "knowledge": "full"}
        assert {**own, "state": None, "viewer": None} == {**full, "state": None, "viewer": None}


def test_a_seat_sees_everything_from_where_it_sits(server, finished):
    full = finished.people[1].get(f"{finished.path}/view?at=40&knowledge=full").json
    assert full["viewer"] == {"seat": 1, "knowledge": "full"}
    assert all(hand["cards"] is not None for hand in full["state"]["hands"])
    pictures = [
        server.stranger().get(f"{finished.path}/board.svg?at=40&as=1&knowledge={which}").text
        for which in ("own", "full")
    ]
    hands = [{*re.findall(">(Hand of [^<]+)<", text)} for text in pictures]
    assert [len(each) for each in hands] == [1, 3]
    assert hands[0] < hands[1]
