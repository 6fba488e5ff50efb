"""The bot greedy for Plute plays as people who know the game expect."""

from domain.plute import RULESET
from domain.plute.actions import Claim, Play
from domain.plute.state import Spoken
from domain.recording import replaced
from domain.serialization import changed
from tests.support.random_games import playing
from workers.bots.chances import SURE
from workers.bots.plute import bidding, greedy
from workers.bots.plute import cards as c
from workers.bots.plute.knowledge import Known
from workers.bots.plute.playing import value_of
from workers.bots.ranking import best_first

SPADES = 0


def known(hand, trick=(), *, unseen=None, low_is_taken=False):
    """Return what seat 0 knows with spades as trump, when any unseen card can be anywhere."""
    mine, table = c.mask_of(hand.split()), tuple((seat, c.NUMBER[card]) for seat, card in trick)
    out = c.PACK & ~mine & ~sum(1 << number for _, number in table) if unseen is None else c.mask_of(unseen.split())
    return Known(
        seat=0,
        order=c.ORDERS[SPADES],
        hand=mine,
        unseen=out,
        may=[0 if seat == 0 else out for seat in range(6)],
        miss=[SURE * 4 // 5] * 6,
        trick=table,
        after=tuple(range(1, 6 - len(table))),
        others=(1, 2, 3, 4, 5),
        low_is_taken=low_is_taken,
    )


def best(known, *cards):
    """Return the best of these cards to play."""
    return max(cards, key=lambda card: value_of(known, c.NUMBER[card]))


def after(*cards):
    """Return a full trick but for the card of seat 0, led by seat 1."""
    return tuple(enumerate(cards, start=1))


def test_it_brings_points_home_with_a_partner_and_hides_them_from_opponents():
    hand = "JS JC X1 10S 3S"
    ours, theirs = after("4S", "AS", "5S", "6S", "7S"), after("AS", "4S", "5S", "6S", "7S")
    assert best(known(hand, ours), "10S", "3S") == "10S"
    for point in ("JS", "JC", "X1"):
        assert best(known(hand, ours), point, "3S") == point
        assert best(known(hand, theirs), point, "3S") == "3S"


def test_it_wins_a_ten_and_spends_no_trump_on_a_poor_trick():
    hand = "4S 9H 3H"
    assert best(known(hand, after("5D", "6D", "10D", "7D", "8D")), "4S", "3H") == "4S"
    assert best(known(hand, after("5D", "2D", "3D", "4D", "8D")), "4S", "3H") == "3H"


def test_it_leads_the_ace_of_trump_while_points_are_out():
    assert best(known("AS 5S 4S 3H 2H 4D 5D 6C 7C"), "AS", "5S", "3H") == "AS"


def test_it_keeps_the_deuce_from_opponents_where_it_must_be_brought_home():
    lost = after("AS", "4S", "5S", "6S", "7S")
    assert best(known("2S 3S", lost, low_is_taken=True), "2S", "3S") == "3S"
    assert best(known("2S 3S", lost), "2S", "3S") == "2S"


def test_it_claims_as_soon_as_it_can():
    claims = 0
    for step in playing("plute", 6, 2):
        for seat in step.game.pending:
            view = RULESET.project(step.game.state, seat)
            if view.phase == "play" and view.may_claim:
                assert greedy.weighed(step.game.options, view, seat) == [(greedy.FIRST, Claim())]
                claims += 1
    assert claims


def test_better_hands_bid_more():
    counts = range(80)
    for points in (4, 5, 6, 7):
        chances = [bidding.chance_of(points, count) for count in counts]
        assert chances == sorted(chances)
        assert chances[0] < SURE // 2 < chances[-1]
    assert all(bidding.chance_of(4, count) >= bidding.chance_of(5, count) for count in counts)


def test_it_does_not_overbid_a_partner_as_it_overbids_an_opponent():
    step = next(step for step in playing("plute", 6, 0) if step.game.status == "active")
    seat = min(step.game.pending)
    bid_by = {
        other: changed(step.game.state, hand=changed(step.game.state.hand, bids=(Spoken((seat + other) % 6, 4),)))
        for other in (1, 2)
    }
    enough = {
        other: greedy.chance_needed(step.game.options, RULESET.project(state, seat), seat)
        for other, state in bid_by.items()
    }
    assert enough[2] > enough[1]


def test_it_names_a_long_suit_with_an_ace_rather_than_a_short_one():
    step = next(
        step for step in playing("plute", 6, 0) if step.game.status == "active" and step.game.state.phase == "play"
    )
    (seat,) = step.game.waiting_for
    hand = ("2S", "AS", "KS", "JS", "5S", "AH", "3D", "4C", "X1")
    held = replaced(step.game.state.table.held, seat, hand)
    state = changed(step.game.state, table=changed(step.game.state.table, held=held))
    _, action = best_first(greedy.weighed(step.game.options, RULESET.project(state, seat), seat))[0]
    assert action in (Play("AS"), Play("KS"))  # with both, they are equals
