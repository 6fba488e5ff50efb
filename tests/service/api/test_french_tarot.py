"""French Tarot over HTTP: its options, whole deals, and lists of actions too long for a view."""

from dataclasses import fields

import pytest

from domain.french_tarot.options import Options
from tests.support.people import ME

PLAYERS = (3, 4, 5)


def create(person, players, **options):
    wish = {"ruleset": "french-tarot", "seats": [ME] * players, "sandbox": True, "options": options}
    return person.post("/v1/games", wish)


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
def test_options_that_make_no_sense_are_refused_with_the_reason(ada, players, given, named):
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


# -- lists too long for a view ------------------------------------------------------------------------------------
