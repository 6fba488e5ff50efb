"""Le Plateau in text: the board of a deal, and which card goes where (docs/notation.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from domain.cardplay.cards import CODES, TAROT_PACK, Card, in_deck_order
from domain.le_plateau.board import Space
from domain.le_plateau.events import HandDealt
from domain.le_plateau.state import State
from domain.notation.deals import CardCodes, Deals, Place, hand_of
from domain.notation.lexer import Lexer
from domain.notation.replay import Replay
from domain.table import Seat

_BOARD_RULE = "2. The board"
CARDS = CardCodes(TAROT_PACK, CODES, "1. Names")


def _in_talon(number: int) -> Place:
    return Place("talon", f"place {number + 1} of the talon")


def _in_pile(seat: Seat, number: int) -> tuple[Place, Place]:
    """Return the places of the upper and the lower card of a pile, which are written in one word."""
    pile = f"of seat {seat}'s pile {number + 1}"
    return Place(str(seat), f"the top {pile}"), Place(str(seat), f"the bottom {pile}", joined=True)


def _places(deal: HandDealt) -> dict[Card, Place]:
    """Map each card of a deal to its place; the piles of a seat come before its hand."""
    placed: dict[Card, Place] = {}
    for of_seat in deal.piles:
        for number, pile in enumerate(of_seat.piles):
            placed[pile.top], placed[pile.under] = _in_pile(of_seat.seat, number)
    placed |= {card: hand_of(hand.seat) for hand in deal.hands for card in hand.cards}
    return placed | {card: _in_talon(number) for number, card in enumerate(deal.talon.cards)}


def _filled(deal: HandDealt, placed: Mapping[Place, Sequence[Card]]) -> HandDealt:
    piles = []
    for of_seat in deal.piles:
        places = (_in_pile(of_seat.seat, number) for number in range(len(of_seat.piles)))
        filled = (
            replace(pile, top=placed[top][0], under=placed[bottom][0])
            for pile, (top, bottom) in zip(of_seat.piles, places, strict=True)
        )
        piles.append(replace(of_seat, piles=tuple(filled)))
    return replace(
        deal,
        hands=tuple(replace(hand, cards=in_deck_order(placed[hand_of(hand.seat)])) for hand in deal.hands),
        piles=tuple(piles),
        talon=replace(deal.talon, cards=tuple(placed[_in_talon(number)][0] for number in range(deal.talon.count))),
    )


def _read_board(replay: Replay[State], lexer: Lexer, form: HandDealt, true: HandDealt | None) -> HandDealt:
    """Read the tokens of the board; only a random board must be written."""
    label, option = lexer.next, replay.state.options.board
    if label.text.lower() == "board:":
        lexer.take()
        is_drawn = option == "random_deal" or (option == "random_game" and form.deal_number == 1)
        fixed = true.board if true else None if is_drawn else form.board
        return replace(form, board=_read_tokens(lexer, form.board, fixed))
    if option.startswith("random"):
        raise label.wrong("the board is random in this game: write 'board:' and its 37 tokens", _BOARD_RULE)
    return form


def _read_tokens(lexer: Lexer, known: tuple[Space, ...], fixed: tuple[Space, ...] | None) -> tuple[Space, ...]:
    tokens: list[Space] = []
    for place in range(len(known)):
        word = lexer.take()
        token = word.text.upper()
        if token not in known:
            message = f"{word} is not a token of this board; token {place + 1} of 37 must stand here"
            raise word.wrong(message, _BOARD_RULE)
        if token in tokens:
            raise word.wrong(f"{token} is on the board already", _BOARD_RULE)
        if fixed and fixed[place] != token:
            raise word.wrong(f"{fixed[place]} is at this place, not {token}", _BOARD_RULE)
        tokens.append(token)
    return tuple(tokens)


DEALS: Deals[State, HandDealt] = Deals(
    rule="3. Decks and deals",
    cards=CARDS,
    next_number=lambda state: state.hand.deal_number + 1,
    places=_places,
    filled=_filled,
    read_setup=_read_board,
)
