"""The variants that the laws are held against, and the combinations that ``make combinations`` plays."""

import itertools

import pytest

from domain.field_types import fields_of
from domain.registry import RULESETS
from tests.combinations import combinations, failures, is_closed, laws
from tests.domain.changed_rules import changed_rules
from tests.domain.play import TABLES, VARIANTS, played


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_every_value_of_every_option_occurs_with_every_number_of_players(ruleset_id, seats):
    ruleset = RULESETS[ruleset_id]
    tried = [played(*table[:2], 0, table[2])[0].game.options for table in VARIANTS if table[:2] == (ruleset_id, seats)]
    for option in fields_of(ruleset.options.shape):
        if is_closed(option):
            assert {getattr(options, option.name) for options in tried} == {
                *ruleset.options.choices(seats)[option.key].values
            }


@pytest.mark.parametrize(("seats", "count"), [(2, 32), (3, 64), (4, 96), (5, 192), (6, 64)])
def test_all_allowed_combinations_of_le_plateau_are_played(seats, count):
    """By the table of the rules: 2 editions, 4 boards, 2 scorings, 2 ways with void hands, and what goes with them."""
    listed = [*combinations("le-plateau", seats)]
    assert len(listed) == len(set(listed)) == count


FREE = ("bidding", "petit_sec", "excuse_wins_last_trick", "poignee_scale", "misere", "score_rounding", "direction")
"""Options of French Tarot that go with whatever there is."""


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_of_the_many_combinations_of_french_tarot_so_many_are_played_that_all_pairs_occur(seats):
    listed = [{*combination.split()} for combination in combinations("french-tarot", seats)]
    assert len(listed) < 60
    values = {part for chosen in listed for part in chosen}
    for one, other in itertools.combinations(sorted(part for part in values if part.split("=")[0] in FREE), 2):
        if one.split("=")[0] != other.split("=")[0]:
            assert any({one, other} <= chosen for chosen in listed), (one, other)
    if seats == 5:
        sitting_out = [chosen for chosen in listed if "five_player_mode=dead_dealer" in chosen]
        assert sitting_out
        assert not [chosen for chosen in sitting_out if any(part.startswith("call_self") for part in chosen)]


def test_all_switches_of_plateau_are_combined():
    listed = [*combinations("plateau", 2)]
    assert len(listed) == len(set(listed)) == 8
    assert "onboard_under_enemy=false merged_strength=true refused_tender_keeps_turn=false" in listed


def test_all_combinations_of_plute_are_played():
    """By the table of the rules: 2 orders of jokers, 3 ways to stop, 2 owners of Low, and 4 switches, all together."""
    listed = [*combinations("plute", 6)]
    assert len(listed) == len(set(listed)) == 2 * 3 * 2 * 2**4


def test_a_combination_that_keeps_the_laws_passes_and_one_that_breaks_them_is_told():
    table = ("le-plateau", 2, "edition=2022 board=random_deal")
    assert failures(table, 0) == []
    with changed_rules(RULESETS["le-plateau"], project=lambda _state, _viewer: {"cards": ["RH"]}):
        told = failures(table, 0)
    assert any("test_a_view_holds_the_cards_its_viewer_knows_and_no_others" in wrong for wrong in told)


def test_the_combinations_are_held_against_the_laws_of_every_kind():
    names = {law.__name__ for law in laws()}
    assert names >= {
        "test_folding_the_log_gives_the_game_at_every_request",
        "test_every_listed_action_is_accepted",
        "test_an_action_is_accepted_only_if_it_is_listed",
        "test_every_card_lies_in_exactly_one_place_at_every_step",
        "test_a_sampled_world_has_the_same_view_and_is_mostly_another_one",
        "test_the_log_of_another_world_looks_the_same_and_its_past_was_legal",
    }
