"""French Tarot over HTTP: its options, whole deals, and lists of actions too long for a view."""

import random
from dataclasses import fields
from math import comb

import pytest

from domain.french_tarot import RULESET
from domain.french_tarot.actions import Bid, Call, Pass
from domain.french_tarot.deck import is_free
from domain.french_tarot.options import Options
from domain.game import aggregate as games
from tests.support.people import ME, Table, some_action
from tests.support.random_games import starting, written

PLAYERS = (3, 4, 5)


def create(person, players, **options):
    wish = {"ruleset": "french-tarot", "seats": [ME] * players, "sandbox": True, "options": options}
    return person.post("/v1/games", wish)


def sandbox(server, person, players, **options):
    game = create(person, players, **options).json
    return Table(game["id"], [person] * players, server)


# -- options ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("french-tarot", "Options", "are JSON numbers", "returns all options as JSON Schema")
def test_the_ruleset_says_what_a_client_needs_to_know(stranger):
    shown = stranger.get("/v1/rulesets/french-tarot").json
    assert (shown["id"], shown["name"], shown["rules_version"]) == ("french-tarot", "French Tarot", 2)
    assert shown["players"] == {"min": 3, "max": 5}
    assert shown["options"]["properties"].keys() == {option.name for option in fields(Options)}
    assert all(option["description"] for option in shown["options"]["properties"].values())
    assert shown["options"]["properties"]["poignee_5p_triple"]["enum"] == [13, 15, None]
    assert shown["actions"].keys() == {
        "bid", "pass", "call", "discard", "announce_slam", "announce_petit_chelem", "no_slam", "show_poignee",
        "announce_misere", "play",
    }  # fmt: skip
    five = {"five_player_mode": ["call_king"]}
    choices = shown["choices"]["5"]
    assert choices["call_self"]["needs"] == {"true": five, "false": five}
    assert choices["poignee_5p_triple"]["needs"] == {"13": five, "15": five}
    assert choices["five_player_split"]["needs"] == {"two_thirds_one_third": five, "equal": five}
    assert shown["proposals"].keys() == {"pause", "resume", "abort", "take_back"}
    assert shown["rules"].startswith("# French Tarot")


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_shows_its_options_completed(ada, players):
    options = create(ada, players).json["options"]
    assert options["deals"] == {3: 12, 4: 12, 5: 15}[players]
    assert options["call_self"] is (True if players == 5 else None)
    assert options["deal_packet_3p"] == (4 if players == 3 else None)
    assert options["poignee_5p_triple"] == (13 if players == 5 else None)


@pytest.mark.rule("french-tarot", "Options", "are JSON numbers", "returns all options as JSON Schema")
@pytest.mark.parametrize(
    ("players", "given"),
    [
        (3, {"deal_packet_3p": 3, "half_point_short": "zero", "deals": 1, "first_dealer": 2}),
        (4, {"score_rounding": "10", "petit_chelem": "300/-150", "misere": "on", "direction": "clockwise"}),
        (5, {"call_self": False, "poignee_5p_triple": 15, "called_suit_ban_after_excuse": True}),
        (5, {"five_player_mode": "dead_dealer"}),
    ],
)
def test_options_are_taken_as_they_are_written(ada, players, given):
    made = create(ada, players, **given)
    assert made.status_code == 201
    assert made.json["options"].items() >= given.items()


@pytest.mark.parametrize(
    "name", ["call_self", "poignee_5p_triple", "half_point_short", "first_dealer", "deal_packet_3p"]
)
def test_null_stands_for_an_option_that_is_left_out(ada, name):
    made = create(ada, 4, **{name: None})
    assert made.status_code == 201
    assert made.json["options"][name] is None


@pytest.mark.rule("french-tarot", "Options", "are JSON numbers", "returns all options as JSON Schema")
@pytest.mark.parametrize(
    "given",
    [
        {"deal_packet_3p": 5}, {"deal_packet_3p": "3"}, {"deal_packet_3p": 3.5}, {"deal_packet_3p": True},
        {"poignee_5p_triple": 14}, {"poignee_5p_triple": 13.5}, {"score_rounding": 5}, {"call_self": "no"},
        {"call_self": 1}, {"bidding": "closed"}, {"deals": 0}, {"deals": 121}, {"first_dealer": 5}, {"talon": 6},
    ],
)  # fmt: skip
def test_options_of_another_form_are_refused_with_their_place(ada, given):
    answer = create(ada, 3, **given)
    assert answer.status_code == 400
    (fault,) = answer.json["errors"]
    assert fault["pointer"] == f"/options/{next(iter(given))}"


