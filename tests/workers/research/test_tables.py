"""Games without a server: they follow from a seed, go by the rules, and end with their scores."""

import random

import pytest

from domain.errors import IllegalAction, InvalidOptions
from domain.le_plateau.actions import Keep
from domain.registry import RULESETS
from tests.support import tender_ruleset
from tests.support.sampling import TABLES
from tests.workers.research.walking import table_with, walk
from workers.bots import uniform
from workers.research.tables import NoSuchTable, table


def test_a_table_that_does_not_exist_is_rejected_with_those_that_do():
    with pytest.raises(NoSuchTable, match=r"there is no ruleset 'chess'; the rulesets are: .*le-plateau"):
        table("chess")
    with pytest.raises(NoSuchTable, match="Plute is for 6 players, not 4"):
        table("plute", 4)
    with pytest.raises(NoSuchTable, match="French Tarot is for 3 to 5 players, not 2"):
        table("french-tarot", 2)
    with pytest.raises(InvalidOptions):
        table("plute", options={"win_at": 0})


def test_a_deal_is_the_same_for_the_same_seed_and_another_for_another():
    made = table_with("le-plateau", 3)
    assert made.start(7).state == made.start(7).state
    assert made.start(7).state.hand.dealt != made.start(8).state.hand.dealt


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_a_single_deal_ends_with_scores_that_belong_together(ruleset_id, seats):
    last = walk(ruleset_id, seats, "", 0)[-1]
    assert last.is_over
    assert not last.legal_actions
    assert len(last.scores) == seats
    assert sum(last.scores) == 0
    assert ruleset_id == "plateau" or len(last.state.results) == 1
    with pytest.raises(ValueError, match="the game is over"):
        last.after(None)
    with pytest.raises(ValueError, match="the game is over"):
        last.asked(uniform.think, seed=1)


def test_an_action_that_the_rules_do_not_allow_is_rejected():
    with pytest.raises(IllegalAction):
        table("le-plateau", 3).start(1).after(Keep())


def test_of_many_legal_actions_a_plain_view_has_only_the_number():
    positions = (position for seed in range(20) for position in walk("french-tarot", 3, "", seed))
    position = next(position for position in positions if position.state.phase == "discard")
    legal = position.plain_view(position.seat)["legal_actions"]
    assert legal == {"count": len(position.legal_actions), "actions": None}
    assert "legal_actions" not in position.plain_view((position.seat + 1) % 3)
    assert position.asked(uniform.think, seed=1) in position.legal_actions


def test_a_ruleset_of_another_package_can_be_played(monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    position, rng = table("tender").start(1), random.Random(1)
    acted = []
    while not position.is_over:
        acted.append(position.seat)
        position = position.after(rng.choice(position.legal_actions))
    assert sorted(acted) == [*range(position.table.seats)]
    assert position.scores == tuple(position.outcome.scores)
