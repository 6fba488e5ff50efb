"""Play: following or trumping, and winning tricks (rules.md, play)."""

from collections.abc import Sequence

from domain.cardplay.cards import TRUMP
from domain.cardplay.tricks import next_to_play, trick_winner
from domain.errors import Refusals
from domain.plute import events as ev
from domain.plute import naming
from domain.plute.actions import Play
from domain.plute.deck import PLAYERS, TRICKS, Card, strengths, suits
from domain.plute.state import State, contract_of, team_of, trump_of
from domain.sentences import message as msg
from domain.table import Seat

RULE = "5. Play"
_refuse = Refusals(__package__)


def is_over(state: State) -> bool:
    """Return whether the play of this hand has ended: all tricks are played, or the hand was stopped."""
    return len(state.table.tricks) == TRICKS or state.table.stopped


def turn(state: State) -> Seat | None:
    """Return the seat to play a card, None while a full trick waits to be settled."""
    return next_to_play(range(PLAYERS), leader(state), state.table.trick)


def leader(state: State) -> Seat:
    """Return the seat that leads, or led, the current trick: the last winner, at first the bidder."""
    if state.table.trick:
        return state.table.trick[0].seat
    return state.table.tricks[-1].winner if state.table.tricks else contract_of(state).bidder


def legal_cards(state: State, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that a seat can play now: a seat that can follow suit must do so, or trump."""
    hand, trick = state.table.held[seat], state.table.trick
    if not trick:
        return hand
    suit_of = suits(trump_of(state))
    led = suit_of[trick[0].card]
    if all(suit_of[card] != led for card in hand):
        return hand
    return tuple(card for card in hand if suit_of[card] in (led, TRUMP))


def legal_actions(state: State, seat: Seat) -> Sequence[Play]:
    """List the cards that a seat can play, with what it can declare."""
    cards = legal_cards(state, seat)
    return tuple(Play(card, suit) for card in cards for suit in naming.declarations(state, card))


def decide(state: State, seat: Seat, action: Play) -> list[ev.Event]:
    """Play a card."""
    whose = turn(state)
    if whose is not None and seat != whose:
        raise _refuse("may-only-claim", RULE, seat=msg.AtSeat(seat), turn=msg.AtSeat(whose))
    if action.card not in state.table.held[seat]:
        raise _refuse("card-not-held", RULE, card=msg.Card(action.card))
    if action.card not in legal_cards(state, seat):
        led = state.table.trick[0].card
        suit = suits(trump_of(state))[led]
        both = {"led": msg.Card(led), "card": msg.Card(action.card)}
        if suit == TRUMP:
            raise _refuse("must-follow-suit.trump", RULE, **both)
        raise _refuse("must-follow-suit", RULE, suit=msg.Message(f"suit.{suit}"), **both)
    naming.check(state, action)
    return [ev.CardPlayed(seat, action.card), *naming.named(state, seat, action)]


def settle(state: State) -> list[ev.Event]:
    """Settle a full trick."""
    trick = state.table.trick
    if len(trick) < PLAYERS:
        return []
    trump = trump_of(state)
    winner = trick_winner(trick, suits(trump), strengths(trump, naming.high_joker(state)), TRUMP)
    return [ev.TrickWon(len(state.table.tricks) + 1, winner, team_of(winner), trick)]
