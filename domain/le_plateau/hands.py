"""The beginning and the end of a hand: the deal, what is made public, and what comes next."""

from typing import Any

from domain.cardplay.cards import Card, in_deck_order
from domain.chance import Chance
from domain.le_plateau import events as ev
from domain.le_plateau.board import Space, standard_tokens
from domain.le_plateau.scoring import hand_scores
from domain.le_plateau.state import State, deal_of
from domain.table import Seat


def deal(state: State, chance: Chance) -> list[Any]:
    """Shuffle and deal the next hand, in blocks, forehand first (rules.md, decks and deals)."""
    number = state.hand.deal_number + 1
    dealer = _dealer(state, chance)
    shape = deal_of(state)
    cards = chance.permutation("deal", number, shape.deck)
    clockwise = [(dealer + 1 + i) % state.seats for i in range(state.seats)]
    piles: dict[Seat, tuple[ev.DealtPile, ...]] = {}
    for seat in clockwise if shape.piles else ():
        of_seat, cards = cards[: 2 * shape.piles], cards[2 * shape.piles :]
        piles[seat] = tuple(ev.DealtPile(top=of_seat[i + 1], under=of_seat[i]) for i in range(0, len(of_seat), 2))
    hands: dict[Seat, tuple[Card, ...]] = {}
    for seat in clockwise:
        hands[seat], cards = in_deck_order(cards[: shape.hand]), cards[shape.hand :]
    dealt = ev.HandDealt(
        hand_number=_hands_counted(state) + 1,
        deal_number=number,
        dealer=dealer,
        board=_board(state, chance, number),
        hands=tuple(ev.DealtHand(seat, shape.hand, hands[seat]) for seat in sorted(hands)),
        piles=tuple(ev.DealtPiles(seat, piles[seat]) for seat in sorted(piles)),
        talon=ev.DealtTalon(shape.talon, cards),
    )
    return [dealt, ev.PhaseBegan("bid")]


def finish(state: State) -> list[Any]:
    """Reveal and score a hand that is decided, or void, and say what comes next."""
    by = state.won.by if state.won else None
    value = state.hand.contract.value if state.hand.contract else 0
    scores = hand_scores(state, by) if by else (0,) * state.seats
    more = not state.stops and _hands_counted(state) + _counts(state, void=by is None) < state.options.hands
    return [_revealed(state), ev.HandScored(value, scores), ev.PhaseBegan("deal" if more else "over")]


def _board(state: State, chance: Chance, number: int) -> tuple[Space, ...]:
    """Lay out the board of a deal: the standard one, a random one, or the tokens agreed on."""
    standard = standard_tokens(state.seats, state.options.deck)
    match state.options.board:
        case "random_deal":
            return chance.permutation("board", number, standard)
        case "random_game":
            return state.hand.tokens or chance.permutation("board", number, standard)
        case "custom":
            return state.options.board_tokens or standard
        case "standard":
            return standard


def is_last(state: State) -> bool:
    """Say whether the hand being played is the last one anyway, or by agreement."""
    return state.stops or _hands_counted(state) + 1 >= state.options.hands


def _dealer(state: State, chance: Chance) -> Seat:
    if state.hand.deal_number:
        return (state.hand.dealer + 1) % state.seats
    if state.options.first_dealer is not None:
        return state.options.first_dealer
    return chance.below("first_dealer", 1, state.seats)


def _hands_counted(state: State) -> int:
    return sum(_counts(state, void=result["by"] is None) for result in state.results)


def _counts(state: State, *, void: bool) -> bool:
    return not void or state.options.void_hands == "count"


def _revealed(state: State) -> ev.HandRevealed:
    hand, table = state.hand, state.table
    return ev.HandRevealed(
        dealt=_shown(hand.dealt),
        piles=tuple(
            ev.ShownPiles(seat, tuple(ev.ShownPile(pile.top or "", pile.under or "") for pile in of_seat))
            for seat, of_seat in enumerate(hand.dealt_piles)
        ),
        talon=hand.talon,
        taken=hand.taken,
        discard=hand.discard,
        gifts=hand.gifts,
        talon_dealt=hand.talon_dealt,
        unplayed=_shown(
            tuple(
                (*held, *(pile.top for pile in (table.piles[seat] if table.piles else ()) if pile.top))
                for seat, held in enumerate(table.held)
            )
        ),
        unturned=_shown(tuple(tuple(pile.under for pile in of_seat if pile.under) for of_seat in table.piles)),
    )


def _shown(by_seat: tuple[tuple[Card, ...], ...]) -> tuple[ev.ShownHand, ...]:
    return tuple(ev.ShownHand(seat, cards) for seat, cards in enumerate(by_seat))