@pytest.mark.parametrize(
    ("players", "given", "named"),
    [
        (4, {"deal_packet_3p": 3}, ("deal_packet_3p", "3", "4 players", "for 3 players")),
        (3, {"call_self": False}, ("call_self", "false", "3 players", "for 5 players")),
        (4, {"half_point_short": "won"}, ("half_point_short", '"won"', "4 players", "no half points arise")),
        (5, {"five_player_mode": "dead_dealer", "five_player_split": "equal"},
         ("five_player_split", '"equal"', "5 players", "dead_dealer")),
        (5, {"called_suit_lead": "free", "called_suit_ban_after_excuse": True},
         ("called_suit_ban_after_excuse", "true", "5 players", "only_called_card")),
        (3, {"first_dealer": 3}, ("first_dealer", "3", "3 players", "up to 2")),
    ],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused_with_option_value_players_and_reason(ada, players, given, named):
    answer = create(ada, players, **given)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid-options")
    (fault,) = answer.json["errors"]
    assert fault["pointer"] == f"/options/{named[0]}"
    for word in named:
        assert word in fault["message"]


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("score_rounding", 10, 'score_rounding: Must be one of "none", "5", "10".'),
        ("deal_packet_3p", "3", "deal_packet_3p: Must be one of 4, 3."),
        ("deals", "4", "deals: Not a valid integer."),
    ],
)
def test_a_value_that_an_option_has_not_is_refused_with_those_it_has_as_json(ada, option, value, message):
    (fault,) = create(ada, 3, **{option: value}).json["errors"]
    assert fault["message"] == message


# -- whole deals --------------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("players", "options"),
    [(3, {}), (4, {"misere": "on"}), (5, {}), (5, {"five_player_mode": "dead_dealer"}),
     (4, {"poignee_timing": "before_first_lead", "bidding": "open", "petit_chelem": "300/-150"})],
)  # fmt: skip
def test_a_whole_deal_over_http_everyone_seeing_what_they_should(server, ada, players, options):
    table, rng = sandbox(server, ada, players, deals=1, **options), random.Random(players)
    while (view := table.view())["to_act"]:
        (seat,) = view["to_act"]
        public = view["state"]
        for viewer in table.seats:
            seen = table.view(viewer)["state"]
            assert [hand["seat"] for hand in seen["hands"] if hand["cards"] is not None] == [viewer]
            assert {key for key in seen if seen[key] != public[key]} <= {"hands", "ecart"}
        called = public["called"]
        assert called is None or called["revealed"] or called["partner"] is None
        assert table.act(seat, some_action(rng, table.legal(seat)), If_Match=f'"{view["version"]}"').status_code == 201
    assert view["game"]["status"] == "finished"
    (result,) = view["state"]["deal_results"]
    assert sum(result["scores"]) == 0
    assert view["game"]["outcome"]["scores"] == view["state"]["scores"] == result["scores"]
    assert result["calculation"]["steps"]


def test_nobody_resigns_and_nothing_is_proposed(server, ada):
    table = sandbox(server, ada, 4)
    answer = ada.post(f"{table.path}/resign?as=0", {"confirm": True})
    assert (answer.status_code, answer.json["code"], answer.json["rule"]) == (422, "no-resignation", "11. Match")
    answer = ada.post(f"{table.path}/proposals?as=0", {"kind": "stop_after_hand"})
    assert answer.status_code in (409, 422)


# -- lists too long for a view ------------------------------------------------------------------------------------


def before_the_ecart(players):
    """Return the steps of a game up to an écart with many choices."""
    for seed in range(20):
        steps = list(starting("french-tarot", players, seed, first_dealer=players - 1, petit_sec="play_on"))
        calls = [Call("RH")] if players == 5 else []
        for action in [Bid("garde"), *[Pass()] * (players - 1), *calls]:
            game = steps[-1].game
            (seat,) = game.pending
            steps.append(written(game, seat, action, games.act(game, seat, action)))
        hand = steps[-1].game.state.table.held[0]
        if sum(map(is_free, hand)) >= {3: 18, 4: 14, 5: 11}[players]:
            return steps
    raise AssertionError("no such deal in sight")


@pytest.mark.parametrize("players", [4, 5])
def test_a_view_and_a_list_tell_the_number_of_ecarts_and_what_they_are_made_of(server, players):
    steps = before_the_ecart(players)
    table, state = server.table_of_log(steps), steps[-1].game.state
    free = [card for card in state.table.held[0] if is_free(card)]
    number = comb(len(free), 6 if players == 4 else 3)
    shown = table.view(0)["legal_actions"]
    listed = number <= 200
    assert (shown["count"], shown["actions"] is not None) == (number, listed)
    answer = table.people[0].get(f"{table.path}/legal-actions").json
    assert (answer["count"], len(answer["actions"])) == (number, min(number, 2000))
    (form,) = answer["schema"]["oneOf"]
    assert sorted(form["properties"]["cards"]["items"]["enum"]) == sorted(free)
    assert {*form["properties"]} == {"type", "cards", "decision_id"}
    for action in answer["actions"][:: len(answer["actions"]) // 10]:
        assert table.act(0, action, "&dry_run=true").json == {"legal": True}
    first = RULESET.legal_actions(state, 0)[0].cards
    answer = table.act(0, {"type": "discard", "cards": [*reversed(first)]})
    assert answer.json["events"][0]["data"] == {"count": len(first), "cards": [*first]}
    told = table.events(1)[answer.json["events"][0]["version"] - 1]
    assert (told["type"], told["data"], [*told["sealed"]]) == ("cards_discarded", {"count": len(first)}, ["/cards"])
