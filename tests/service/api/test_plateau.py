"""A game of Plateau through HTTP alone: nothing in the service is made for it."""

import random

import jsonschema_rs
import pytest

from tests.support.people import ME, OPEN, moment_before, some_action

pytestmark = pytest.mark.usefixtures("fixed_draws")

OPTIONS = {
    "onboard_under_enemy": True,
    "pin": "any",
    "merged_strength": False,
    "refused_tender_keeps_turn": True,
    "repetition": 3,
    "no_progress_plies": 100,
    "max_plies": 600,
}
BLACK = {"type": "open", "square": "a1", "pieces": [{"piece": "TW", "up": "x"}, {"piece": "A", "up": "r"}]}
WHITE = {"type": "open", "square": "d4", "pieces": [{"piece": "M", "up": "x"}, {"piece": "M", "up": "x"}]}


@pytest.fixture
def table(server, ada, bob):
    """A game of Plateau; Ada is Black, Bob is White."""
    return server.table([ada, bob], ruleset="plateau")


def test_a_game_is_created_with_options_and_starts_when_both_seats_are_taken(server, ada, bob):
    wish = {"ruleset": "plateau", "seats": [ME, OPEN], "options": {"repetition": 2}}
    game = ada.post("/v1/games", wish).json
    assert (game["status"], game["options"]) == ("open", OPTIONS | {"repetition": 2})
    assert bob.post(f"/v1/games/{game['id']}/seats", {}).status_code == 201
    view = bob.get(f"/v1/games/{game['id']}/view").json
    assert (view["game"]["status"], view["to_act"], view["state"]["phase"]) == ("active", [0], "opening")


@pytest.mark.parametrize(
    ("wish", "status", "pointer"),
    [
        ({"seats": [ME] * 3}, 422, "/seats"),
        ({"options": {"repetition": 1}}, 400, "/options/repetition"),
        ({"options": {"repetition": True}}, 400, "/options/repetition"),
        ({"options": {"merged_strength": 1}}, 400, "/options/merged_strength"),
        ({"options": {"hands": 4}}, 400, "/options/hands"),
    ],
)
def test_a_game_that_the_rules_do_not_know_is_refused(ada, wish, status, pointer):
    answer = ada.post("/v1/games", {"ruleset": "plateau", "sandbox": True, "seats": [ME] * 2, **wish})
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (status, pointer)


def test_a_view_tells_the_number_of_openings_and_the_list_has_them_all(table):
    answer = table.people[0].get(f"{table.path}/legal-actions").json
    assert table.view(0)["legal_actions"] == {"count": 1260, "actions": None, "schema": answer["schema"]}
    assert (answer["count"], len(answer["actions"])) == (1260, 1260)
    schema = jsonschema_rs.Draft202012Validator(answer["schema"])
    assert all(schema.is_valid(action) for action in answer["actions"])
    assert "not sufficient" in answer["schema"]["$comment"]
    (form,) = answer["schema"]["oneOf"]
    pieces = form["properties"]["pieces"]
    assert (pieces["minItems"], pieces["maxItems"]) == (2, 2)
    assert set(pieces["items"]["properties"]["piece"]["enum"]) == {"A", "TW", "RM", "BM", "R", "B", "M"}
    assert not schema.is_valid({**BLACK, "square": "b2"})
    assert not schema.is_valid({**BLACK, "pieces": BLACK["pieces"][:1]})


def test_what_a_player_places_only_they_see(table):
    assert table.act(0, BLACK).status_code == 201
    black, white, spectator = (table.view(viewer)["state"] for viewer in (0, 1, None))
    assert [(p["piece"], p["top"], p["bottom"]) for p in black["board"]["a1"]] == [("TW", "x", "o"), ("A", "r", "b")]
    assert [(p["piece"], p["top"], p["bottom"]) for p in white["board"]["a1"]] == [
        (None, None, None),
        (None, "r", None),
    ]
    assert white["board"] == spectator["board"]
    assert [line["line"] for line in white["history"]] == ["B: * a1 ??.r?"]
    assert [reserve["pieces"] is None for reserve in white["reserves"]] == [True, False]
    (opened,) = [event for event in table.events(1) if event["type"] == "unit_opened"]
    assert opened["data"].keys() == {"square", "lower_token", "upper_token", "top"}
    assert opened["sealed"].keys() == {"/lower", "/upper"}
    (own,) = [event for event in table.events(0) if event["type"] == "unit_opened"]
    assert (own["data"]["lower"], own["data"]["upper"]) == ({"piece": "TW", "up": "x"}, "A")


def test_what_may_be_left_out_of_an_action_may_be_left_out(table):
    table.act(0, BLACK)
    table.act(1, WHITE)
    answer = table.act(0, {"type": "move", "from": "a1", "lift": 2, "to": "a2"}, "&dry_run=true")
    assert (answer.status_code, answer.json) == (200, {"legal": True})
    answer = table.act(0, {"type": "move", "from": "a1", "lift": 1, "to": "a2"})
    assert answer.status_code == 201
    assert [event["type"] for event in answer.json["events"]] == ["unit_moved", "faces_shown", "turn_began"]
    assert answer.json["to_act"] == [1]


