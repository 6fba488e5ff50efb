"""Proposals, votes and resignation over HTTP."""

from itertools import chain

import pytest

CONFIRMED = {"confirm": True}
STOP = {"kind": "stop_after_hand"}


def propose(table, seat, body=STOP, **headers):
    return table.people[seat].post(f"{table.path}/proposals?as={seat}", body, **headers)


def vote(table, seat, proposal, *, accept=True, **headers):
    path = f"{table.path}/proposals/{proposal}/votes?as={seat}"
    return table.people[seat].post(path, {"accept": accept}, **headers)


def proposed(table, seat=0):
    (made,) = (event for event in propose(table, seat).json["events"] if event["type"] == "proposal_made")
    return made["data"]["proposal"]


def pass_out(table):
    """Let everyone pass until the hand is void."""
    for seat in chain.from_iterable(table.view()["to_act"] for _ in table.seats):
        assert table.act(seat, {"type": "pass"}).status_code == 201


def test_a_proposal_is_answered_like_an_action_and_shown_to_everyone(table):
    answer = propose(table, 2)
    assert answer.status_code == 201
    (event,) = answer.json["events"]
    assert (event["type"], event["seat"], event["data"]["kind"]) == ("proposal_made", 2, "stop_after_hand")
    shown = [{"id": event["data"]["proposal"], "kind": "stop_after_hand", "seat": 2, "accepted": [2], "duration": None}]
    for viewer in (*table.seats, None):
        assert table.view(viewer)["proposals"] == shown


@pytest.mark.rule("le-plateau", "8", "Le Plateau has no resignation")
def test_le_plateau_knows_no_resignation(table):
    answer = table.people[0].post(f"{table.path}/resign", CONFIRMED)
    assert (answer.status_code, answer.json["code"], answer.json["rule"]) == (422, "no-resignation", "8. Score")


def aborted(table):
    """Let all agree to end a game that has begun."""
    pass_out_one(table)
    proposal = propose(table, 0, {"kind": "abort"}).json["events"][0]["data"]["proposal"]
    for seat in (1, 2, 3):
        answer = vote(table, seat, proposal)
    return answer


def pass_out_one(table):
    assert table.act(table.to_act, {"type": "pass"}).status_code == 201


def test_all_players_can_end_a_game_without_a_result(table, stranger):
    answer = aborted(table)
    assert [event["type"] for event in answer.json["events"]] == ["vote_cast", "proposal_closed", "game_aborted"]
    assert (answer.json["status"], answer.json["to_act"]) == ("aborted", [])
    shown = stranger.get(table.path).json
    assert (shown["status"], shown["aborted_because"], shown["outcome"]) == ("aborted", "agreed", None)
    assert [game["id"] for game in stranger.get("/v1/games?status=aborted").json["items"]] == [table.id]
    assert table.people[1].get("/v1/me/games").json["items"] == []
    assert stranger.get("/v1/games").json["items"] == []
    refused = table.act(0, {"type": "pass"})
    assert (refused.status_code, refused.json["code"]) == (409, "game-not-active")
