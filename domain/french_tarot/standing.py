"""What the attack has during the play, by what a view shows (rules.md, counting and scoring).

Cards that a view hides can only add to it, and so can the tricks of a hidden partner. The Excuse counts as it will at
the end: played before the last trick, it stays with the side of its player.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from domain.cardplay.cards import Card
from domain.french_tarot import excuse
from domain.french_tarot.calculation import Side
from domain.french_tarot.counting import LAID_ASIDE
from domain.french_tarot.deck import HALF_POINTS, OUDLERS, half_points, suits
from domain.french_tarot.partners import CALLING
from domain.french_tarot.view import View
from domain.table import Seat

Aside: TypeAlias = Literal["ecart", "chien"]


@dataclass(frozen=True, slots=True)
class Standing:
    """The pile of the attack so far; of the taker alone, while the partner is hidden.

    ``laid_aside`` is what belongs to it beside its tricks, and ``is_aside_counted`` whether the view shows that.
    """

    of: Literal["attack", "taker"]
    half_points: int
    oudlers: tuple[Card, ...]
    laid_aside: Aside | None
    is_aside_counted: bool

    @property
    def is_exact(self) -> bool:
        """Return whether the attack has no more than this so far."""
        return self.of == "attack" and (self.laid_aside is None or self.is_aside_counted)


def standing(view: View) -> Standing | None:
    """Return what the attack has while tricks are played; None before, and once the last trick is taken."""
    contract = view.contract
    if contract is None or view.trick is None or not (view.trick.cards or any(hand.count for hand in view.hands)):
        return None
    is_partner_hidden = len(view.players) == CALLING and not (view.called and view.called.revealed)
    partner = view.called.partner if view.called and view.called.revealed else None
    attack = {contract.taker} if partner is None else {contract.taker, partner}
    suit_of = suits(imprenable=view.petit_imprenable is not None)
    where = LAID_ASIDE[contract.contract]
    aside = {"ecart": view.ecart.cards, "chien": view.chien.cards, None: None}[where]
    pile, halves = [*(aside or ())], 0
    for trick in view.tricks:
        winner = _side(trick.winner, attack)
        for played in trick.cards:
            owner = winner if suit_of[played.card] else _side(played.seat, attack)
            halves += excuse.attack_half_points(HALF_POINTS[played.card], owner, winner)
            pile += [played.card] if owner == "attack" else []
    return Standing(
        of="taker" if is_partner_hidden else "attack",
        half_points=halves + half_points(aside or ()),
        oudlers=tuple(card for card in OUDLERS if card in pile),
        laid_aside=where,
        is_aside_counted=aside is not None,
    )


def _side(seat: Seat, attack: set[Seat]) -> Side:
    return "attack" if seat in attack else "defence"