@pytest.mark.parametrize(
    ("action", "status", "code"),
    [
        ({"type": "onboard", "square": "a1", "height": 2, "piece": "M", "up": "x"}, 422, "on-an-enemy"),
        ({"type": "onboard", "square": "b1", "height": 0, "piece": "M", "up": "r"}, 422, "no-such-face"),
        ({"type": "tender", "pieces": ["M"]}, 422, "not-a-prisoner"),
        ({"type": "respond", "refuse": True}, 422, "wrong-phase"),
        ({"type": "pass"}, 422, "not-forced"),
        ({"type": "onboard", "square": "e1", "height": 0, "piece": "M", "up": "x"}, 400, None),
        ({"type": "onboard", "square": "b1", "height": -1, "piece": "M", "up": "x"}, 400, None),
        ({"type": "move", "from": "d4", "lift": 1, "to": "c4", "stops": [{"square": "c4"}]}, 400, None),
        ({"type": "bid", "objective": "y"}, 400, None),
        ({"type": "resign"}, 400, None),
    ],
)
def test_what_is_not_legal_is_refused_and_says_why(table, action, status, code):
    table.act(0, BLACK)
    table.act(1, WHITE)
    table.act(0, {"type": "onboard", "square": "c1", "height": 0, "piece": "M", "up": "x"})
    answer = table.act(1, action)
    assert answer.status_code == status
    if code:
        assert answer.json["code"] == code
        assert answer.json["rule"][0].isdigit()


def test_a_tender_is_answered_out_of_turn_and_who_gives_goes_on(server):
    table = server.table_of_log(moment_before("Respond", 2, "plateau"))
    tender = table.view()["state"]["tender"]
    assert (table.view()["state"]["phase"], table.to_act) == ("response", tender["to"])
    for answer in table.legal(tender["to"]):
        assert table.act(tender["to"], answer, "&dry_run=true").status_code == 200
    answer = table.act(tender["to"], table.legal(tender["to"])[0]).json
    assert (answer["events"][0]["type"], answer["to_act"]) == ("prisoners_exchanged", [tender["to"]])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_is_played_and_everything_is_open_at_its_end(table, seed):
    rng = random.Random(seed)
    while (view := table.view())["to_act"]:
        (seat,) = view["to_act"]
        own, other = table.view(seat), table.view(1 - seat)
        listed = table.legal(seat)
        assert own["legal_actions"]["count"] == len(listed)
        assert own["legal_actions"]["actions"] == (listed if len(listed) <= 200 else None)
        assert "legal_actions" not in other
        assert not table.legal(1 - seat)
        assert table.act(seat, some_action(rng, listed), If_Match=f'"{view["version"]}"').status_code == 201
    assert view["game"]["status"] == "finished"
    assert view["game"]["outcome"]["reason"] == view["state"]["end"]["reason"]
    assert table.view(0)["state"] == table.view(1)["state"] == view["state"]
    assert all(piece["piece"] for stack in view["state"]["board"].values() for piece in stack)
    assert "?" not in "".join(line["line"] for line in view["state"]["history"])
    types = [event["type"] for event in table.events()]
    assert types[-3:] == ["game_won", "everything_revealed", "game_finished"]


@pytest.mark.rule("plateau", "9", "can resign at any time")
def test_players_agree_to_a_draw(table):
    table.act(0, BLACK)
    made = table.people[1].post(f"{table.path}/proposals", {"kind": "draw"})
    assert made.status_code == 201
    (proposal,) = table.view()["proposals"]
    voted = table.people[0].post(f"{table.path}/proposals/{proposal['id']}/votes", {"accept": True}).json
    assert [event["type"] for event in voted["events"]][-3:] == ["game_drawn", "everything_revealed", "game_finished"]
    assert table.view()["game"]["outcome"] == {"reason": "agreement", "winners": [0, 1], "scores": [0, 0]}


def test_an_offer_of_a_draw_lapses_when_its_player_acts(table):
    table.people[0].post(f"{table.path}/proposals", {"kind": "draw"})
    assert len(table.view()["proposals"]) == 1
    table.act(0, BLACK)
    assert table.view()["proposals"] == []


@pytest.mark.rule("plateau", "9", "can resign at any time")
def test_a_player_resigns_out_of_turn(table):
    table.act(0, BLACK)
    assert table.people[0].post(f"{table.path}/resign", {"confirm": True}).status_code == 201
    view = table.view()
    assert view["game"]["outcome"] == {"reason": "resign", "winners": [1], "scores": [-1, 1]}
    assert view["state"]["board"]["a1"][0]["piece"] == "TW"


def test_a_game_is_exported_as_text_with_what_the_reader_may_know(table):
    table.act(0, BLACK)
    own, other = (person.get(f"{table.path}/export?format=text") for person in table.people)
    assert own.text.splitlines()[-1] == "B: * a1 xo.rb"
    assert other.text.splitlines()[-1] == "B: * a1 ??.r?"
