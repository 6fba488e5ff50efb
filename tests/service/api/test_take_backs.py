"""Take-backs over HTTP: what a view offers, what is refused and why, and that no earlier decision fits again."""

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
