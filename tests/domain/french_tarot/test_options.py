"""Options: defaults, what goes together, and what is rejected with which words (rules.md, options)."""

import json
from dataclasses import asdict, fields
from typing import get_args

import pytest

from domain.errors import InvalidOptions
from domain.field_types import OneOf, OrNone, fields_of
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.options import Options


def given_as(value):
    return json.dumps(value)


EVERYWHERE = {
    "bidding": ("one_round", "open"),
    "minimum_contract": ("petite", "garde"),
    "petit_sec": ("cancel", "imprenable", "play_on"),
    "chien_excluded": ("first_last", "first3_last3"),
    "excuse_last_trick": ("changes_side", "goes_to_trick_winner"),
    "excuse_wins_last_trick": ("announced_only", "any_slam", "never"),
    "poignee_scale": ("fft_20_30_40", "20_40_60", "10_20_40"),
    "poignee_timing": ("before_own_first_card", "before_first_lead"),
    "misere": ("off", "on"),
    "petit_chelem": ("off", "300/-150"),
    "score_rounding": ("none", "5", "10"),
    "direction": ("counter_clockwise", "clockwise"),
}
"""The table of the rules: values, the default first."""

FOR_FIVE = {
    "call_self": (True, False),
    "called_suit_lead": ("only_called_card", "free"),
    "called_suit_ban_after_excuse": (False, True),
    "five_player_split": ("two_thirds_one_third", "equal"),
    "poignee_5p_triple": (13, 15),
}


def refusals(players, **given):
    with pytest.raises(InvalidOptions) as refused:
        french_tarot.options.complete(given, players)
    return {problem.option: problem for problem in refused.value.problems}


@pytest.mark.rule("french-tarot", "11", "an agreed number of deals", "12 by default, or 15")
@pytest.mark.rule(
    "french-tarot", "Options", "`bidding` / ", "`minimum_contract` / ", "`petit_sec` / ", "`chien_excluded` / ",
    "`excuse_last_trick` / ", "`excuse_wins_last_trick` / ", "`poignee_scale` / ", "`poignee_timing` / ",
    "`misere` / ", "`petit_chelem` / ", "`score_rounding` / ", "`direction` / ",
)  # fmt: skip
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_option_has_the_default_of_the_rules(players):
    chosen = asdict(french_tarot.options.complete({}, players))
    five = {name: values[0] for name, values in FOR_FIVE.items()} | {"five_player_mode": "call_king"}
    assert chosen == {
        **{name: values[0] for name, values in EVERYWHERE.items()},
        **(five if players == 5 else dict.fromkeys(five)),
        "deal_packet_3p": 4 if players == 3 else None,
        "half_point_short": None if players == 4 else "lost",
        "deals": {3: 12, 4: 12, 5: 15}[players],
        "first_dealer": None,
    }


@pytest.mark.rule(
    "french-tarot", "Options", "`bidding` / ", "`minimum_contract` / ", "`petit_sec` / ", "`chien_excluded` / ",
    "`excuse_last_trick` / ", "`excuse_wins_last_trick` / ", "`poignee_scale` / ", "`poignee_timing` / ",
    "`misere` / ", "`petit_chelem` / ", "`score_rounding` / ", "`direction` / ",
)  # fmt: skip
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(("name", "values"), EVERYWHERE.items())
def test_every_value_can_be_chosen(players, name, values):
    for value in values:
        assert getattr(french_tarot.options.complete({name: value}, players), name) == value


@pytest.mark.rule(
    "french-tarot", "Options", "`call_self` / ", "`called_suit_lead` / ", "`five_player_split` / ",
    "`five_player_mode` / ", "`poignee_5p_triple` / ",
)  # fmt: skip
@pytest.mark.parametrize(("name", "values"), [*FOR_FIVE.items(), ("half_point_short", ("lost", "zero", "won"))])
def test_what_is_for_five_players_can_be_chosen_there(name, values):
    for value in values:
        assert getattr(french_tarot.options.complete({name: value}, 5), name) == value


@pytest.mark.rule(
    "french-tarot", "Options", "`call_self` / ", "`called_suit_lead` / ", "`five_player_split` / ",
    "`five_player_mode` / ", "`poignee_5p_triple` / ",
)  # fmt: skip
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize(("name", "values"), [*FOR_FIVE.items(), ("five_player_mode", ("call_king", "dead_dealer"))])
def test_what_is_for_five_players_is_refused_with_fewer(players, name, values):
    for value in values:
        (problem,) = refusals(players, **{name: value}).values()
        assert (problem.option, problem.code) == (name, "five-players-only")
        for told in (name, given_as(value), f"{players} players", "for 5 players"):
            assert told in problem.message


@pytest.mark.rule("french-tarot", "Options", "`deal_packet_3p` / ")
@pytest.mark.parametrize("value", [3, 4])
def test_packets_are_chosen_with_three_players_only(value):
    assert french_tarot.options.complete({"deal_packet_3p": value}, 3).deal_packet_3p == value
    for players in (4, 5):
        assert refusals(players, deal_packet_3p=value)["deal_packet_3p"].code == "three-players-only"


@pytest.mark.rule("french-tarot", "Options", "`half_point_short` / ")
@pytest.mark.parametrize("value", ["lost", "zero", "won"])
def test_no_half_points_arise_with_four_players(value):
    assert french_tarot.options.complete({"half_point_short": value}, 3).half_point_short == value
    problem = refusals(4, half_point_short=value)["half_point_short"]
    assert problem.code == "no-half-points"
    assert "4" in problem.message


