"""Discards, gifts and announcements by playouts: ``greedy`` proposes, hands played out from there decide.

Each proposal is carried out in the same worlds: the cards leave the declarer's hand, the partners are those whom the
highest cards that it then lacks would find, and the hand is played out.
"""

from collections.abc import Sequence
from typing import Final

from domain.cardplay.cards import Card
from domain.le_plateau.actions import Action, Announce, Exchange, Give
from domain.le_plateau.board import OBJECTIVES
from domain.le_plateau.state import State, contract_of
from domain.le_plateau.talon_exchange import TAKEN_OF_SIX
from domain.le_plateau.turns import clockwise
from workers.bots.compiled import Words, fast, words
from workers.bots.halving import Ranking, halved
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau.loader import load, sets_of
from workers.bots.le_plateau.prospects import PARTNERS, Calling, side_of
from workers.bots.le_plateau.seen import Seen
from workers.bots.policy import Asked

PROPOSALS: Final = 12
"""How many of the best proposals of ``greedy`` are played out."""


def ranked(seen: Seen, actions: Sequence[Action], asked: Asked) -> Ranking:
    """Rank what the declarer can do before the play."""
    board = words(seen.board)

    def trial(alive: Sequence[int]) -> list[int]:
        state, chance = seen.world(), seen.chance()
        world = load(state)
        wanted = 1 << OBJECTIVES.index(contract_of(state).objective)
        return [_reward(seen, state, world, actions[index], (board, wanted, chance)) for index in alive]

    return halved(len(actions), asked.playouts, trial, asked.is_enough)


def _reward(seen: Seen, state: State, world: list[int], action: Action, at: tuple[Words, int, int]) -> int:
    """Return the reward of an action in a world, played out."""
    board, wanted, chance = at
    held = _held_after(seen, state, action)
    after = words(world)
    for seat, cards in enumerate(held):
        if cards is not state.table.held[seat]:
            after[k.HELD + seat], after[k.HELD_TRUMPS + seat] = sets_of(cards, seen.options)
    if seen.seats == 2:  # the tops of piles are held too
        suits, trumps = sets_of((pile.top for pile in state.table.piles[seen.seat] if pile.top), seen.options)
        after[k.HELD + seen.seat] |= suits
        after[k.HELD_TRUMPS + seen.seat] |= trumps
    contract = contract_of(state)
    found = Calling(contract.partners, seen.view.announced, action.card if isinstance(action, Announce) else None)
    team = side_of(seen, held, PARTNERS[contract.team], found)
    fast(k.play_out)(after, chance)
    return int(fast(k.reward_of)(fast(k.made_by)(after, team, board), wanted))


def _held_after(seen: Seen, state: State, action: Action) -> list[tuple[Card, ...]]:
    """Return the hands after an action, and after the cards that are dealt because of it."""
    held = [*state.table.held]
    match action:
        case Exchange(discard):
            held[seen.seat] = tuple(card for card in held[seen.seat] if card not in discard)
        case Give(gifts):
            given = {gift.card for gift in gifts}
            held[seen.seat] = tuple(card for card in held[seen.seat] if card not in given)
            for gift in gifts:
                held[gift.seat] = (*held[gift.seat], gift.card)
            served = {seen.seat, *(gift.seat for gift in gifts)}
            short = [seat for seat in clockwise(seen.seat + 1, seen.seats) if seat not in served]
            for seat, card in zip(short, state.hand.talon[TAKEN_OF_SIX:], strict=True):
                held[seat] = (*held[seat], card)
        case _:
            pass
    return held
