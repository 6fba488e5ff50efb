"""Loads a state of the rules in the play as an array for ``kernel``, with every option of the play."""

from domain.plute.deck import JOKERS, TRUMP_SUITS
from domain.plute.naming import are_marked
from domain.plute.state import State, contract_of
from workers.bots.drawing import SEED
from workers.bots.plute import cards as c
from workers.bots.plute import kernel as k


def begun(state: State, seed: int) -> list[int]:
    """Return the cards of a hand before the auction, as they were dealt: no contract, and no trump (-1)."""
    game = [0] * k.LENGTH
    game[SEED] = seed or 1
    game[k.TRUMP] = game[k.LOW] = game[k.LOW_COMING] = -1
    game[k.HIGH_JOKER] = c.NUMBER[JOKERS[0]] if are_marked(state.options) else -1
    game[k.LOW_IS_TAKEN] = state.options.low == "taker"
    for seat, dealt in enumerate(state.hand.dealt):
        game[k.HELD + seat] = c.mask_of(dealt)
    return game


def loaded(state: State, seed: int = 1) -> list[int]:
    """Return a state in which the bidding is over, as an array.

    Before the first card, trump is -1: the seat that plays it sets trump first.
    """
    game, contract, table = begun(state, seed), contract_of(state), state.table
    game[k.BIDDER], game[k.BID], game[k.TURN] = contract.bidder, contract.points, contract.bidder
    if table.trump is not None:
        game[k.TRUMP] = TRUMP_SUITS.index(table.trump)
    for trick in (*(won.cards for won in table.tricks), table.trick):
        for played in trick:
            k.play(game, c.NUMBER[played.card])
    return game
