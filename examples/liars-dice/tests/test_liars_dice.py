"""Liar's Dice keeps the laws of every ruleset; and the behaviours that are its own."""

from dataclasses import replace

import pytest
from liars_dice import RULESET
from liars_dice.nouns import Bid, BidChallenged, BidMade, Challenge, Cup, DiceRolled, evolve

from domain.chance import Chance
from domain.errors import IllegalAction
from domain.laws import Facts, cases

CHANCE = Chance(bytes(32), "gm_1", (None, None, None))


def known_after(known, event, viewer):
    """Each player sees their own dice; a new roll makes the old ones worthless."""
    if isinstance(event, DiceRolled):
        return frozenset(code(cup.seat, cup.dice) for cup in event.cups if cup.seat == viewer)
    return known


def named_after(named, event, _viewer, _game):
    if event["type"] == "dice_rolled":
        return frozenset(code(cup["seat"], cup["dice"]) for cup in event["data"]["cups"] if "dice" in cup)
    return named


def shown_by_view(view, _game):
    return frozenset(code(cup.seat, cup.dice) for cup in view.cups if cup.dice is not None)


def code(seat, dice):
    return f"{seat}: {' '.join(map(str, dice))}"


def redealt(events, state):
    """The dice are the only hidden thing."""
    return [
        replace(event, cups=state.cups) if isinstance(event, DiceRolled) and state.cups else event for event in events
    ]


FACTS = Facts(
    known_after=known_after,
    named_after=named_after,
    shown_by_view=shown_by_view,
    is_deal=lambda event: isinstance(event, DiceRolled),
    redealt=redealt,
    short={"dice": 2},
)


@pytest.mark.parametrize("case", cases(RULESET, FACTS), ids=str)
def test_liars_dice_keeps_the_laws(case):
    case.check()


def table(*dice, bids=(), **options):
    """Three players with these dice, after these bids; seat 0 starts."""
    chosen = RULESET.options.complete(options, 3)
    cups = tuple(Cup(seat, len(each), each) for seat, each in enumerate(dice) if each)
    made = tuple(BidMade(seat, count, face) for seat, count, face in bids)
    return replace(RULESET.setup(chosen, 3), left=tuple(map(len, dice)), round=1, cups=cups, bids=made)


def challenged(state, seat):
    """Lift the cups after a challenge; return the event and the state after it."""
    state = evolve(state, BidChallenged(seat))
    (event,) = RULESET.settle(state, CHANCE)
    return event, evolve(state, event)


def refusal(state, seat, action):
    with pytest.raises(IllegalAction) as refused:
        RULESET.decide(state, seat, action)
    return refused.value.code


def test_a_bid_names_more_dice_or_a_higher_face():
    state = table((1, 2), (3, 4), (5, 6), bids=[(0, 2, 4)])
    assert Bid(2, 5) in RULESET.legal_actions(state, 1)
    assert Bid(3, 2) in RULESET.legal_actions(state, 1)
    assert refusal(state, 1, Bid(2, 4)) == refusal(state, 1, Bid(1, 6)) == "bid-too-low"
    assert refusal(state, 1, Bid(7, 4)) == "no-such-count"


def test_ones_are_wild_and_cannot_be_bid_on_unless_agreed_otherwise():
    dice = ((1, 2), (1, 4), (2, 6))
    assert challenged(table(*dice, bids=[(0, 4, 2)]), 1)[0].matching == 4
    assert challenged(table(*dice, bids=[(0, 4, 2)], wild_ones=False), 1)[0].matching == 2
    assert refusal(table(*dice), 0, Bid(1, 1)) == "ones-are-wild"
    assert RULESET.decide(table(*dice, wild_ones=False), 0, Bid(1, 1)) == [BidMade(0, 1, 1)]


def test_there_is_nothing_to_challenge_before_the_first_bid():
    assert refusal(table((2,), (3,), (4,)), 0, Challenge()) == "nothing-to-challenge"


@pytest.mark.parametrize(("count", "loser"), [(1, 1), (2, 1), (3, 0)])
def test_a_challenger_loses_a_die_to_a_bid_that_holds_and_the_bidder_to_one_that_does_not(count, loser):
    event, after = challenged(table((4, 5), (4, 6), (2, 2), bids=[(0, count, 4)]), 1)
    assert (event.loser, event.next_starter) == (loser, loser)
    assert after.left[loser] == 1


def test_who_has_lost_the_last_die_is_out_and_the_next_player_starts():
    event, after = challenged(table((4,), (5, 5), (6,), bids=[(0, 2, 4)]), 1)
    assert (event.loser, event.next_starter, after.left) == (0, 1, (0, 2, 1))
    (roll,) = RULESET.settle(after, CHANCE)
    assert [cup.seat for cup in roll.cups] == [1, 2]


def test_the_last_player_with_dice_wins():
    _, after = challenged(table((4,), (5, 5), (), bids=[(0, 2, 4)]), 1)
    assert RULESET.settle(after, CHANCE) == []
    assert (RULESET.outcome(after).winners, RULESET.outcome(after).scores) == ((1,), (0, 2, 0))


def test_a_text_hides_what_the_viewer_does_not_see():
    state = table((4, 5), (2, 6), (3,), bids=[(0, 1, 4)])
    assert RULESET.presentation.text(RULESET.project(state, 1)).splitlines()[1:] == [
        "Round 1: seat 2 is to act; seat 1 bid 1 x 4",
        "",
        "  Seat 1: ? ?",
        "> Seat 2: 2 6",
        "  Seat 3: ?",
    ]
