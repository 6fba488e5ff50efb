"""Play: following suit, winning tricks, placing counters, and the end of the hand (rules.md, play)."""

from collections.abc import Iterable, Mapping, Sequence

from domain.cardplay.cards import TRUMP, Card
from domain.cardplay.tricks import SuitOf, following, next_to_play, only, suit_setter, trick_winner
from domain.errors import Refusals
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Action, Play
from domain.le_plateau.board import Space, formation, is_possible
from domain.le_plateau.deck import STRENGTH, SUIT_OF
from domain.le_plateau.events import Side
from domain.le_plateau.options import Edition
from domain.le_plateau.state import State, contract_of, forehand, on_board, shape_of, side_of
from domain.sentences import message as msg
from domain.table import Seat

RULE = "7. Play"
_refuse = Refusals(__package__)
_TALON_GOES_TO: Mapping[Edition, Side] = {"2023": "opposing", "2022": "declarer"}
"""The side that takes the spaces of the talon at the end of a hand without exchange."""


def actors(state: State) -> frozenset[Seat]:
    """Return the seat to play, none while a full trick is to be settled or once a side has won the hand."""
    if state.won is not None:
        return frozenset()
    return only(next_to_play(range(state.seats), leader(state), state.table.trick))


def leader(state: State) -> Seat:
    """Return the seat that leads, or led, the current trick: the last winner, at first forehand."""
    if state.table.trick:
        return state.table.trick[0].seat
    return state.table.tricks[-1].winner if state.table.tricks else forehand(state)


def playable(state: State, seat: Seat) -> tuple[Card, ...]:
    """List the cards that a seat could play if it had to follow nothing: the hand, and the tops of its piles."""
    hand = state.table.held[seat]
    if not state.table.piles:
        return hand
    return (*hand, *(pile.top for pile in state.table.piles[seat] if pile.top))


def legal_cards(state: State, seat: Seat) -> tuple[Card, ...]:
    """List the cards that a seat can play now."""
    suit_of = _suits(state)
    setter = suit_setter(state.table.trick, suit_of)
    return following(playable(state, seat), suit_of[setter] if setter else None, suit_of, TRUMP)


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List the legal plays."""
    return tuple(map(Play, legal_cards(state, seat)))


def decide(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Play a card."""
    if not isinstance(action, Play):
        raise _refuse("wrong-phase.play", RULE)
    card = action.card
    legal = legal_cards(state, seat)
    if card in legal:
        return [ev.CardPlayed(seat, card, _pile_of(state, seat, card))]
    if card not in playable(state, seat):
        raise _refuse("card-not-held", RULE, card=msg.Card(card))
    suit_of = _suits(state)
    led = next(played.card for played in state.table.trick if suit_of[played.card])
    if suit_of[legal[0]] == suit_of[led]:
        raise _refuse("must-follow-suit", RULE, led=msg.Card(led), card=msg.Card(card))
    raise _refuse("must-play-trump", RULE, led=msg.Card(led), card=msg.Card(card))


def settle(state: State) -> list[ev.Event]:
    """Settle a full trick: its winner, the counters, and the end of the hand or what is turned up next."""
    trick = state.table.trick
    if len(trick) < state.seats:
        return []
    number = len(state.table.tricks) + 1
    winner = trick_winner(trick, _suits(state), STRENGTH, TRUMP)
    counters = _counters(state, number, winner)
    mine, theirs = _with_counters(state, counters)
    events: list[ev.Event] = [ev.TrickWon(number, winner, trick), *counters]
    won = _decided(state, mine, theirs)
    if won is not None:
        return [*events, won]
    if number < shape_of(state).tricks:
        return [*events, *_turned_up(state, winner)]
    return [*events, *_last_reveal(state, mine, theirs)]


def _suits(state: State) -> SuitOf:
    return SUIT_OF[state.options.excuse]


def _counters(state: State, number: int, winner: Seat) -> list[ev.CountersPlaced]:
    """Claim the spaces of the trick and its cards for the winner's side; a card of no suit claims for its player."""
    suit_of = _suits(state)
    claims: dict[Side, list[Space]] = {side_of(state, winner): [f"#{number}"]}
    for played in state.table.trick:
        claimant = winner if suit_of[played.card] else played.seat
        claims.setdefault(side_of(state, claimant), []).append(played.card)
    return [ev.CountersPlaced(side, on_board(state, codes)) for side, codes in claims.items()]


def _decided(state: State, mine: frozenset[Space], theirs: frozenset[Space]) -> ev.HandWon | None:
    """Return how the hand is decided: the objective is made, or every free space would not be enough."""
    tokens, objective, edition = state.hand.tokens, contract_of(state).objective, state.options.edition
    path = formation(tokens, mine, objective, edition)
    if path:
        return ev.HandWon("declarer", objective, path)
    if not is_possible(tokens, theirs, objective, edition):
        return ev.HandWon("opposing", objective, ())
    return None


def _last_reveal(state: State, mine: frozenset[Space], theirs: frozenset[Space]) -> list[ev.Event]:
    """Turn up discard or talon after the last trick: a side takes its spaces, and the objective is judged."""
    contract = contract_of(state)
    cards = state.hand.discard if contract.exchange else state.hand.talon
    spaces = on_board(state, cards)
    if {*spaces} != {*state.hand.tokens} - mine - theirs:
        raise AssertionError(f"free spaces after the last trick are not those of {cards}")
    revealed = ev.DiscardRevealed(cards) if contract.exchange else ev.TalonRevealed(cards)
    side: Side = "opposing" if contract.exchange else _TALON_GOES_TO[state.options.edition]
    mine = mine.union(spaces) if side == "declarer" else mine
    path = formation(state.hand.tokens, mine, contract.objective, state.options.edition)
    by: Side = "declarer" if path else "opposing"
    return [revealed, ev.CountersPlaced(side, spaces), ev.HandWon(by, contract.objective, path)]


def _turned_up(state: State, winner: Seat) -> list[ev.Event]:
    """Turn up the lower cards that this trick uncovered, the winner's first."""
    return [
        ev.PileCardTurned(seat, index, pile.under)
        for seat in sorted(range(len(state.table.piles)), key=lambda seat: seat != winner)
        for index, pile in enumerate(state.table.piles[seat])
        if pile.top is None and pile.under is not None
    ]


def _with_counters(state: State, counters: Iterable[ev.CountersPlaced]) -> tuple[frozenset[Space], frozenset[Space]]:
    """Return the spaces of the declarer's side and of the other side once these counters are placed."""
    mine, theirs = state.table.declarer_spaces, state.table.opposing_spaces
    for placed in counters:
        if placed.team == "declarer":
            mine |= {*placed.spaces}
        else:
            theirs |= {*placed.spaces}
    return mine, theirs


def _pile_of(state: State, seat: Seat, card: Card) -> int | None:
    if card in state.table.held[seat]:
        return None
    return next(index for index, pile in enumerate(state.table.piles[seat]) if pile.top == card)
