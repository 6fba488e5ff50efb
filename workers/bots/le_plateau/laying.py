"""Discards, gifts and announcements by playouts: ``greedy`` proposes, and playouts decide.

Each proposal is carried out in the same worlds: the cards leave the declarer's hand, the partners are the holders of
the highest cards that the hand then lacks, and the hand is played out.
"""

from collections.abc import Sequence
from typing import Final

from domain.le_plateau.actions import Action, Announce, Exchange, Give
from domain.le_plateau.board import OBJECTIVES
from domain.le_plateau.state import Contract, contract_of
from domain.le_plateau.turns import clockwise
from workers.bots.compiled import Words, fast, words
from workers.bots.halving import Ranking, halved
from workers.bots.le_plateau import dealing as d
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau.loader import bits_of, sets_of
from workers.bots.le_plateau.prospects import PARTNERS, callable_cards
from workers.bots.le_plateau.seen import Seen
from workers.bots.le_plateau.worlds import worlds_of
from workers.bots.policy import Asked

PROPOSALS: Final = 12
"""How many of the best proposals of ``greedy`` are played out."""


def ranked(seen: Seen, actions: Sequence[Action], asked: Asked) -> Ranking:
    """Rank the declarer's options before the play."""
    board, worlds, contract = words(seen.board), worlds_of(seen), contract_of(seen.world())

    def trial(alive: Sequence[int]) -> list[int]:
        world, chance = worlds.world(seen.chance()), seen.chance()
        return [_reward(seen, words(world), actions[index], contract, (board, chance)) for index in alive]

    return halved(len(actions), asked.playouts, trial, asked.is_enough)


def _reward(seen: Seen, world: Words, action: Action, contract: Contract, at: tuple[Words, int]) -> int:
    """Return the reward of an action in a world, played out."""
    board, chance = at
    chance = _carry_out(seen, world, action, chance)
    first = bits_of(action.card, seen.options)[0] if isinstance(action, Announce) else 0
    size = 1 + PARTNERS[contract.team]
    team = fast(d.side_of)(world, seen.seat, world[k.TEAM], size, callable_cards(seen), first)
    fast(k.play_out)(world, chance)
    wanted = 1 << OBJECTIVES.index(contract.objective)
    return int(fast(k.reward_of)(fast(k.made_by)(world, team, board), wanted))


def _carry_out(seen: Seen, world: Words, action: Action, chance: int) -> int:
    """Lay cards aside or give them away, and deal what follows from it; return the state of the generator."""
    match action:
        case Exchange(discard):
            _move(world, seen.seat, sets_of(discard, seen.options))
        case Give(gifts):
            for gift in gifts:
                suits, trumps = bits_of(gift.card, seen.options)
                _move(world, seen.seat, (suits, trumps))
                world[k.HELD + gift.seat] |= suits
                world[k.HELD_TRUMPS + gift.seat] |= trumps
            served = {seen.seat, *(gift.seat for gift in gifts)}
            for seat in clockwise(seen.seat + 1, seen.seats):
                if seat not in served:
                    chance = int(fast(d.serve)(world, seat, 1, chance))
        case _:
            pass
    return chance


def _move(world: Words, seat: int, cards: tuple[int, int]) -> None:
    """Take cards from a hand."""
    world[k.HELD + seat] &= ~cards[0]
    world[k.HELD_TRUMPS + seat] &= ~cards[1]
