"""What a playout of Plute assumes: seats play by what they see and bid as greedy does, and the game is to be won."""

import random

import pytest

from domain.laws.play import active
from domain.plute import RULESET
from domain.plute.actions import Bid
from tests.support.random_games import playing
from tests.support.sampling import part
from workers.bots.plute import auctions, greedy, matches, playouts
from workers.bots.plute import cards as c
from workers.bots.plute import kernel as k
from workers.bots.plute.loading import begun
from workers.bots.ranking import best_first

SPADES = 0


def chosen(hand, trick):
    """Return the card that seat 5 plays to a trick of others, with spades as trump."""
    game = [0] * k.LENGTH
    game[k.BIDDER], game[k.BID], game[k.SEED], game[k.HIGH_JOKER] = 0, 4, 1, -1
    game[k.LOW] = game[k.LOW_COMING] = -1
    table = [c.NUMBER[card] for card in trick.split()]
    for seat, card in enumerate(table):
        game[k.HELD + seat] = 1 << card
    game[k.HELD + 5] = c.mask_of(hand.split())
    others = [card for card in range(54) if not any(game[k.HELD + seat] >> card & 1 for seat in range(6))]
    for place, card in enumerate(others[: 5 * (len(hand.split()) - 1)]):
        game[k.HELD + place % 5] |= 1 << card
    for card in table:
        k.play(game, card)
    k.list_legal(game)
    return c.CARD[playouts.best_by_view(game)]


@pytest.mark.parametrize("point", ["JS", "JC", "X1", "10S"])
def test_a_seat_brings_points_home_with_a_partner_and_hides_them_from_opponents(point):
    assert chosen(f"{point} 3S", "4S AS 5S 6S 7S") == point
    assert chosen(f"{point} 3S", "AS 4S 5S 6S 7S") == "3S"


def test_a_seat_wins_a_ten_as_low_as_it_can_and_spends_no_trump_on_a_poor_trick():
    assert chosen("KS 4S 3H", "10D 5D 6D 7D 8D") == "4S"
    assert chosen("KS 4S 3H", "5D 6D 4D 7D 8D") == "3H"


def test_the_first_card_is_of_the_suit_that_it_names():
    game = [0] * k.LENGTH
    game[k.HELD], game[k.TRUMP] = c.mask_of(["AS", "3S", "AH", "KH", "JC", "X1"]), SPADES
    assert k.list_legal(game) == 4
    assert game[k.LEGAL] == c.mask_of(["AS", "3S", "JC", "X1"])


def test_seats_of_an_auction_bid_as_greedy_does_before_anything_is_won():
    bids, passes = 0, 0
    for seed in range(part(40)):
        for game in active(list(playing("plute", 6, seed))):
            seat, state = min(game.pending), game.state
            weighed = greedy.weighed(game.options, RULESET.project(state, seat), seat)
            if state.results or state.phase != "bid" or len(weighed) < 2:
                continue
            _, best = best_first(weighed)[0]
            lowest = min(action.points for _, action in weighed if isinstance(action, Bid))
            world = begun(state, 1)
            for spoken in state.hand.bids:
                if spoken.points:
                    world[k.BID], world[k.BIDDER] = spoken.points, spoken.seat
            assert auctions.dares(world, seat, lowest) == isinstance(best, Bid)
            bids, passes = bids + isinstance(best, Bid), passes + (not isinstance(best, Bid))
    assert bids
    assert passes


def test_a_stuck_dealer_bids_and_the_bidder_has_the_turn_and_names_its_best_suit():
    game = [0] * k.LENGTH
    cards = list(range(54))
    random.Random(1).shuffle(cards)
    for seat in range(6):
        game[k.HELD + seat] = sum(1 << card for card in sorted(cards)[seat::6] if card % 13 < 8)
    auctions.bid_out(game, [3, 0, 0])
    assert (game[k.BID], game[k.BIDDER], game[k.TURN]) == (4, 3, 3)
    assert game[k.TRUMP] == auctions.best_suit(game[k.HELD + 3], 0)


def test_chances_to_win_of_both_teams_are_one_and_rise_with_every_bid_made():
    for made in range(1, 4):
        for lost in range(1, 4):
            both = matches.chance_to_win(made, lost, 2, 3) + matches.chance_to_win(2, 3, made, lost)
            assert abs(both - matches.CERTAIN) < 64
            worths = matches.worths_of(made, lost, 2, 3)
            assert worths[auctions.MADE] > worths[auctions.SET]
            assert worths[auctions.SET_BY_OTHERS] > worths[auctions.MADE_BY_OTHERS]
    assert matches.worths_of(1, 1, 3, 3)[:2] == [matches.CERTAIN, 0]
