"""The symmetries of Le Plateau: the suits that the deck has equally many cards of, and the board turned or mirrored.

A mask is an order of the suits and, after a space, how the board lies: ``r0`` … ``r5``, turned clockwise by so many
sides, or ``m0`` … ``m5``, mirrored first. Tricks, trumps and the excuse keep their names.
"""

from dataclasses import replace
from functools import lru_cache

from domain.cardplay import suits
from domain.cardplay.cards import in_deck_order
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Action
from domain.le_plateau.board import COORDINATES, STEPS, Space, formation
from domain.le_plateau.deck import shape_for
from domain.le_plateau.hands import revealed
from domain.le_plateau.options import Options
from domain.le_plateau.state import State, on_board
from domain.symmetries import Mask, Symmetries

TURNS = tuple(f"{kind}{sides}" for kind in "rm" for sides in range(len(STEPS)))


def masks(options: Options, seats: int) -> tuple[Mask, ...]:
    """List the masks: any board can be turned, and a suit with other cards than the rest stays."""
    deck = shape_for(seats, options.deck, options.edition).deck
    return tuple(f"{order} {turn}" for order in suits.keeping(deck) for turn in TURNS)


def inverse(mask: Mask) -> Mask:
    """Return the mask that removes a mask: a mirrored board is mirrored back about the same line."""
    order, turn = mask.split()
    return f"{suits.inverse(order)} {turn if turn[0] == 'm' else TURNS[-int(turn[1]) % len(STEPS)]}"


def masked_event(mask: Mask, state: State, event: ev.Event) -> ev.Event:
    """Mask an event; what the rules list in the order of the board, or as it lies, follows from the masked state."""
    order, turn = mask.split()
    event = suits.masked_cards(order, event)
    match event:
        case ev.HandDealt():
            stays = state.options.board == "random_game" and state.hand.tokens
            hands = tuple(replace(hand, cards=in_deck_order(hand.cards)) for hand in event.hands)
            return replace(event, board=stays or _turned(order, turn, event.board), hands=hands)
        case ev.TalonTaken() | ev.CardsDiscarded() | ev.DiscardRevealed():
            return replace(event, cards=in_deck_order(event.cards))
        case ev.CountersPlaced():
            return replace(event, spaces=on_board(state, (suits.masked_code(order, space) for space in event.spaces)))
        case ev.HandWon(by="declarer"):
            tokens, own = state.hand.tokens, state.table.declarer_spaces
            return replace(event, path=formation(tokens, own, event.objective, state.options.edition))
        case ev.HandRevealed():
            return revealed(state)
        case _:
            return event


def masked_action(mask: Mask, action: Action) -> Action:
    """Mask an action; a discard is listed in deck order."""
    return suits.masked_cards(mask.split()[0], action, in_deck_order)


@lru_cache(maxsize=1024)
def _turned(order: Mask, turn: str, board: tuple[Space, ...]) -> tuple[Space, ...]:
    """Lay out a board with its suits exchanged, turned and perhaps mirrored."""
    lying = {_place(turn, at): suits.masked_code(order, space) for at, space in zip(COORDINATES, board, strict=True)}
    return tuple(lying[at] for at in COORDINATES)


def _place(turn: str, at: tuple[int, int]) -> tuple[int, int]:
    """Return where a space comes to lie; its coordinates are axial."""
    q, r = reversed(at) if turn[0] == "m" else at
    for _ in range(int(turn[1])):
        q, r = -r, q + r
    return q, r


SYMMETRIES: Symmetries[Options, State, Action, ev.Event] = Symmetries(masks, inverse, masked_event, masked_action)
