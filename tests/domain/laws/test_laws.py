"""Every built-in ruleset keeps the laws of ``domain.laws``; and laws of games that no ruleset has a part in.

``make test`` checks every law for every ruleset in a sample of the games. ``make long`` checks it in all of them, so
with every number of players and every variant.

The variants that the laws check, and the combinations that ``make combinations`` plays.
"""

import itertools
from collections.abc import Iterator, Sequence
from itertools import groupby

import pytest

from domain.errors import InvalidOptions
from domain.events import Clock
from domain.game import history, seating
from domain.laws import (
    LAWS,
    Case,
    cases,
    deal_secrets,
    fair_draws,
    full_knowledge,
    hidden_cards,
    length,
    non_interference,
    replay,
    reprs,
)
from domain.laws.hostile import VALUES
from domain.registry import BUILT_IN, RULESETS
from tests.combinations import combinations, failures, laws
from tests.domain.laws.facts import facts_of
from tests.domain.laws.rules import RULES
from tests.support.changed_rules import changed_rules
from tests.support.sampling import GAMES

EVERY_CASE = [case for ruleset in BUILT_IN for case in cases(ruleset, facts_of(ruleset.id), max(1, int(GAMES)))]


OF_SECRETS = {each.__name__ for each in (hidden_cards, full_knowledge, non_interference, reprs, deal_secrets)}
SLOW = {
    replay.the_same_seed_plays_the_same_games_under_every_hash_seed: "plute",
    length.a_game_of_the_longest_options_has_room_in_a_log: "le-plateau",
    fair_draws.no_card_lies_too_often_in_one_place_in_drawn_worlds: "french-tarot",
}
"""Laws that take many seconds: make long checks them for the other rulesets."""


def sample(every_case: Sequence[Case]) -> Iterator[Case]:
    """Choose for every law and ruleset one game with the fewest, the most or a number of players between.

    Laws of hidden information are checked with all three. The laws take turns with the numbers and the variants, so
    that each variant is played under many laws.
    """
    for (law, ruleset), of_ruleset in groupby(every_case, lambda case: (case.law, case.table.ruleset)):
        groups = [[*games] for _, games in groupby(of_ruleset, lambda case: case.table.seats)]
        numbers = [*{id(each): each for each in (groups[0], groups[len(groups) // 2], groups[-1])}.values()]
        turn = LAWS.index(law)
        chosen = numbers if law.check.__module__ in OF_SECRETS else [numbers[turn % len(numbers)]]
        for place, group in enumerate(chosen if SLOW.get(law, ruleset.id) == ruleset.id else []):
            kinds = [[*games] for _, games in groupby(group, lambda case: case.table)]
            yield from kinds[(turn // 3 + place) % len(kinds)][:1]


CHECKED = sorted(EVERY_CASE if GAMES >= 1 else sample(EVERY_CASE), key=lambda case: str(case.table))
"""In the order of their tables, because each process plays a game once."""
AT_TABLES = [(law, table, [*group]) for (law, table), group in groupby(CHECKED, lambda case: (case.law, case.table))]


@pytest.mark.parametrize(
    "of_one_table", [pytest.param(group, id=f"{law.name}: {table}") for law, table, group in AT_TABLES]
)
def test_a_ruleset_keeps_its_laws(of_one_table):
    """The games of a table are one test; the failure names the seed."""
    for case in of_one_table:
        case.check()


def test_the_sample_has_every_law_every_ruleset_and_every_variant():
    sampled = [*sample(EVERY_CASE)]
    laws = {(law, each.id) for law in LAWS for each in BUILT_IN if SLOW.get(law, each.id) == each.id}
    assert {(case.law, case.table.ruleset.id) for case in sampled} == laws
    numbers = {(case.table.ruleset.id, case.table.seats) for case in sampled}
    assert len(numbers) == 3 + 1 + 3 + 1
    of_these = {case.table for case in EVERY_CASE if (case.table.ruleset.id, case.table.seats) in numbers}
    assert {case.table for case in sampled} == of_these


def test_every_law_is_checked_for_every_ruleset():
    for ruleset in BUILT_IN:
        assert {case.law for case in cases(ruleset, facts_of(ruleset.id))} == {*LAWS}


def test_a_law_that_holds_a_rule_is_checked_for_the_ruleset():
    for law, held in RULES.items():
        for ruleset_id, *_ in held:
            assert law in {case.law for case in cases(RULESETS[ruleset_id], facts_of(ruleset_id))}


def test_an_empty_log_folds_to_nothing():
    with pytest.raises(ValueError, match="empty log"):
        history.fold([])


@pytest.mark.parametrize("field", ["per_move", "bank", "increment", "on_timeout", "bot"])
def test_a_clock_of_hostile_values_is_refused(field):
    usual = {"per_move": "P1D", "bank": "P1D", "increment": None, "on_timeout": "bot", "bot": "random"}
    ruleset = RULESETS["plateau"]
    for value in VALUES[1:]:
        if field != "bot" or type(value) is not str:
            new = seating.NewGame(
                id="gm_1",
                ruleset=ruleset,
                options=ruleset.options.complete({}, 2),
                visibility="public",
                sandbox=False,
                creator="pl_1",
                sitters=(None, None),
                clock=Clock(**usual | {field: value}),
            )
            with pytest.raises(InvalidOptions):
                seating.create(new, bytes(32))


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
