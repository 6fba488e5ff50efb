"""The variants that the laws check, and the combinations that ``make combinations`` plays."""

import itertools

import pytest

from domain.registry import RULESETS
from tests.combinations import combinations, failures, laws
from tests.support.changed_rules import changed_rules


@pytest.mark.rule("le-plateau", "Options", "Every combination that this table does not exclude is allowed")
@pytest.mark.parametrize(("seats", "count"), [(2, 32), (3, 64), (4, 96), (5, 192), (6, 64)])
def test_all_allowed_combinations_of_le_plateau_are_played(seats, count):
    """By the table of the rules: 2 editions, 4 boards, 2 scorings, 2 ways with void hands, and what goes with them."""
    listed = [*combinations("le-plateau", seats)]
    assert len(listed) == len(set(listed)) == count


FREE = ("bidding", "petit_sec", "excuse_wins_last_trick", "poignee_scale", "misere", "score_rounding", "direction")
"""Options of French Tarot that go with whatever there is."""


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_all_pairs_of_options_of_french_tarot_are_played(seats):
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


@pytest.mark.rule(
    "plateau",
    "Options",
    "`onboard_under_enemy` / `true`",
    "`pin` / `any`",
    "`merged_strength` / `false`",
    "`refused_tender_keeps_turn` / `true`",
)
def test_all_switches_of_plateau_are_combined():
    listed = [*combinations("plateau", 2)]
    assert len(listed) == len(set(listed)) == 16
    assert "onboard_under_enemy=false pin=weapons merged_strength=true refused_tender_keeps_turn=false" in listed


def test_all_combinations_of_plute_are_played():
    """By the table of the rules: 2 orders of jokers, 3 ways to stop, 2 owners of Low, and 5 switches, all together."""
    listed = [*combinations("plute", 6)]
    assert len(listed) == len(set(listed)) == 2 * 3 * 2 * 2**5


@pytest.mark.long
def test_a_combination_that_breaks_the_laws_is_told():
    table = ("le-plateau", 2, "edition=2022 board=random_deal")
    assert failures(table, 0) == []
    with changed_rules(RULESETS["le-plateau"], project=lambda _state, _viewer: {"cards": ["RH"]}):
        told = failures(table, 0)
    assert any("a view holds the cards its viewer knows and no others" in wrong for wrong in told)


def test_the_combinations_are_held_against_the_laws_of_every_kind():
    names = {law.name for law in laws("le-plateau")}
    assert names >= {
        "folding the log gives the game at every request",
        "every listed action is accepted",
        "an action is accepted only if it is listed",
        "every card lies in exactly one place at every step",
        "a sampled world has the same view and is mostly another one",
        "the log of another world looks the same and its past was legal",
        "a hostile action is refused by the rules unless it is listed",
    }
