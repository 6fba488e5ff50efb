"""The Excuse: how it can win the last trick, and which side has it in the end (rules.md, the Excuse).

The same holds for the petit where it is played as a second Excuse. The sides matter only in the last trick: by then the
called card has fallen, so nothing hidden is revealed.
"""

from collections.abc import Sequence

from domain.cardplay.cards import TRUMP
from domain.cardplay.tricks import TrickCard, trick_winner
from domain.french_tarot.calculation import ExcuseCounted, Side
from domain.french_tarot.deck import HALF_POINTS, STRENGTH
from domain.french_tarot.events import TrickWon
from domain.french_tarot.partners import side_of
from domain.french_tarot.state import State, contract_of, shape_of, suits_of
from domain.table import Seat


def winner_of(state: State, trick: Sequence[TrickCard]) -> Seat:
    """Return the winner of the full trick on the table; an Excuse can win the last one for a side with all others.

    If it was led, it wins; otherwise it wins only if its side would lose the trick.
    """
    suit_of = suits_of(state)
    usual = trick_winner(trick, suit_of, STRENGTH, TRUMP)
    if len(state.table.tricks) + 1 < shape_of(state).hand:
        return usual
    for played in excuses(state, trick):
        lost = side_of(state, usual) != side_of(state, played.seat)
        if _is_safe(state, played.seat) and (played is trick[0] or lost):
            return played.seat
    return usual


def excuses(state: State, trick: Sequence[TrickCard]) -> list[TrickCard]:
    """Return the cards of a trick that were played as an Excuse."""
    suit_of = suits_of(state)
    return [played for played in trick if suit_of[played.card] is None]


def _is_safe(state: State, seat: Seat) -> bool:
    """Return whether a seat's Excuse is safe in the last trick: its side won all others, and the options allow it."""
    side = side_of(state, seat)
    match state.options.excuse_wins_last_trick:
        case "announced_only":
            entitled = state.deal.slam == "slam" and seat == contract_of(state).taker
        case "announcing_side":
            entitled = state.deal.slam == "slam" and side == "attack"
        case "any_slam":
            entitled = True
        case "never":
            entitled = False
    earlier = state.table.tricks[: shape_of(state).hand - 1]
    return entitled and all(side_of(state, trick.winner) == side for trick in earlier)


def _owner_of(state: State, trick: TrickWon, player: Seat) -> Side:
    """Return the side that has an Excuse in the end: its player's, except in the last trick."""
    own = side_of(state, player)
    if trick.number < shape_of(state).hand or _is_safe(state, player):
        return own
    if state.options.excuse_last_trick == "goes_to_trick_winner":
        return side_of(state, trick.winner)
    return "defence" if own == "attack" else "attack"


def counted(state: State, trick: TrickWon) -> list[ExcuseCounted]:
    """Count what the Excuses of a trick are worth to the attack."""
    found = []
    for played in excuses(state, trick.cards):
        owner, winner = _owner_of(state, trick, played.seat), side_of(state, trick.winner)
        halves = attack_half_points(HALF_POINTS[played.card], owner, winner)
        found.append(ExcuseCounted(played.card, played.seat, owner, winner, halves))
    return found


def attack_half_points(worth: int, owner: Side, winner: Side) -> int:
    """Return what an Excuse is worth to the attack: its owner pays half a point if the other side won the trick."""
    given = owner != winner
    return worth - given if owner == "attack" else int(given)
