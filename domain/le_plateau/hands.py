"""The beginning and the end of a hand: the deal, what becomes public, and what comes next."""

from collections.abc import Iterable, Iterator

from domain.cardplay.cards import Card, in_deck_order
from domain.chance import Chance
from domain.draws import Draw, DrawnNumbers, DrawnOrder, Packet
from domain.le_plateau import events as ev
from domain.le_plateau.board import Space, standard_tokens
from domain.le_plateau.dealt import DealtHand, DealtPile, DealtPiles, DealtTalon, ShownHand, ShownPile, ShownPiles
from domain.le_plateau.deck import Shape, shape_for
from domain.le_plateau.events import Side
from domain.le_plateau.options import Options
from domain.le_plateau.scoring import hand_scores
from domain.le_plateau.state import State, forehand, shape_of
from domain.le_plateau.turns import clockwise
from domain.log.record import Shown
from domain.table import Seat


def deal(state: State, chance: Chance) -> list[ev.Event]:
    """Shuffle and deal the next hand, in blocks, forehand first (rules.md, decks and deals)."""
    number = state.hand.deal_number + 1
    dealer = _dealer(state, chance)
    shape = shape_of(state)
    cards = chance.permutation("deal", number, shape.deck)
    seats = clockwise(dealer + 1, state.seats)
    piles: dict[Seat, tuple[DealtPile, ...]] = {}
    for seat in seats if shape.piles else ():
        of_seat, cards = cards[: 2 * shape.piles], cards[2 * shape.piles :]
        piles[seat] = tuple(map(DealtPile, of_seat[1::2], of_seat[::2]))
    hands: dict[Seat, tuple[Card, ...]] = {}
    for seat in seats:
        hands[seat], cards = in_deck_order(cards[: shape.hand]), cards[shape.hand :]
    dealt = ev.HandDealt(
        hand_number=_hands_counted(state) + 1,
        deal_number=number,
        dealer=dealer,
        board=_board(state, chance, number),
        hands=tuple(DealtHand(seat, shape.hand, hands[seat]) for seat in sorted(hands)),
        piles=tuple(DealtPiles(seat, piles[seat]) for seat in sorted(piles)),
        talon=DealtTalon(shape.talon, cards),
    )
    return [dealt, ev.PhaseBegan("bid")]


def draws(options: Options, seats: int, event: Shown) -> Iterator[Draw]:
    """State what is drawn for a hand: the first dealer, the deal, and the board."""
    if event["type"] != "hand_dealt":
        return
    number, dealer = event["data"]["deal_number"], event["data"]["dealer"]
    if number == 1 and options.first_dealer is None:
        yield DrawnNumbers("first_dealer", 1, seats, "/dealer")
    shape = shape_for(seats, options.deck, options.edition)
    yield DrawnOrder("deal", number, shape.deck, tuple(_packets(shape, clockwise(dealer + 1, seats))))
    if options.board == "random_deal" or (options.board == "random_game" and number == 1):
        board = standard_tokens(seats, options.deck)
        yield DrawnOrder("board", number, board, (Packet("/board", len(board), sorted=False),))


def _packets(shape: Shape, seats: Iterable[Seat]) -> Iterator[Packet]:
    in_turn = [*seats]
    for seat in in_turn:
        for pile in range(shape.piles):
            yield Packet(f"/piles/{seat}/piles/{pile}/under", 1)
            yield Packet(f"/piles/{seat}/piles/{pile}/top", 1)
    yield from (Packet(f"/hands/{seat}/cards", shape.hand) for seat in in_turn)
    yield Packet("/talon/cards", shape.talon, sorted=False)


def finish(state: State) -> list[ev.Event]:
    """Reveal and score a hand that is decided, or void, and begin what comes next."""
    by = state.won.by if state.won else None
    value = state.hand.contract.value if state.hand.contract else 0
    scores = hand_scores(state, by) if by else (0,) * state.seats
    more = not state.stops and _hands_counted(state) + _counts(state, by) < state.options.hands
    return [revealed(state), ev.HandScored(value, scores), ev.PhaseBegan("deal" if more else "over")]


def is_last(state: State) -> bool:
    """Return whether the current hand is the last one, by number or by agreement."""
    return state.stops or _hands_counted(state) + 1 >= state.options.hands


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


def _dealer(state: State, chance: Chance) -> Seat:
    if state.hand.deal_number:
        return forehand(state)
    if state.options.first_dealer is not None:
        return state.options.first_dealer
    return chance.below("first_dealer", 1, state.seats)


def _hands_counted(state: State) -> int:
    return sum(_counts(state, result.by) for result in state.results)


def _counts(state: State, won_by: Side | None) -> bool:
    return won_by is not None or state.options.void_hands == "count"


def revealed(state: State) -> ev.HandRevealed:
    """Return what the end of a hand makes public."""
    hand, table = state.hand, state.table
    piles = table.piles or ((),) * state.seats
    return ev.HandRevealed(
        dealt=_shown(hand.dealt),
        piles=tuple(
            ShownPiles(seat, tuple(ShownPile(pile.top, pile.under) for pile in of_seat))
            for seat, of_seat in enumerate(hand.dealt_piles)
        ),
        talon=hand.talon,
        taken=hand.taken,
        discard=hand.discard,
        gifts=hand.gifts,
        talon_dealt=hand.talon_dealt,
        unplayed=_shown(
            (*held, *(pile.top for pile in of_seat if pile.top))
            for held, of_seat in zip(table.held, piles, strict=True)
        ),
        unturned=_shown(tuple(pile.under for pile in of_seat if pile.under) for of_seat in table.piles),
    )


def _shown(by_seat: Iterable[tuple[Card, ...]]) -> tuple[ShownHand, ...]:
    return tuple(ShownHand(seat, cards) for seat, cards in enumerate(by_seat))
