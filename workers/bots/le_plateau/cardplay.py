"""The cards that ``greedy`` leads and follows with: the card with the highest value (``reckoning``)."""

from domain.le_plateau.actions import Action, Play
from domain.le_plateau.state import Contract, contract_of
from workers.bots.compiled import fast, words
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau import reckoning as r
from workers.bots.le_plateau.loader import bits_of, cards_of, load
from workers.bots.le_plateau.seen import Seen
from workers.bots.le_plateau.worth import importance, worths

SCALE = r.ONE << 4
"""Values are sixteenths of a part of 1,024."""


def weighed_cards(seen: Seen) -> list[tuple[Action, int]]:
    """Return the legal cards with their values; the least powerful of equals comes first."""
    state = seen.world()
    world = words(load(state))
    suits = k.legal_suits(world)
    cards = cards_of(suits, k.legal_trumps(world, suits))
    if len(cards) == 1:
        return [(Play(cards[0]), 0)]
    values = words(worths(importance_now(seen, contract_of(state))))
    scratch = words([0] * r.SCRATCH)
    fast(r.look_around)(world, scratch)
    value_of = fast(r.value_of)
    return [(Play(card), int(value_of(world, values, scratch, *bits_of(card, seen.options)))) for card in cards]


def importance_now(seen: Seen, contract: Contract) -> dict[str, int]:
    """Return the importance of each free space, as far as the seat knows; the spaces of its discard are lost."""
    view = seen.view
    mine = [space for space, side in view.board.owners.items() if side == "declarer"]
    gone = [space for space, side in view.board.owners.items() if side == "opposing"]
    if contract.exchange:
        gone += view.discard.cards or ()
    return importance(seen.arena(contract.objective), mine, gone, seen.chance())
