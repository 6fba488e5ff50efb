"""Bids, raises and abdication follow the chances, and the chances follow the cards."""

import random
from statistics import fmean, stdev

import pytest

from domain.le_plateau.actions import Abdicate, Bid, Keep, Pass, RaiseObjective
from domain.le_plateau.bidding import TEAMS
from domain.le_plateau.board import OBJECTIVES
from domain.le_plateau.deck import shape_for
from domain.le_plateau.view import project
from tests.domain.le_plateau import builders
from tests.support.sampling import part
from workers.bots.le_plateau import bidding
from workers.bots.le_plateau.calibration import GREEDY, SEARCHER, SEARCHER_RAISES, chance_of
from workers.bots.le_plateau.prospects import ONE, Tally
from workers.bots.le_plateau.seen import Seen

STRONG = "RS DS RH DH T14 T15 T16 T17 T18 T19 T20 T21 EX"
WEAK = "10S VS 10H VH 10D VD CD 10C VC T2 T7 T8 T9"


def seen_from(state, seat, seed=1):
    """Return what a seat sees of a state."""
    return Seen(state.options, project(state, seat), seat, random.Random(seed))


def weighed_with(cards):
    """Return the bids of forehand, of three players, with a hand, and their values."""
    rest = [card for card in deck_of(3) if card not in cards.split()]
    held = (cards, " ".join(rest[:13]), " ".join(rest[13:26]))
    state = builders.state(3, "bid", held=held, talon=" ".join(rest[26:]))
    return dict(bidding.weighed_bids(seen_from(state, 0)).values)


def deck_of(seats):
    """Return the cards in play."""
    return shape_for(seats).deck


def best(weighed):
    """Return the action with the highest value, the first of equals."""
    return max(weighed, key=weighed.__getitem__)


def test_a_strong_hand_bids_and_a_weak_one_passes():
    strong, weak = weighed_with(STRONG), weighed_with(WEAK)
    assert isinstance(best(strong), Bid)
    assert best(weak) == Pass()
    assert all(strong[bid] > weak[bid] for bid in strong if isinstance(bid, Bid))


def test_a_bid_is_no_better_than_a_lower_one_of_its_kind():
    """The lower one can be raised."""
    strong = weighed_with(STRONG)
    for exchange in (True, False):
        values = [strong[Bid(exchange, objective, "solo")] for objective in OBJECTIVES]
        assert values == sorted(values, reverse=True)
    assert best(strong).objective == "bridge"


def test_the_errors_of_bids_are_the_spread_of_what_other_playouts_say():
    """Of one bid, and of how much one is behind another by playouts of their own."""
    held = ("RS DS RH DH RC RD DD DC CC T14 T18 T20 EX",)
    rest = [card for card in deck_of(3) if card not in held[0].split()]
    held = (*held, " ".join(rest[:13]), " ".join(rest[13:26]))
    state = builders.state(3, "bid", held=held, talon=" ".join(rest[26:]))
    kept, exchanged = (Bid(exchange, "bridge", "solo") for exchange in (False, True))
    found = [bidding.weighed_bids(seen_from(state, 0, seed)) for seed in range(1, 1 + part(128))]
    values = [dict(each.values) for each in found]
    for other in (None, exchanged):
        spread = stdev(value[kept] - (value[other] if other else 0) for value in values)
        assert 0.6 < spread / fmean(each.error(kept, other) for each in found) < 1.6


def test_what_follows_from_no_playout_or_from_the_same_ones_has_no_error():
    shares = {"one": bidding.Share("a chance", 3.0), "other": bidding.Share("a chance", -2.0)}
    found = bidding.Weighed([], 0, shares, {})
    assert found.error(Pass(), None) == 0
    assert found.error("one", "one") == 0
    assert found.error("one", "other") == 5
    assert found.error("one", Pass()) == 3


def raising(partner_hand, *, raised):
    """Return a declarer's question with five players after the partner has raised or not."""
    contract = builders.contract(5, 0, "six_sides" if raised else "bridge", "duo", exchange=False, partners=(1,))
    raises = (builders.Raised(1, "six_sides" if raised else None, abdicated=False),)
    cards = [card for card in deck_of(5) if card not in partner_hand.split()]
    hands = [" ".join(cards[13 * seat : 13 * seat + 13]) for seat in range(4)]
    held = (hands[0], partner_hand, *hands[1:])
    state = builders.state(5, "raise", held=held, contract=contract, raises=raises, talon=" ".join(cards[52:]))
    return dict(bidding.weighed_raises(seen_from(state, 0)).values)


def test_a_declarer_abdicates_rather_than_lose_twice_as_much():
    weighed = raising("6H 6D 3S 3C 4S 4H 4D 4C 5S 5H 5D 5C 6S", raised=True)
    assert best(weighed) == Abdicate()
    assert weighed[Abdicate()] > weighed[Keep()]


def test_a_raise_is_weighed_for_every_higher_objective():
    weighed = raising("RS DS RH DH T14 T15 T16 T17 T18 T19 T20 T21 EX", raised=False)
    assert [*weighed] == [Keep(), *map(RaiseObjective, OBJECTIVES[1:])]


@pytest.mark.parametrize("odds", [GREEDY, SEARCHER, SEARCHER_RAISES])
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_chance_grows_with_the_hands_made(seats, odds):
    for team in TEAMS[seats]:
        chances = [chance_of(odds, seats, team, 0, Tally([made, 0, 0, 0, 0], 48)) for made in range(49)]
        assert chances == sorted(chances)
        assert 0 < chances[0] < ONE // 20
        assert ONE * 4 // 5 < chances[-1] < ONE