@pytest.mark.rule("french-tarot", "Options", "have no meaning and are rejected")
@pytest.mark.parametrize(("name", "values"), [*FOR_FIVE.items(), ("half_point_short", ("lost",))])
def test_a_dealer_who_sits_out_leaves_no_room_for_the_other_options_of_five(name, values):
    chosen = french_tarot.options.complete({"five_player_mode": "dead_dealer"}, 5)
    assert getattr(chosen, name) is None
    for value in values:
        (problem,) = refusals(5, five_player_mode="dead_dealer", **{name: value}).values()
        assert problem.option == name
        for told in (name, given_as(value), 'five_player_mode "call_king", not "dead_dealer"', "5 players"):
            assert told in problem.message


@pytest.mark.rule("french-tarot", "Options", "`called_suit_ban_after_excuse` / ")
def test_the_ban_after_an_excuse_needs_the_ban_it_extends():
    (problem,) = refusals(5, called_suit_ban_after_excuse=True, called_suit_lead="free").values()
    assert (problem.option, problem.code) == ("called_suit_ban_after_excuse", "no-such-ban")
    assert 'called_suit_lead "only_called_card", not "free"' in problem.message
    french_tarot.options.complete({"called_suit_ban_after_excuse": False, "called_suit_lead": "free"}, 5)


@pytest.mark.rule("french-tarot", "Options", "`deals` / 1 to 120", "`first_dealer` / ")
@pytest.mark.parametrize(("given", "players"), [({"deals": 0}, 4), ({"deals": 121}, 4), ({"first_dealer": 3}, 3)])
def test_a_match_has_1_to_120_deals_and_a_first_dealer_at_the_table(given, players):
    assert refusals(players, **given).keys() == given.keys()
    assert french_tarot.options.complete({"deals": 7, "first_dealer": 2}, 4).deals == 7


@pytest.mark.rule("french-tarot", "11", "the number must be a multiple of 5")
@pytest.mark.rule("french-tarot", "Options", "`deals` / 1 to 120")
def test_where_the_dealer_sits_out_the_deals_are_a_multiple_of_five():
    for deals in (5, 15, 120):
        assert french_tarot.options.complete({"five_player_mode": "dead_dealer", "deals": deals}, 5).deals == deals
    problem = refusals(5, five_player_mode="dead_dealer", deals=12)["deals"]
    assert problem.code == "not-a-match"
    assert "a multiple of 5" in problem.message
    assert french_tarot.options.complete({"deals": 12}, 5).deals == 12


@pytest.mark.rule("french-tarot", "Options", "have no meaning and are rejected")
def test_all_problems_are_listed():
    assert refusals(4, deal_packet_3p=3, call_self=True, deals=500).keys() == {"deal_packet_3p", "call_self", "deals"}


@pytest.mark.rule(
    "french-tarot", "Options", "`bidding` / ", "`minimum_contract` / ", "`petit_sec` / ", "`chien_excluded` / ",
    "`excuse_last_trick` / ", "`excuse_wins_last_trick` / ", "`poignee_scale` / ", "`poignee_timing` / ",
    "`misere` / ", "`petit_chelem` / ", "`score_rounding` / ", "`direction` / ",
)  # fmt: skip
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_choices_are_of_every_option_and_the_defaults_are_among_them(players):
    choices = french_tarot.options.choices(players)
    assert [*choices] == [field.name for field in fields(Options)]
    for name, choice in choices.items():
        assert choice.default in choice.values
        assert getattr(french_tarot.options.complete({}, players), name) == choice.default


def test_a_type_of_an_option_has_the_values_that_can_be_chosen_somewhere():
    for field in fields_of(Options):
        tp = field.type.value if isinstance(field.type, OrNone) else field.type
        if isinstance(tp, OneOf):
            somewhere = {
                value for players in (3, 4, 5) for value in french_tarot.options.choices(players)[field.name].values
            }
            assert somewhere - {None} == {*tp.values}
    assert get_args(Options.__annotations__["misere"]) == ("off", "on")


@pytest.mark.rule("french-tarot", "Options", "`excuse_wins_last_trick` / ")
def test_the_side_that_announced_is_chosen_only_where_the_taker_can_have_a_partner():
    side = {"excuse_wins_last_trick": "announcing_side"}
    assert french_tarot.options.complete(side, 5).excuse_wins_last_trick == "announcing_side"
    for players in (3, 4):
        problem = refusals(players, **side)["excuse_wins_last_trick"]
        assert problem.code == "five-players-only"
        assert '["announced_only", "any_slam", "never"]' in problem.message
    sitting_out = refusals(5, five_player_mode="dead_dealer", **side)["excuse_wins_last_trick"]
    assert 'five_player_mode "call_king", not "dead_dealer"' in sitting_out.message


def test_a_value_of_another_type_is_refused_with_the_possible_ones_as_json():
    (problem,) = refusals(4, score_rounding=10).values()
    assert problem.message == 'score_rounding: 10 is not one of: "none", "5", "10"'
    (problem,) = refusals(3, deal_packet_3p="3").values()
    assert problem.message == 'deal_packet_3p: "3" is not one of: 4, 3'
