"""Take-backs over HTTP: what a view offers, what is refused and why, and that no earlier decision fits again."""

import pytest

from domain.laws import take_back
from domain.laws.texts import seen
from domain.texts import document
from tests.domain.laws.facts import table_of

PASS = {"type": "pass"}


def propose(table, seat, **body):
    return table.people[seat].post(f"{table.path}/proposals?as={seat}", {"kind": "take_back", **body})


def carried(table, seat, key=None, **body):
    """Propose a take-back, and let all others accept it; return the path of the last vote, and the answer."""
    made = propose(table, seat, **body).json["events"][0]["data"]["proposal"]
    others = [each for each in table.seats if each != seat]
    for voter in others:
        path = f"{table.path}/proposals/{made}/votes?as={voter}"
        headers = {"Idempotency_Key": key} if key and voter == others[-1] else {}
        answer = table.people[voter].post(path, {"accept": True}, **headers)
        assert answer.status_code == 201
    return path, answer


def passed(table, times=1):
    """Let seats pass in turn; return the seats."""
    seats = []
    for _ in range(times):
        seats.append(table.to_act)
        assert table.act(seats[-1], PASS).status_code == 201
    return seats


def test_a_take_back_is_agreed_on_and_the_game_goes_on_from_there(table):
    before = {seat: table.view(seat) for seat in (*table.seats, None)}
    (seat,) = passed(table)
    _, answer = carried(table, seat)
    assert [event["type"] for event in answer.json["events"]] == ["vote_cast", "proposal_closed", "taken_back"]
    assert answer.json["events"][-1]["data"] == {"to_version": before[None]["version"]}
    assert answer.json["to_act"] == before[None]["to_act"]
    for viewer, view in before.items():
        after = table.view(viewer)
        assert after["state"] == view["state"]
        assert after["legal_actions"] == view["legal_actions"] if "legal_actions" in view else True
    assert table.act(seat, PASS).status_code == 201


def test_a_view_lists_the_versions_to_go_back_to_for_seats_only(table):
    start = table.version
    assert "take_back" not in table.view(0)
    first, second = passed(table, 2)
    versions = [start, start + 1]
    assert table.view(first)["take_back"] == {"versions": versions, "own": start}
    assert table.view(second)["take_back"] == {"versions": versions, "own": start + 1}
    assert table.view(table.to_act)["take_back"] == {"versions": versions, "own": None}
    assert "take_back" not in table.view(None)
    for version in versions:
        assert propose(table, table.to_act, to_version=version).status_code == 201
        (made,) = table.view()["proposals"]
        assert made["to_version"] == version
        other = table.idle
        path = f"{table.path}/proposals/{made['id']}/votes?as={other}"
        assert table.people[other].post(path, {"accept": False}).status_code == 201


def test_a_vote_under_a_key_carries_a_take_back_once(table):
    (seat,) = passed(table)
    path, first = carried(table, seat, key="k")
    passed(table)
    version = table.version
    again = table.people[int(path[-1])].post(path, {"accept": True}, Idempotency_Key="k")
    assert (again.data, table.version) == (first.data, version)


def test_every_version_is_shown_as_it_was_before_in_between_and_afterwards(server, table):
    shown = {table.version: table.view(0)}
    seats = passed(table, 2)
    shown[table.version] = table.view(0)
    carried(table, seats[1])
    shown[table.version] = table.view(0)
    passed(table)
    shown[table.version] = table.view(0)
    server.forget_games()
    for version, view in shown.items():
        assert table.view(0, at=version) == view
    states = [view["state"] for view in shown.values()]
    assert states[1] == states[3] != states[2]


@pytest.mark.parametrize(("ruleset_id", "seats"), [("plute", 6), ("plateau", 2)])
def test_a_game_that_others_took_back_is_exported_without_it(server, stranger, ruleset_id, seats):
    at = table_of(ruleset_id, seats)
    steps = take_back.with_detours(at, 0)
    table = server.table_of_log(steps)
    text = stranger.get(f"{table.path}/export?format=text").text
    assert text == document.write(seen(steps)) == document.write(seen(take_back.played(at, 0)))
    assert document.read(text).outcome == steps[-1].game.outcome
    view = table.view(None)
    server.forget_games()
    assert table.view(None) == view
