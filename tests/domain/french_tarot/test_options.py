"""Options: defaults, what goes together, and what is rejected with which words (rules.md, options)."""

import json
from dataclasses import fields

import pytest

from domain.errors import InvalidOptions
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.options import Options

EVERYWHERE = {
    "thrown_in": (None, "count"),
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
    "deals": (12, *range(1, 121)),
}
"""The table of the rules: values, the default first."""

FOR_FIVE = {
    "call_self": (True, False),
    "called_suit_lead": ("only_called_card", "free"),
    "called_suit_ban_after_excuse": (False, True),
    "five_player_split": ("two_thirds_one_third", "equal"),
    "poignee_5p_triple": (13, 15),
    "five_player_mode": ("call_king", "dead_dealer"),
}
HALF_POINTS = {"half_point_short": ("lost", "zero", "won")}
OF = {
    3: EVERYWHERE | HALF_POINTS | {"deal_packet_3p": (4, 3)},
    4: EVERYWHERE,
    5: EVERYWHERE | FOR_FIVE | HALF_POINTS | {
        "excuse_wins_last_trick": ("announced_only", "announcing_side", "any_slam", "never"),
        "deals": (15, *range(1, 121)),
    },
}  # fmt: skip


def refusals(players, **given):
    with pytest.raises(InvalidOptions) as refused:
        french_tarot.options.complete(given, players)
    return {problem.option: problem for problem in refused.value.problems}


@pytest.mark.rule("french-tarot", "11", "an agreed number of deals", "12 by default, or 15")
@pytest.mark.rule(
    "french-tarot", "Options", "`bidding` / ", "`minimum_contract` / ", "`petit_sec` / ", "`chien_excluded` / ",
    "`excuse_last_trick` / ", "`excuse_wins_last_trick` / ", "`poignee_scale` / ", "`poignee_timing` / ",
    "`misere` / ", "`petit_chelem` / ", "`score_rounding` / ", "`thrown_in` / ", "`direction` / ", "`call_self` / ",
    "`called_suit_lead` / ", "`five_player_split` / ", "`five_player_mode` / ", "`poignee_5p_triple` / ",
    "`deals` / 1 to 120", "`first_dealer` / ",
)  # fmt: skip
@pytest.mark.parametrize("players", OF)
def test_the_choices_are_the_values_of_the_rules_and_every_one_is_accepted(players):
    table = OF[players] | {"first_dealer": (None, *range(players))}
    defaults, choices = french_tarot.options.complete({}, players), french_tarot.options.choices(players)
    assert [*choices] == [field.name for field in fields(Options)]
    for name, choice in choices.items():
        values = table.get(name, (None,))
        assert {*choice.values} - {None} == {*values} - {None}
        assert getattr(defaults, name) == choice.default == values[0]
        for value in values:
            assert getattr(french_tarot.options.complete({name: value}, players), name) == value


SITTING_OUT = {"five_player_mode": "dead_dealer"}
OF_FIVE = [(name, value) for name, values in FOR_FIVE.items() for value in values]


@pytest.mark.rule(
    "french-tarot", "Options", "`deal_packet_3p` / ", "`half_point_short` / ", "have no meaning and are rejected",
    "`called_suit_ban_after_excuse` / ",
)  # fmt: skip
@pytest.mark.rule("french-tarot", "11", "the number must be a multiple of 5")
@pytest.mark.parametrize(
    ("players", "beside", "name", "value", "code", "told"),
    [
        *((3, {}, *each, "five-players-only", "for 5 players") for each in OF_FIVE),
        *((4, {}, *each, "five-players-only", "for 5 players") for each in OF_FIVE),
        *((5, SITTING_OUT, *each, None, '"call_king", not "dead_dealer"') for each in OF_FIVE[:-2]),
        (5, SITTING_OUT, "half_point_short", "lost", None, '"call_king", not "dead_dealer"'),
        (5, SITTING_OUT, "excuse_wins_last_trick", "announcing_side", None, '"call_king", not "dead_dealer"'),
        (5, SITTING_OUT, "deals", 12, "not-a-match", "a multiple of 5"),
        (5, {"called_suit_lead": "free"}, "called_suit_ban_after_excuse", True, "no-such-ban",
         'called_suit_lead "only_called_card", not "free"'),
        (4, {}, "excuse_wins_last_trick", "announcing_side", "five-players-only",
         '["announced_only", "any_slam", "never"]'),
        (4, {}, "deal_packet_3p", 4, "three-players-only", "4 players"),
        (5, {}, "deal_packet_3p", 3, "three-players-only", "5 players"),
        (3, {}, "deal_packet_3p", "3", None, 'deal_packet_3p: "3" is not one of: 4, 3'),
        (4, {}, "half_point_short", "won", "no-half-points", "4 players"),
        (4, {}, "score_rounding", 10, None, 'score_rounding: 10 is not one of: "none", "5", "10"'),
        (4, {}, "deals", 0, None, "deals"),
        (4, {}, "deals", 121, None, "deals"),
        (3, {}, "first_dealer", 3, None, "first_dealer"),
    ],
)  # fmt: skip
def test_a_value_that_has_no_meaning_there_is_refused(players, beside, name, value, code, told):
    (problem,) = refusals(players, **beside, **{name: value}).values()
    assert problem.option == name
    assert code in (problem.code, None)
    for words in (name, json.dumps(value), told):
        assert words in problem.message


def test_where_the_dealer_sits_out_the_options_of_the_partner_are_none():
    chosen = french_tarot.options.complete(SITTING_OUT | {"deals": 120}, 5)
    assert {getattr(chosen, name) for name in (*FOR_FIVE, "half_point_short")} == {None, "dead_dealer"}


def test_all_problems_are_listed():
    assert refusals(4, deal_packet_3p=3, call_self=True, deals=500).keys() == {"deal_packet_3p", "call_self", "deals"}
