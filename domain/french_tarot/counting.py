"""Counting a finished deal: the pile of the attack, the petit au bout, the slam (rules.md, counting and scoring)."""

from typing import Literal

from domain.french_tarot import excuse
from domain.french_tarot.actions import ContractName
from domain.french_tarot.calculation import Count, Side
from domain.french_tarot.deck import OUDLERS, PETIT, as_written, half_points
from domain.french_tarot.partners import side_of
from domain.french_tarot.state import State, contract_of

LAID_ASIDE: dict[ContractName, Literal["ecart", "chien"] | None] = {
    "petite": "ecart",
    "garde": "ecart",
    "garde_sans": "chien",
    "garde_contre": None,
}
"""What belongs to the attack beside its tricks."""


def count(state: State) -> Count:
    """Count the pile of the attack once all tricks are played."""
    excuses = tuple(counted for trick in state.table.tricks for counted in excuse.counted(state, trick))
    out = {counted.card for counted in excuses}
    won = [
        played.card
        for trick in state.table.tricks
        if side_of(state, trick.winner) == "attack"
        for played in trick.cards
        if played.card not in out
    ]
    where = LAID_ASIDE[contract_of(state).contract]
    aside = {"ecart": state.deal.ecart, "chien": state.deal.chien, None: ()}[where]
    pile = {*won, *aside, *(counted.card for counted in excuses if counted.owner == "attack")}
    in_tricks, laid_aside = half_points(won), half_points(aside)
    halves = in_tricks + laid_aside + sum(counted.half_points for counted in excuses)
    oudlers = tuple(card for card in OUDLERS if card in pile)
    return Count(in_tricks, where, laid_aside, excuses, halves, as_written(halves), oudlers)


def petit_au_bout(state: State) -> Side | None:
    """Return the side that won the petit in the last trick, or in the last but one if the Excuse won the last."""
    *_, before, last = state.table.tricks
    by_excuse = any(played.seat == last.winner for played in excuse.excuses(state, last.cards))
    for trick in (last, before) if by_excuse else (last,):
        if any(played.card == PETIT for played in trick.cards):
            return side_of(state, last.winner)
    return None


def slam_made_by(state: State) -> Side | None:
    """Return the side that won every trick, if one did."""
    sides = {side_of(state, trick.winner) for trick in state.table.tricks}
    return sides.pop() if len(sides) == 1 else None


def tricks_of_defence(state: State) -> int:
    """Count the tricks that the defence won."""
    return sum(side_of(state, trick.winner) == "defence" for trick in state.table.tricks)
