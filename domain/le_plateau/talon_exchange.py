"""The exchange: talon, choice of a group, discard and gifts (rules.md, exchange)."""

from collections.abc import Sequence
from itertools import permutations

from domain.cardplay.cards import Card, in_deck_order
from domain.cardplay.tricks import only
from domain.errors import Refusals
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Action, ChooseTalon, Exchange, Gift, Give
from domain.le_plateau.state import State, contract_of, forehand, on_board, shape_of
from domain.le_plateau.turns import clockwise
from domain.sentences import message as msg
from domain.sequences import Mapped, Pairs, Subsets
from domain.table import Seat

RULE = "5. Exchange"
_refuse = Refusals(__package__)
TAKEN_OF_SIX = 3


def talon_events(state: State, won: ev.ContractWon) -> list[ev.Event]:
    """Return what follows the bidding at once: the talon is taken, or stays, or is dealt out (6 players)."""
    talon = state.hand.talon
    match shape_of(state).exchange:
        case "choose_talon" if won.exchange:
            return [ev.TalonTurned((talon[:TAKEN_OF_SIX], talon[TAKEN_OF_SIX:])), ev.PhaseBegan("choose_talon")]
        case "give" if won.exchange:
            return [_taken(won.declarer, talon[:TAKEN_OF_SIX]), ev.PhaseBegan("give")]
        case "exchange" if won.exchange:
            return [_taken(won.declarer, talon), ev.PhaseBegan("exchange")]
        case "give":
            return _talon_dealt(talon, clockwise(forehand(state), state.seats))
        case _:
            return []


def choosers(state: State) -> frozenset[Seat]:
    """Return the declarer, until a group of the talon is chosen."""
    return only(contract_of(state).declarer if state.hand.chosen is None else None)


def legal_choices(state: State, _seat: Seat) -> Sequence[Action]:
    """List the groups of the talon."""
    return tuple(map(ChooseTalon, range(len(state.hand.groups))))


def choose(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Choose a group of the talon."""
    if not isinstance(action, ChooseTalon):
        raise _refuse("wrong-phase.choose-talon", RULE)
    if action.group not in range(len(state.hand.groups)):
        raise _refuse("no-such-group", RULE, group=msg.Number(action.group))
    return [ev.TalonGroupChosen(seat, action.group)]


def settle_choice(state: State) -> list[ev.Event]:
    """Move the chosen group to the declarer's hand; the other side claims the board spaces of the other group."""
    chosen = state.hand.chosen
    if chosen is None:
        return []
    spaces = on_board(state, state.hand.groups[1 - chosen])
    taken = _taken(contract_of(state).declarer, state.hand.groups[chosen])
    return [taken, ev.CountersPlaced("opposing", spaces), ev.PhaseBegan("exchange")]


def actors(state: State) -> frozenset[Seat]:
    """Return the declarer, until the discard or the gifts are made."""
    done = state.hand.discard or state.hand.gifts
    return only(None if done else contract_of(state).declarer)


def legal_discards(state: State, seat: Seat) -> Sequence[Action]:
    """List every discard, in deck order."""
    return Mapped(Exchange, Subsets(state.table.held[seat], len(state.hand.taken)))


def legal_gifts(state: State, seat: Seat) -> Sequence[Action]:
    """List every pair of gifts, in deck order."""
    others = tuple(other for other in range(state.seats) if other != seat)
    return Mapped(_gifts, Pairs(Subsets(others, 2), tuple(permutations(state.table.held[seat], 2))))


def _gifts(made: tuple[tuple[Seat, ...], tuple[Card, ...]]) -> Give:
    (one, two), (first, second) = made
    return Give((Gift(one, first), Gift(two, second)))


def discard(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Discard as many cards as were taken (2 to 5 players)."""
    if not isinstance(action, Exchange):
        raise _refuse("wrong-phase.exchange", RULE)
    cards, wanted = action.discard, len(state.hand.taken)
    if len(cards) != wanted:
        raise _refuse("wrong-number-of-cards", RULE, wanted=msg.Number(wanted), given=msg.Number(len(cards)))
    _check_held(state, seat, cards)
    return [ev.CardsDiscarded(seat, wanted, in_deck_order(cards))]


def give(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Give one card each to two players (6 players)."""
    if not isinstance(action, Give):
        raise _refuse("wrong-phase.give", RULE)
    gifts = action.gifts
    if len(gifts) != 2:
        raise _refuse("wrong-number-of-gifts", RULE, given=msg.Number(len(gifts)))
    receivers = [gift.seat for gift in gifts]
    others = {*range(state.seats)} - {seat}
    if not others.issuperset(receivers) or len(set(receivers)) < 2:
        raise _refuse("wrong-receivers", RULE, receivers=msg.Items(tuple(map(msg.AtSeat, receivers))))
    _check_held(state, seat, tuple(gift.card for gift in gifts))
    return [ev.CardGiven(seat, gift.seat, gift.card) for gift in sorted(gifts, key=lambda gift: gift.seat)]


def settle_gifts(state: State) -> list[ev.Event]:
    """Deal the other talon cards to the players who hold one card less, clockwise from the declarer's left."""
    declarer = contract_of(state).declarer
    served = {declarer, *(gift.to for gift in state.hand.gifts)}
    short = [seat for seat in clockwise(declarer + 1, state.seats) if seat not in served]
    return _talon_dealt(state.hand.talon[TAKEN_OF_SIX:], short)


def _check_held(state: State, seat: Seat, cards: tuple[Card, ...]) -> None:
    for card in cards:
        if card not in state.table.held[seat]:
            raise _refuse("card-not-held", RULE, card=msg.Card(card))
    if len(set(cards)) < len(cards):
        raise _refuse("card-repeated", RULE, cards=msg.Items(tuple(map(msg.Card, cards))))


def _taken(seat: Seat, cards: tuple[Card, ...]) -> ev.TalonTaken:
    return ev.TalonTaken(seat, len(cards), in_deck_order(cards))


def _talon_dealt(cards: tuple[Card, ...], seats: list[Seat]) -> list[ev.Event]:
    return [ev.TalonCardDealt(seat, card) for seat, card in zip(seats, cards, strict=True)]
