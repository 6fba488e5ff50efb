"""Why a card of Le Plateau is good: by the spaces that it can win, as ``greedy`` values them from its seat's view."""

from typing import Any, Final

from domain.le_plateau.state import contract_of
from workers.bots.compiled import fast, words
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau import reckoning as r
from workers.bots.le_plateau.cardplay import importance_now
from workers.bots.le_plateau.importance import SCALE
from workers.bots.le_plateau.loader import bits_of, load
from workers.bots.le_plateau.seen import seen
from workers.bots.policy import Asked, Reason
from workers.bots.tricks import LIKELY, Placed, reason_of

TOLD_FROM: Final = SCALE // 10
"""The importance from which a reason mentions a space."""


def why(asked: Asked, action: Any) -> Reason | None:
    """Return the reason for a card; None for other actions."""
    if action["type"] != "play":
        return None
    question = seen(asked)
    state = question.world()
    contract = contract_of(state)
    world, scratch = words(load(state)), words([0] * r.SCRATCH)
    fast(r.look_around)(world, scratch)
    suits, trumps = bits_of(action["card"], question.options)
    chance = fast(r.chance_of_trick)(world, scratch, suits, trumps) / r.ONE
    importance = importance_now(question, contract)
    at_stake = [f"#{world[k.TRICK]}", *(played.card for played in state.table.trick), action["card"]]
    space = max(at_stake, key=lambda each: importance.get(each, 0))
    if chance >= LIKELY and importance.get(space, 0) >= TOLD_FROM:
        gain = {"space": space, "percent": round(100 * importance[space] / SCALE)}
        is_declarers = question.seat in (contract.declarer, *contract.partners)
        return Reason("reason.path.opens" if is_declarers else "reason.path.cuts", gain)
    return reason_of(_placed(list(world), suits, trumps, chance))


def _placed(world: list[int], suits: int, trumps: int, chance: float) -> Placed:
    seat = world[k.NEXT]
    team = world[k.TEAM] if world[k.TEAM] >> seat & 1 else ~world[k.TEAM]
    leads = world[k.ON_TABLE] == 0
    held = (world[k.HELD + seat], world[k.HELD_TRUMPS + seat] & k.TRUMPS_ALL)
    mask = k.LOWEST_SUIT << k.SUIT * ((suits.bit_length() - 1) // k.SUIT) if suits else 0
    lower = [(bit, 0) for bit in _bits(held[0] & mask & (suits - 1))] if suits else []
    lower += [(0, bit) for bit in _bits(held[1] & (trumps - 1))] if trumps else []
    does_beat = leads or _beats(world, suits, trumps)
    return Placed(
        chance=chance,
        leads=leads,
        beats=does_beat,
        partner_is_best=not leads and bool(team >> world[k.WINNER] & 1),
        is_least=not any(leads or _beats(world, *other) or not does_beat for other in lower),
        carries=False,
    )


def _beats(world: list[int], suits: int, trumps: int) -> bool:
    """Return whether a card beats the best one of the trick, which has one."""
    if trumps & k.TRUMPS_ALL:
        return trumps > world[k.BEST_TRUMP]
    return bool(suits & world[k.LED]) and suits > world[k.BEST] and not world[k.BEST_TRUMP]


def _bits(cards: int) -> list[int]:
    return [1 << number for number in range(cards.bit_length()) if cards >> number & 1]
