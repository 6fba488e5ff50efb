"""Play: leading, following suit, and taking tricks (rules.md, section 3)."""

from collections.abc import Iterable, Sequence

from domain.cardplay.cards import TRUMP
from domain.cardplay.tricks import Played, following, next_to_play, only, trick_winner
from domain.errors import Refusals
from domain.sentences import message as msg
from domain.table import Seat
from hearts import nouns as ev
from hearts.deck import PLAYERS, QUEEN_OF_SPADES, STRENGTH, SUIT_OF, TWO_OF_CLUBS, Card, points_of
from hearts.state import State

RULE = "3. Play"
_refuse = Refusals(__package__)


def leader(state: State) -> Seat | None:
    """Return the seat that leads, or led, the current trick; None before the play begins."""
    return state.table.tricks[-1].winner if state.table.tricks else state.table.leader


def turn(state: State) -> Seat | None:
    """Return the seat to play a card; None while something is forced."""
    first = leader(state)
    if first is None or state.is_played_out:
        return None
    return next_to_play(range(PLAYERS), first, state.table.trick)


def actors(state: State) -> frozenset[Seat]:
    """Return the seat in turn."""
    return only(turn(state))


def must_lead(state: State) -> Card | None:
    """Return the card with which the hand must be led, until it is."""
    table = state.table
    return None if table.leader is None or table.trick or table.tricks else TWO_OF_CLUBS


def legal_cards(state: State, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that a seat in turn can play."""
    if not state.table.trick:
        return _to_lead(state, state.table.held[seat])
    followed = _following(state, seat)
    return followed if _points_allowed(state) else _without_points(followed)


def _following(state: State, seat: Seat) -> tuple[Card, ...]:
    return following(state.table.held[seat], SUIT_OF[state.table.trick[0].card], SUIT_OF, TRUMP)


def _to_lead(state: State, hand: tuple[Card, ...]) -> tuple[Card, ...]:
    if must_lead(state):
        return (TWO_OF_CLUBS,)
    others = tuple(card for card in hand if SUIT_OF[card] != "H")
    return hand if state.table.broken or not others else others


def _points_allowed(state: State) -> bool:
    return bool(state.table.tricks) or state.options.points_in_first_trick


def _without_points(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if not points_of(card)) or cards


def legal_actions(state: State, seat: Seat) -> Sequence[ev.Action]:
    """List the cards that a seat can play."""
    return tuple(map(ev.Play, legal_cards(state, seat)))


def decide(state: State, seat: Seat, action: ev.Action) -> list[ev.Event]:
    """Play a card."""
    if not isinstance(action, ev.Play):
        raise _refuse("wrong-phase.play", RULE)
    card, trick = action.card, state.table.trick
    if card not in state.table.held[seat]:
        raise _refuse("card-not-held", RULE, card=msg.Card(card))
    if card not in legal_cards(state, seat):
        if must_lead(state):
            raise _refuse("must-lead-two-of-clubs", RULE, lead=msg.Card(TWO_OF_CLUBS), card=msg.Card(card))
        if not trick:
            raise _refuse("hearts-not-broken", RULE, card=msg.Card(card))
        if card in _following(state, seat):
            raise _refuse("no-points-in-first-trick", RULE, card=msg.Card(card))
        raise _refuse("must-follow-suit", RULE, led=msg.Card(trick[0].card), card=msg.Card(card))
    return [ev.CardPlayed(seat, card)]


def breaks_hearts(options: ev.Options, trick: Iterable[Played]) -> bool:
    """Return whether hearts are broken by the cards of a trick."""
    cards = {played.card for played in trick}
    return any(SUIT_OF[card] == "H" for card in cards) or (options.queen_breaks_hearts and QUEEN_OF_SPADES in cards)


def settle(state: State) -> list[ev.Event]:
    """Name the leader of the hand, or settle a full trick."""
    table = state.table
    if table.leader is None:
        holder = next(seat for seat, held in enumerate(table.held) if TWO_OF_CLUBS in held)
        return [ev.PlayBegan(holder, TWO_OF_CLUBS)]
    if len(table.trick) < PLAYERS:
        return []
    number = len(table.tricks) + 1
    is_breaking = not table.broken and breaks_hearts(state.options, table.trick)
    winner = trick_winner(table.trick, SUIT_OF, STRENGTH, TRUMP)
    points = sum(points_of(played.card) for played in table.trick)
    return [*[ev.HeartsBroken(number)] * is_breaking, ev.TrickTaken(number, winner, points, table.trick)]
