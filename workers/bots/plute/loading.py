"""A state of the rules in the play as an array for ``kernel``: the loader of Plute, for every option of the play."""

from domain.plute.deck import JOKERS, TRUMP_SUITS
from domain.plute.naming import are_marked
from domain.plute.state import State, contract_of
from workers.bots.drawing import SEED
from workers.bots.plute import cards as c
from workers.bots.plute import kernel as k


def loaded(state: State, seed: int = 1) -> list[int]:
    """Return a state, in which the bidding is over, as an array.

    Before the first card, trump is -1: whoever plays it sets trump first.
    """
    game, contract, table = [0] * k.LENGTH, contract_of(state), state.table
    game[k.BIDDER], game[k.BID], game[SEED] = contract.bidder, contract.points, seed or 1
    game[k.TRUMP] = -1 if table.trump is None else TRUMP_SUITS.index(table.trump)
    game[k.HIGH_JOKER] = c.NUMBER[JOKERS[0]] if are_marked(state.options) else -1
    game[k.LOW_IS_TAKEN] = state.options.low == "taker"
    game[k.LOW] = game[k.LOW_COMING] = -1
    game[k.TURN] = contract.bidder
    tricks = (*(won.cards for won in table.tricks), table.trick)
    for seat, held in enumerate(table.held):
        game[k.HELD + seat] = c.mask_of(held)
    for played in (card for cards in tricks for card in cards):
        game[k.HELD + played.seat] |= 1 << c.NUMBER[played.card]
    for played in (card for cards in tricks for card in cards):
        k.play(game, c.NUMBER[played.card])
    return game
