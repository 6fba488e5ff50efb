"""The numbers of actions: every legal action has one spelling, and nothing else can be entered.

Games without a server: they follow from a seed, go by the rules, and end with their scores.
"""

import random
from hashlib import sha256

import pytest

from domain.errors import IllegalAction, InvalidOptions
from domain.le_plateau.actions import Keep
from domain.registry import BUILT_IN, RULESETS
from service.games.projections.representations import MOST_LISTED
from tests.support import tender_ruleset
from tests.support.sampling import TABLES, VARIANTS, part
from tests.workers.research.walking import table_with, walk
from workers.bots import uniform
from workers.research.actions import listed, numbering
from workers.research.tables import NoSuchTable, table

FEW = 300
"""So many legal actions are all reached; of more, some are."""


def reached(choices):
    """List the actions that can be entered, in every way in which they can."""
    if choices.action is not None:
        return [choices.action]
    return [action for number in choices.numbers for action in reached(choices.after(number))]


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats", "variant"), VARIANTS)
def test_exactly_the_legal_actions_can_be_entered_each_in_one_way(ruleset_id, seats, variant):
    numbers, rng = numbering(ruleset_id), random.Random(0)
    for seed in range(part(6)):
        positions = walk(ruleset_id, seats, variant, seed)[:-1]
        for position in rng.sample(positions, min(len(positions), 8)):
            legal = position.legal_actions
            if len(legal) <= FEW:
                assert sorted(map(repr, reached(numbers.choices(position)))) == sorted(map(repr, legal))
            for index in rng.sample(range(len(legal)), min(len(legal), 10)):
                word = numbers.word(legal[index], position.seat, seats)
                assert numbers.action(position, word) == legal[index]


def test_of_hundreds_of_thousands_of_ecarts_every_one_can_be_entered_and_no_other():
    numbers, rng = numbering("french-tarot"), random.Random(1)
    games = [walk("french-tarot", 3, "", seed) for seed in range(part(30))]
    discarding = [position for game in games for position in game if position.state.phase == "discard"]
    assert max(len(position.legal_actions) for position in discarding) > 10_000
    for position in discarding:
        legal = position.legal_actions
        for index in (0, len(legal) - 1, *(rng.randrange(len(legal)) for _ in range(10))):
            assert numbers.action(position, numbers.word(legal[index], position.seat, 3)) == legal[index]
        going = numbers.choices(position)
        while going.action is None:
            going = going.after(rng.choice(going.numbers))
        assert position.after(going.action).state.deal.ecart == going.action.cards


def test_what_cannot_be_entered_is_rejected_with_what_can():
    numbers = numbering("plute")
    position = table("plute").start(1)
    choices = numbers.choices(position)
    claim = numbers.places["claim"]
    with pytest.raises(ValueError, match=rf"{claim} cannot be entered now, but one of \[{numbers.places['pass']}"):
        choices.after(claim)
    assert not choices.after(numbers.places["pass"]).numbers


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.id)
def test_the_actions_that_a_view_lists_have_the_words_of_the_legal_actions(ruleset):
    numbers, seats = numbering(ruleset.id), ruleset.seats[-1]
    few = (position for position in walk(ruleset.id, seats, "", 0) if 0 < len(position.legal_actions) <= MOST_LISTED)
    position = next(few)
    view = position.plain_view(position.seat)
    words = {numbers.word(action, position.seat, seats) for action in position.legal_actions}
    assert {*listed(view)} == words
    assert [*listed(view).values()] == view["legal_actions"]["actions"]
    with pytest.raises(ValueError, match="lists no legal actions"):
        listed(position.plain_view((position.seat + 1) % seats))


def test_a_beginning_is_not_an_action():
    numbers, position = numbering("plateau"), table("plateau").start(1)
    begun = (numbers.places["open a1"], numbers.places["place A r"])
    with pytest.raises(ValueError, match="open a1, place A r is only the beginning of an action"):
        numbers.action(position, begun)


def test_nothing_can_be_entered_once_a_game_is_over():
    over = walk("plute", 6, "", 0)[-1]
    choices = numbering("plute").choices(over)
    assert over.is_over
    assert choices.action is None
    assert not choices.numbers


def test_receivers_of_gifts_are_counted_from_the_giver():
    numbers = numbering("le-plateau")
    positions = (position for seed in range(40) for position in walk("le-plateau", 6, "", seed))
    giving = next(position for position in positions if position.state.phase == "give" and position.seat)
    word = numbers.word(giving.legal_actions[0], giving.seat, 6)
    seats = [gift.seat for gift in giving.legal_actions[0].gifts]
    wanted = [f"receiver {(seat - giving.seat) % 6}" for seat in seats]
    assert [numbers.names[number] for number in word[:2]] == wanted


DIGESTS = {
    "le-plateau": "608377cba7b2",
    "plateau": "405ed04e8f69",
    "french-tarot": "32b4debc7ebd",
    "plute": "6f52ff5682be",
}


@pytest.mark.parametrize("ruleset_id", [ruleset.id for ruleset in BUILT_IN])
def test_numbers_stay_what_they_are_so_that_trained_agents_stay_of_use(ruleset_id):
    names = numbering(ruleset_id).names
    assert len({*names}) == len(names)
    assert sha256("\n".join(names).encode()).hexdigest()[:12] == DIGESTS[ruleset_id]


def test_a_ruleset_without_numbers_is_named():
    with pytest.raises(NoSuchTable, match="the actions of 'liars-dice' have no numbers; those of these rulesets have"):
        numbering("liars-dice")


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
