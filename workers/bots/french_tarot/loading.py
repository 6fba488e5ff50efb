"""Loads a state of the rules in the play as an array for ``kernel``; no other module of French Tarot does so.

Every table and every option of the play is loaded; only the end of the match is left out.
"""

from domain.french_tarot import play
from domain.french_tarot.partners import partner_of
from domain.french_tarot.scoring import MISERE, POIGNEES
from domain.french_tarot.state import State, contract_of, shape_of
from domain.table import Seat
from workers.bots.drawing import SEED
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import kernel as k

_EXCUSE_WINS = {
    "never": k.NO_SIDE,
    "any_slam": k.EITHER_SIDE,
    "announced_only": k.TAKER_ONLY,
    "announcing_side": k.ATTACK_ONLY,
}
_SHORT = {"lost": k.LOST, "zero": k.NOTHING, "won": k.MADE, None: k.LOST}
_STEP = {"none": 1, "5": 5, "10": 10}
_SLAM = {"slam": 1, "petit_chelem": 2}
_SUITS = (1 << c.PETIT) - 1


def loaded(state: State, seed: int = 1) -> list[int]:
    """Return a state in which the play has begun, as an array."""
    contract, deal = contract_of(state), state.deal
    aside = {"garde_sans": deal.chien, "garde_contre": ()}.get(contract.contract, deal.ecart)
    return loaded_with(state, partner_of(state), c.mask_of(aside), seed)


def loaded_with(state: State, partner: Seat | None, aside: int, seed: int = 1) -> list[int]:
    """Return a state as an array, with this seat as the taker's partner, and these cards counted for the attack."""
    game = [0] * k.LENGTH
    _load_deal(game, state, partner, seed)
    game[k.HALVES] = sum(c.HALVES[card] for card in c.numbers_of(aside))
    game[k.OUDLERS] = (aside & c.OUDLERS).bit_count()
    _load_options(game, state)
    _load_cards(game, state)
    return game


def _load_deal(game: list[int], state: State, partner: Seat | None, seed: int) -> None:
    deal, contract = state.deal, contract_of(state)
    place = deal.players.index
    game[k.PLAYERS], game[k.SIZE], game[SEED] = len(deal.players), shape_of(state).hand, seed or 1
    game[k.LOOSE] = 1 << c.EXCUSE - c.PETIT | (deal.imprenable is not None)
    game[k.TAKER], game[k.PARTNER] = place(contract.taker), -1 if partner is None else place(partner)
    game[k.ATTACK] = 1 << game[k.TAKER] | (0 if partner is None else 1 << game[k.PARTNER])
    game[k.MULTIPLIER], game[k.SLAM] = contract.multiplier, _SLAM.get(deal.slam or "", 0)
    game[k.POIGNEES] = sum(POIGNEES[state.options.poignee_scale][shown.level] for shown in deal.poignees)
    for misere in deal.miseres:
        for player in range(len(deal.players)):
            is_own = player == place(misere.seat)
            game[k.MISERES + player] += MISERE * (len(deal.players) - 1) if is_own else -MISERE


def _load_options(game: list[int], state: State) -> None:
    options, called, slam = state.options, state.deal.called, state.deal.slam
    wins = options.excuse_wins_last_trick
    game[k.EXCUSE_WINS] = _EXCUSE_WINS[wins] if slam == "slam" or wins == "any_slam" else k.NO_SIDE
    game[k.EXCUSE_TO_WINNER] = options.excuse_last_trick == "goes_to_trick_winner"
    game[k.SECRET] = -1 if called is None else c.NUMBER[called.card]
    game[k.BANNED] = -1 if called is None or options.called_suit_lead == "free" else c.NUMBER[called.card]
    game[k.IS_BANNED_AFTER_EXCUSE] = bool(options.called_suit_ban_after_excuse)
    game[k.SHORT], game[k.STEP] = _SHORT[options.half_point_short], _STEP[options.score_rounding]
    game[k.SPLITS_EQUALLY] = options.five_player_split == "equal"


def _load_cards(game: list[int], state: State) -> None:
    """Deal the hands as they were at the first lead, and play the tricks again, including the one on the table."""
    players, table = state.deal.players, state.table
    held = [c.mask_of(table.held[seat]) for seat in players]
    tricks = (*(won.cards for won in table.tricks), table.trick)
    for played in (card for cards in tricks for card in cards):
        held[players.index(played.seat)] |= 1 << c.NUMBER[played.card]
    for player, cards in enumerate(held):
        game[k.SUIT_CARDS + player], game[k.TRUMP_CARDS + player] = cards & _SUITS, cards >> c.PETIT
    game[k.LED] = game[k.BEST] = -1
    first = tricks[0][0].seat if tricks[0] else play.leader(state)
    game[k.TURN] = players.index(first)
    for played in (card for cards in tricks for card in cards):
        k.play(game, c.NUMBER[played.card])


def bases_of(state: State) -> list[int]:
    """Return arrays one after the other, with no cards aside: without a partner, then with each player as the partner.

    If no partner is secret, only the first one is needed.
    """
    called = state.deal.called
    if called is None or called.revealed:
        return loaded_with(state, partner_of(state), 0)
    taker = contract_of(state).taker
    partners = [None, *(None if seat == taker else seat for seat in state.deal.players)]
    return [word for partner in partners for word in loaded_with(state, partner, 0)]
